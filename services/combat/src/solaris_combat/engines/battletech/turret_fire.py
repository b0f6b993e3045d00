"""Turrets fire in the weapon phase: by themselves, all around, at the nearest unit they can hit (A).

A turret shoots like a 'Mech that stands still where it is, one level high, with the turret's gunnery.
Source: A, turrets; A, FAQ 3 to 5.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events, turrets
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hex import Hex, direction, distance
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mech import Location, WeaponMount
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import fire
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber, to_hit_number
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.frozen import replace

LOW = turrets.LEVELS < 2
"""One level high it sees like a 'Mech that lies (los.yaml)."""


def fire_turrets(play: Play, declared: State) -> None:
    """Every turret with a salvo left fires, by where the units stood when fire was declared."""
    for index, turret in sorted(declared.ground.turrets.items()):
        if turret.salvoes is None or turret.salvoes > 0:
            _fire(play, declared, declared.board.hex_at(index), WEAPONS[turrets.weapon_of(turret.kind)])


def turret_number(state: State, where: Hex, target: str, weapon: Weapon) -> TargetNumber:
    """What a turret in a hex needs to hit a unit."""
    unit = state.units[target]
    los = line_of_sight(state.board, where, unit.hex, LOW, unit.prone)
    mount = WeaponMount("turret", weapon.key, Location.HD, rear=False)
    return to_hit_number(_gunner(where, unit), unit, mount, weapon, state.board, los)


def _gunner(where: Hex, target: Unit) -> Unit:
    """The turret as something that fires: it stands still and looks at its target."""
    plain = replace(target.design, targeting_computer=False)
    gunner = fresh_unit("", plain, turrets.GUNNERY)
    return replace(gunner, position=where, facing=direction(where, target.hex))


def _fire(play: Play, declared: State, where: Hex, weapon: Weapon) -> None:
    numbers = {
        side: turret_number(declared, where, side, weapon)
        for side in declared.active
        if declared.units[side].hex != where
    }
    able = {side: distance(where, declared.units[side].hex) for side in numbers if numbers[side].possible}
    nearest = turrets.nearest(able)
    if not nearest:
        return
    lot = (play.dice.roll(1, len(nearest), "target of a turret"),) if len(nearest) > 1 else ()
    target = nearest[lot[0].total - 1 if lot else 0]
    number = numbers[target]
    result = fire(number, weapon, play.dice, ruleset().rules)
    play.emit(
        ground_events.TurretFired(
            turn=play.turn,
            hex=str(where),
            target=target,
            name=weapon.key,
            distance=able[target],
            struck_side=number.side,
            table=number.table,
            number=number.value,
            modifiers=items(number.modifiers),
            hit=result.hit,
            automatic=result.automatic,
            missiles=result.missiles,
            groups=result.groups,
            rolls=(*lot, *result.rolls),
        )
    )
    for points in result.groups:
        hit = locate(number.side, number.table, play.dice, ruleset().rules)
        unit = play.unit(target)
        submerged = submerged_locations(unit, play.board.depths[play.board.index(unit.hex)])
        go_through(play, take_hit(unit, hit, points, play.dice, submerged))
