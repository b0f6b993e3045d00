"""Shots at hexes that a side may order: what each weapon needs against what stands or grows around it.

Every weapon may also be fired into the air or at the ground anywhere, which hits nothing (C-37). Hexes with
nothing to shoot at are named where the next round of a weapon sets fire to bare ground (Inferno).
Source: D, fires, clearing woods and mines; A, FAQ 22 to 24; C-36, C-37.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.declaration import (
    HexLine,
    declare,
    hex_line,
    number_at_hex,
    weapon_fired,
)
from solaris_combat.engines.battletech.ground_target import hex_intents, no_use, with_inferno
from solaris_combat.engines.battletech.hex import Hex, bearing, distance
from solaris_combat.engines.battletech.mech import WeaponMount
from solaris_combat.engines.battletech.orders import Shot
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import bears, cannot_fire, impossible
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.weapons import WEAPONS

Json = dict[str, Any]
IGNITE = "ignite"


class SeenHex(NamedTuple):
    """A hex in sight: what shots can do to it, how far it is and in which direction, and the line to it."""

    place: Hex
    intents: tuple[str, ...]
    span: int
    bearing: int
    line: HexLine


def ground_in_sight(state: State, side: str) -> tuple[SeenHex, ...]:
    """Hexes within range and in sight that shots can do something to; none for a unit that cannot act."""
    unit = state.units[side]
    if unit.shutdown or not unit.conscious:
        return ()
    longest = max((WEAPONS[mount.weapon].long for mount in unit.design.mounts), default=0)
    spans = ((place, intents, distance(unit.hex, place)) for place, intents in _intents(state, unit))
    near = (
        SeenHex(place, intents, span, bearing(unit.hex, place), hex_line(state, unit, place))
        for place, intents, span in spans
        if 0 < span <= longest
    )
    return tuple(one for one in near if one.line.los.possible)


def _intents(state: State, unit: Unit) -> Iterable[tuple[Hex, tuple[str, ...]]]:
    """Hexes with something to shoot at, and all it can be; every hex of the board for who has Inferno."""
    every: dict[Hex, tuple[str, ...]] = {}
    for place, intents in hex_intents(state):
        every[place] = every.get(place, ()) + intents
    if any(map(with_inferno, unit.belts.values())):
        burning = {place: (IGNITE, *(i for i in intents if i != IGNITE)) for place, intents in every.items()}
        every = dict.fromkeys(state.board.hexes(), (IGNITE,)) | burning
    return every.items()


def shots_at_ground(state: State, side: str, mount: WeaponMount, seen: Iterable[SeenHex]) -> Iterator[Json]:
    """What a weapon needs against each hex in its arc, as it is fed by the first bin that serves."""
    unit = state.units[side]
    if cannot_fire(unit, mount):
        return
    usual = declare(unit, Shot(mount.id, ""), dict(unit.belts))
    weapon = weapon_fired(unit, usual)
    for one in seen:
        if one.span > weapon.long or not bears(unit, mount, one.bearing):
            continue
        able = [i for i in one.intents if not no_use(state, one.place, weapon, i, usual.salvos)]
        number = number_at_hex(unit, mount, weapon, one.line) if able else impossible("of no use there")
        if number.possible:
            where = str(one.place)
            yield from ({"hex": where, "intent": intent, "number": number.value} for intent in able)
