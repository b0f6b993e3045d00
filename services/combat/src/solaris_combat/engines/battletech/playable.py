"""Can a fight be played with a design? What the engine does not play is named, with the reason.

Source: head of tables/weapons.toml and tables/equipment.toml, key `not_played`.
"""

from __future__ import annotations

from collections.abc import Iterator

from solaris_combat.engines.battletech.assembly import plain
from solaris_combat.engines.battletech.equipment import EQUIPMENT, Equipment
from solaris_combat.engines.battletech.record_sheet import RecordSheet
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS, Ammunition, Weapon


def not_played(sheet: RecordSheet) -> tuple[str, ...]:
    """Why fights refuse a design: "NAME: reason" of each kind of thing it carries; empty if they do not."""
    return tuple(dict.fromkeys(_reasons(sheet)))


def _reasons(sheet: RecordSheet) -> Iterator[str]:
    for entries in sheet.slots.values():
        for entry in entries:
            thing = _thing(entry)
            if thing is not None and thing.not_played:
                yield f"{thing.name}: {thing.not_played}"


def _thing(entry: str) -> Weapon | Ammunition | Equipment | None:
    """The weapon, ammunition or equipment of an entry; None for a system or a free slot."""
    if entry.startswith("ammo "):
        return AMMUNITION.get(entry.removeprefix("ammo ").removesuffix(" half"))
    return WEAPONS.get(plain(entry)) or EQUIPMENT.get(entry)
