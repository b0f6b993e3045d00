"""A record sheet as text for people: one block a topic, plain characters, no wider than a page.

Source: BMR record sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech.construction import half_tons
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.playable import not_played
from solaris_combat.engines.battletech.record_sheet import RecordSheet, structure_points

COLUMNS = ((Location.LA, Location.HD, Location.RA), (Location.LT, Location.CT, Location.RT))
WIDTH = 26


def sheet_text(sheet: RecordSheet, listed: Mapping[str, object] | None = None) -> str:
    """The whole sheet; `listed` adds price, Battle Value and affiliation."""
    return "\n".join([*_facts(sheet, listed or {}), "", *_armor(sheet), "", *_slots(sheet)]) + "\n"


def _facts(sheet: RecordSheet, listed: Mapping[str, object]) -> Iterator[str]:
    kind = "four-legged 'Mech" if sheet.quad else "'Mech"
    yield f"{sheet.name} {sheet.model}".strip()
    yield f"{sheet.tons} tons, {kind}, weighs {half_tons(sheet) / 2:g}" + (
        f", {sheet.year}" * bool(sheet.year)
    )
    yield f"Movement  walk {sheet.walk}, run {(sheet.walk * 3 + 1) // 2}, jump {sheet.jump}"
    sinks = "double" if sheet.double_heat_sinks else "single"
    yield f"Engine    {sheet.engine} {sheet.engine_rating}; {sheet.heat_sinks} {sinks} heat sinks"
    yield f"Frame     structure {sheet.frame}, armour {sheet.plating}"
    if listed:
        houses = ", ".join(listed["affiliation"])  # type: ignore[arg-type]
        yield f"League    {listed['price']} C-bills, Battle Value {listed['battle_value']}, {houses}"
    refused = not_played(sheet)
    yield "Fights    " + ("can be played" if not refused else "refuse it")
    yield from (f"          {reason}" for reason in refused)


def _armor(sheet: RecordSheet) -> Iterator[str]:
    yield "Location  armour  rear  structure"
    for location, points in structure_points(sheet.tons, sheet.quad).items():
        front, rear = sheet.armor[location]
        yield f"{location:8}  {front:6}  {rear or '-':>4}  {points:9}"


def _slots(sheet: RecordSheet) -> Iterator[str]:
    for row in (*COLUMNS, (Location.LL, None, Location.RL)):
        lists = [_column(sheet, location) for location in row]
        for number in range(max(map(len, lists))):
            cells = [part[number] if number < len(part) else "" for part in lists]
            yield "  ".join(cell.ljust(WIDTH) for cell in cells).rstrip()
        yield ""


def _column(sheet: RecordSheet, location: Location | None) -> list[str]:
    if location is None:
        return []
    entries = [("-" if entry == "empty" else entry) for entry in sheet.slots[location]]
    return [f"[{location}]", *(f"{number:2} {entry}" for number, entry in enumerate(entries, 1))]
