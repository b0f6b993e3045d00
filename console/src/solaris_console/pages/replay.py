"""A fight watched again, step by step: the board after each fact, the fact and its numbers in words."""

import asyncio
from typing import Any

from starlette.responses import Response

from solaris_console.apis import panel
from solaris_console.pages.fight import load_fight, set_scene
from solaris_console.telling import chapters
from solaris_console.visit import Visit

Json = dict[str, Any]
MOVES = ("unit-moved", "unit-stepped-back")


async def replay(visit: Visit) -> Response:
    """One step of the fight; without a number the first."""
    found = await load_fight(visit)
    address = f"/v1/fights/{found['fight_id']}"
    lines = await visit.caller.all("combat", f"{address}/log", language=visit.speech.language)
    at = _index(lines, visit.query("step"))
    line = lines[at] if lines else None
    after, before = await asyncio.gather(_game(visit, address, line), _before(visit, address, line))
    scene = await set_scene(visit, {**found, "game": after or found["game"]}, before=before)
    return visit.page(
        "replay.html", scene=scene, fight=found, line=line, at=at, lines=lines, story=chapters(lines),
        consequences=_consequences(lines, at),
    )  # fmt: skip


def _index(lines: list[Json], step: str) -> int:
    """Place in the log of a fact's number; the first line for what is none."""
    return next((at for at, line in enumerate(lines) if str(line["number"]) == step), 0)


def _consequences(lines: list[Json], at: int) -> list[Json]:
    """What came of this step: the detail lines right after it."""
    found = []
    for line in lines[at + 1 :]:
        if not line["detail"]:
            break
        found.append(line)
    return found


async def _game(visit: Visit, address: str, line: Json | None) -> Json | None:
    if line is None:
        return None
    seen = await visit.caller.get("combat", f"{address}/replay/{line['number']}")
    return seen["game"]


async def _before(visit: Visit, address: str, line: Json | None) -> Json | None:
    """The game before a movement, to show where it began."""
    if line is None or line["type"] not in MOVES or line["number"] < 2:
        return None
    seen = (await panel(visit.caller.get("combat", f"{address}/replay/{line['number'] - 1}"))).value
    return seen["game"] if seen else None
