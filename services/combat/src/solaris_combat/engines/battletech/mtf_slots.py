"""The slots of an MTF file as entries of a record sheet, with weapons joined that lie in two locations.

Source: mtf-format.md section 3.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.assembly import INNER, plain
from solaris_combat.engines.battletech.mech import ARMS, LEGS, Location
from solaris_combat.engines.battletech.mtf_lines import LOCATIONS, Lines
from solaris_combat.engines.battletech.mtf_names import entry_of
from solaris_combat.engines.battletech.record_sheet import DesignRefused, padded, slot_count
from solaris_combat.engines.battletech.weapons import WEAPONS

_SINKS = {False: "heat-sink", True: "double-heat-sink"}
_MOST_LINES = 32
"""Lines of the longest list of a location (mtf-format.md: up to 21 are seen)."""


def slots_of(lines: Lines, header: dict[str, Any]) -> dict[Location, tuple[str, ...]]:
    """Every slot of every location; DesignRefused names what is unknown, not played or missing."""
    slots = {at: _location(lines, heading, at, header) for heading, at in _wanted(lines, header["quad"])}
    if missing := [str(at) for at in Location if at not in slots]:
        raise DesignRefused(f"no slots of {', '.join(missing)}")
    joined: set[_Place] = set()
    for location in (*LEGS, *ARMS, Location.LT, Location.RT):
        _join(slots, location, joined)
    return {at: padded(at, slots[at], header["quad"]) for at in Location}


def _wanted(lines: Lines, quad: bool) -> list[tuple[str, Location]]:
    for heading in lines.headings:
        four = heading.startswith(("front", "rear"))
        limb = "arm" in heading or "leg" in heading
        if heading not in LOCATIONS or (limb and four != quad):
            raise DesignRefused(f"a location of another kind of 'Mech: {heading}")
    return [(heading, LOCATIONS[heading]) for heading in lines.headings]


def _location(lines: Lines, heading: str, location: Location, header: dict[str, Any]) -> list[str]:
    texts = lines.headings[heading]
    if len(texts) > _MOST_LINES:
        raise DesignRefused(f"{len(texts)} slots in {heading}")
    size = slot_count(location, header["quad"])
    more = [text for text in texts[size:] if text.lower() != "-empty-"]
    lines.ignored += [f"{heading}: a slot past the last one" for _ in more]
    return [_entry(text, header["double_heat_sinks"]) for text in texts[:size]]


def _entry(text: str, double: bool) -> str:
    entry = entry_of(text)
    if entry in _SINKS.values():
        if entry != _SINKS[double]:
            raise DesignRefused("single and double heat sinks are mixed")
        return "heat-sink"
    if entry != plain(entry) and plain(entry) not in WEAPONS:
        raise DesignRefused(f"only weapons point backwards or are split: {text}")
    return entry


_Place = tuple[Location, int]


def _join(slots: dict[Location, list[str]], location: Location, joined: set[_Place]) -> None:
    """Mark both parts of the weapons of a location that go on in the next inner one."""
    for whole in dict.fromkeys(entry.removesuffix(" split") for entry in slots[location]):
        weapon = WEAPONS.get(plain(whole))
        if weapon is not None and weapon.splits:
            outer, inner = (_places(slots, at, whole, joined) for at in (location, INNER[location]))
            _join_one(slots, whole, weapon.slots, outer, inner, joined)


def _places(slots: dict[Location, list[str]], at: Location, whole: str, joined: set[_Place]) -> list[_Place]:
    found = [(at, n) for n, entry in enumerate(slots[at]) if entry in (whole, f"{whole} split")]
    return [place for place in found if place not in joined]


def _join_one(
    slots: dict[Location, list[str]],
    whole: str,
    size: int,
    outer: list[_Place],
    inner: list[_Place],
    joined: set[_Place],
) -> None:
    """Mark the last slots here that do not make a weapon, and the first of the rest further in."""
    marked = [(at, n) for at, n in outer if slots[at][n].endswith(" split")]
    over = (marked or outer[len(outer) - len(outer) % size :]) if len(outer) % size else []
    needed = -len(over) % size
    if over and len(inner) >= needed:
        for at, n in (*over, *inner[:needed]):
            slots[at][n] = f"{whole} split"
            joined.add((at, n))
