"""What the engine does not play, with its reasons: from the tables and docs/rules/not-built.md."""

import re
from collections.abc import Iterator
from pathlib import Path

from solaris_combat.engines.battletech.equipment import EQUIPMENT
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import TERRAINS
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS

NOT_BUILT = "docs/rules/not-built.md"
PARTS = ("duel", "arenas")
HEAD = """
## Not supported

Refused by name when a fight is set up, a file is read or orders are checked. The first rows are those of
[not-built.md](../not-built.md) that concern fights, the others stand in the tables of the engine.

| what | reason | where it is refused |
| --- | --- | --- |
"""
_ROW = re.compile(r"^\| (?P<part>\w+) \| (?P<what>.+?) \| (?P<instead>.+?) \|$", re.MULTILINE)

Row = tuple[str, str, str]


def unsupported(checkout: Path) -> str:
    """The section as Markdown."""
    rows = [*_told(checkout), *_carried(), *_ground(), *_files()]
    return HEAD + "\n".join(f"| {what} | {why} | {where} |" for what, why, where in rows) + "\n"


def _told(checkout: Path) -> Iterator[Row]:
    for row in _ROW.finditer((checkout / NOT_BUILT).read_text(encoding="utf-8")):
        if row["part"] in PARTS:
            yield row["what"], row["instead"], row["part"]


def _carried() -> Iterator[Row]:
    """Weapons, ammunition and equipment of the catalogue's tables that fights refuse."""
    for things in (WEAPONS, AMMUNITION, EQUIPMENT):
        for thing in things.values():
            if thing.not_played:
                yield thing.name, thing.not_played, "set-up of a fight"


def _ground() -> Iterator[Row]:
    for terrain in TERRAINS.values():
        if not terrain.fights:
            yield f"terrain `{terrain.key}`", "not every rule of a fight is built on it", "arenas"
    for code, reason in table("terrain_codes")["refused"].items():
        yield f"terrain code `{code}`", reason, "`solaris board import`"


def _files() -> Iterator[Row]:
    for reason, names in table("mtf_names")["refused"].items():
        what = f"{reason}: {len(names)} spellings such as `{names[0]}`"
        yield what, "not in the league's set", "`solaris mech import`"
