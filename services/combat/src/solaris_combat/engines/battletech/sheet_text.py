"""A record sheet as text for people: one block a topic, plain characters, no wider than a page.

Names stand in the language asked for (tables/words.toml). Source: BMR record sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech.construction import half_tons
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.playable import not_played
from solaris_combat.engines.battletech.record_sheet import RecordSheet, structure_points
from solaris_combat.engines.battletech.tongue import Tongue

COLUMNS = ((Location.LA, Location.HD, Location.RA), (Location.LT, Location.CT, Location.RT))
WIDTH = 31
INDENT = " " * 12


def sheet_text(sheet: RecordSheet, listed: Mapping[str, object] | None = None, language: str = "es") -> str:
    """The whole sheet; `listed` adds price, Battle Value and affiliation."""
    t = Tongue(language)
    return "\n".join([*_facts(t, sheet, listed or {}), "", *_armor(t, sheet), "", *_slots(t, sheet)]) + "\n"


def _facts(t: Tongue, sheet: RecordSheet, listed: Mapping[str, object]) -> Iterator[str]:
    yield f"{sheet.name} {sheet.model}".strip()
    kind = t.word("sheet.quad" if sheet.quad else "sheet.biped")
    weight, year = f"{half_tons(sheet) / 2:g}", f", {sheet.year}" * bool(sheet.year)
    yield t.word("sheet.tons").format(tons=sheet.tons, kind=kind, weight=weight, year=year)
    run = (sheet.walk * 3 + 1) // 2
    yield t.word("sheet.movement").format(walk=sheet.walk, run=run, jump=sheet.jump)
    yield t.word("sheet.engine").format(
        engine=t.word(f"sheet.{sheet.engine}"),
        rating=sheet.engine_rating,
        sinks=sheet.heat_sinks,
        kind=t.word("sheet.double" if sheet.double_heat_sinks else "sheet.single"),
    )
    yield t.word("sheet.frame").format(frame=_made(t, sheet.frame), plating=_made(t, sheet.plating))
    if listed:
        houses, price = ", ".join(listed["affiliation"]), t.money(listed["price"])  # type: ignore[arg-type]
        yield t.word("sheet.listed").format(price=price, value=listed["battle_value"], houses=houses)
    refused = not_played(sheet)
    yield t.word("sheet.fights") + t.word("sheet.refused" if refused else "sheet.playable")
    yield from (f"{INDENT}{reason}" for reason in refused)


def _made(t: Tongue, material: str) -> str:
    return t.word("sheet.standard") if material == "standard" else named(t, material)


def _armor(t: Tongue, sheet: RecordSheet) -> Iterator[str]:
    head = [t.word(f"sheet.{name}") for name in ("armor", "rear", "structure")]
    yield "".join([" " * 20, *(f"{name:>12}" for name in head)])
    for location, points in structure_points(sheet.tons, sheet.quad).items():
        front, rear = sheet.armor[location]
        yield f"{location:2}  {t.word(f'at.{location}'):16}{front:12}{rear or '-':>12}{points:12}"


def _slots(t: Tongue, sheet: RecordSheet) -> Iterator[str]:
    for row in (*COLUMNS, (Location.LL, None, Location.RL)):
        lists = [_column(t, sheet, location) for location in row]
        for number in range(max(map(len, lists))):
            cells = [part[number] if number < len(part) else "" for part in lists]
            yield "  ".join(cell.ljust(WIDTH) for cell in cells).rstrip()
        yield ""


def _column(t: Tongue, sheet: RecordSheet, location: Location | None) -> list[str]:
    if location is None:
        return []
    entries = (named(t, entry) for entry in sheet.slots[location])
    return [f"[{location}]", *(f"{number:2} {entry}" for number, entry in enumerate(entries, 1))]


def named(t: Tongue, entry: str) -> str:
    """What a slot holds, as people call it."""
    if entry == "empty":
        return "-"
    key = entry.removeprefix("ammo ").removesuffix(" rear").removesuffix(" half")
    slot = f"slot.{key.replace('-', '_')}"
    name = t.word(slot) if t.knows(slot) else t.word(key)
    name = f"{t.word('slot.ammo')} {name}" if entry.startswith("ammo ") else name
    added = {" rear": "sheet.points_rear", " half": "sheet.half"}
    return name + "".join(f" ({t.word(word)})" for end, word in added.items() if entry.endswith(end))
