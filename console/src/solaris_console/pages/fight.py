"""One fight: what happened last, the board as picture and as text, both record sheets, and my orders."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from solaris_console.apis import Panel, Trouble, panel
from solaris_console.draft import Draft, arrivals, draft_of, shows_all, with_masc
from solaris_console.drawing import Board, draw
from solaris_console.sheets import Sheet, sheet_of
from solaris_console.telling import Complaint, chapters, headlines
from solaris_console.visit import Visit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Desk:
    """The order form: what is offered, what has been filled in, what combat says about it."""

    options: Json
    draft: Draft
    key: str
    replaces: str = ""
    preview: Json | None = None
    complaints: Sequence[Complaint] = ()
    partly: bool = False
    """Sealed orders say more than the form can show."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a page about a fight shows."""

    fight: Json
    board: Board | None
    arena: Json | None
    sheets: Sequence[Sheet] = ()
    trouble: Trouble | None = None
    desk: Desk | None = None
    question: Json | None = None
    log: Panel[list[Json]] = field(default_factory=Panel)


async def load_fight(visit: Visit) -> Json:
    """The fight as this person may see it; raises Trouble."""
    return await visit.caller.get("combat", f"/v1/fights/{visit.path['fight_id']}")


async def fight(visit: Visit) -> Response:
    """The page of a fight."""
    found = await load_fight(visit)
    desk = await open_desk(visit, found)
    return await show(visit, found, desk)


async def show(
    visit: Visit, found: Json, desk: Desk | None, status: int = 200, answer: Any = None
) -> Response:
    """The page with this order form; `answer` is what was wrong with an answer to a question."""
    log = panel(visit.caller.all("combat", f"{_address(found)}/log", language=visit.speech.language))
    scene, lines = await asyncio.gather(set_scene(visit, found, desk), log)
    said = lines.value or []
    return visit.page(
        "fight.html", status, scene=scene, fight=found, lines=lines, news=headlines(said),
        story=chapters(said), desk=desk, ways=ways_of(desk), question=question_of(found),
        question_key=secrets.token_hex(16), answer=answer or {"draft": Draft(), "complaints": ()},
    )  # fmt: skip


def _address(found: Json) -> str:
    return f"/v1/fights/{found['fight_id']}"


async def open_desk(visit: Visit, found: Json) -> Desk | None:
    """The form, if orders are asked and either none are sealed or they are to be changed."""
    you = found["you"]
    changing = visit.query("change") == "yes"
    if not you or not you["asked"] or you["question"] or (you["sealed"] and not changing):
        return None
    options = with_masc((await visit.caller.get("combat", f"{_address(found)}/options"))["options"])
    if not you["sealed"]:
        return Desk(options, blank(options), secrets.token_hex(16))
    mine = await visit.caller.get("combat", f"{_address(found)}/orders/mine")
    draft = draft_of(mine["orders"])
    partly = not shows_all(draft, options, mine["orders"])
    return Desk(options, draft, secrets.token_hex(16), mine["commitment"], partly=partly)


def blank(options: Json) -> Draft:
    """A form nobody has touched: full bins as far as allowed, a nonce, no fire, no movement, all AMS on."""
    offered = options.get("initial") or options.get("fire") or {}
    on = {f"ams-{one['ams']}": "on" for one in offered.get("ams", {}).get("systems", []) if one["works"]}
    if "initial" not in options:
        return Draft({"go": "stand", "twist": "0"} | on)
    left = dict(options["initial"]["rounds_at_most"])
    values = {"auto-eject": "yes", "nonce": secrets.token_hex(32)} | on
    for one in options["initial"]["bins"]:
        count = min(one["holds"], left[one["ammunition"]])
        left[one["ammunition"]] -= count
        values[f"load-{one['id']}"] = str(count)
    return Draft(values)


async def set_scene(visit: Visit, found: Json, desk: Desk | None = None, before: Json | None = None) -> Scene:
    """Board and sheets; a catalogue that is away is told, and the rest is shown."""
    game, mine = found["game"], (found["you"] or {}).get("side", "")
    models = sorted({side["model"] for side in found["sides"]})
    catalogue = visit.office.catalogue
    arena, *mechs = await asyncio.gather(
        panel(catalogue.arena(visit.caller, found["arena"])),
        *(panel(catalogue.mech(visit.caller, model)) for model in models),
    )
    built = {model: one.value for model, one in zip(models, mechs, strict=True)}
    sides = (game or {"sides": {}})["sides"]
    sheets = [sheet_of(side, unit, built.get(unit["model"])) for side, unit in sides.items()]
    asked_at = ((question_of(found) or {}).get("facts") or {}).get("hex", "")
    board = _board(arena.value, game, mine, desk, before, asked_at) if arena.value else None
    return Scene(found, board, arena.value, sheets, arena.trouble)


def _board(
    arena: Json, game: Json | None, mine: str, desk: Desk | None, before: Json | None, asked_at: str
) -> Board:
    offered = (desk.options.get("movement") if desk else None) or {}
    there = desk.draft.goal[1] if desk else asked_at
    return draw(arena, game, mine=mine, reach=offered.get("modes"), chosen=there, before=before)


def ways_of(desk: Desk | None) -> list[Json]:
    """Facings in which the chosen hex can be reached, each with its MP; a jump may land with any."""
    if desk is None or "movement" not in desk.options:
        return []
    mode, there = desk.draft.goal
    ways = arrivals(desk.options["movement"], mode, there)
    if mode == "jump" and ways:
        return [{"facing": facing, "mp": ways[0]["mp"]} for facing in range(1, 7)]
    return sorted(ways, key=lambda way: way["facing"])


def question_of(found: Json) -> Json | None:
    """The private question, if there is one."""
    you = found["you"]
    return you["question"] if you else None
