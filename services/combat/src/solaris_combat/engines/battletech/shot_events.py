"""The event of a shot: at a unit, at a hex or into the air, before and after it is rolled for.

Source: BMR weapon attacks; D, fires; C-37.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.mech import mount
from solaris_combat.engines.battletech.shooting import Shot, heat_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

NO_NUMBER = TargetNumber(False)
"""For what nothing is rolled for."""


def shot_event(
    declared: State, side: str, shot: events.DeclaredShot, number: TargetNumber = NO_NUMBER
) -> events.ShotResolved:
    """The event of a shot that is not rolled for yet; which side and table are struck only a unit has."""
    attacker = declared.units[side]
    return events.ShotResolved(
        turn=declared.turn,
        side=side,
        target=shot.target,
        weapon=shot.weapon,
        name=mount(attacker.design, shot.weapon).weapon,
        bin=shot.bin,
        distance=distance(attacker.hex, _aimed_at(declared, attacker.hex, shot)),
        struck_side=number.side if shot.target else "",
        table=number.table if shot.target else "",
        number=number.value if number.possible else None,
        modifiers=items(number.modifiers),
        impossible=number.reason,
        aim=shot.aim,
        salvos=shot.salvos,
        mode=shot.mode,
        hex=shot.hex,
        intent=shot.intent,
        computer=shot.computer,
        spotter=shot.spotter,
    )


def _aimed_at(declared: State, here: Hex, shot: events.DeclaredShot) -> Hex:
    if shot.target:
        return declared.units[shot.target].hex
    return Hex.parse(shot.hex) if shot.hex else here


def resolved(
    event: events.ShotResolved, result: Shot, weapon: Weapon, guided: str = ""
) -> events.ShotResolved:
    """The event of a shot with how it came out."""
    return replace(
        event,
        hit=result.hit,
        automatic=result.automatic,
        missiles=result.missiles,
        groups=result.groups,
        spent=result.spent,
        heat=heat_of(weapon, event.mode) if result.spent else 0,
        target_heat=result.target_heat,
        guide=guided if result.hit else "",
        rolls=result.rolls,
    )
