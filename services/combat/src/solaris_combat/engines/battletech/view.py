"""The fight as somebody may see it, built up from what has been resolved.

The state holds nothing that is sealed, so nothing sealed can get out: a view is the same for both sides and
for a spectator but for `you` and `own`, what a side keeps to itself. Hexes are printed numbers and facings
1..6, as in the events.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.hex import league_facing
from solaris_combat.engines.battletech.mech import Gear, Location, ammo_bin, mount
from solaris_combat.engines.battletech.movement import allowance
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit, bin_usable, gear_works, slot_at, weapon_working
from solaris_combat.engines.battletech.victory import points_lost, weight_class
from solaris_combat.engines.battletech.view_ground import ground_view
from solaris_combat.engines.battletech.weapons import WEAPONS

Json = dict[str, Any]


def view(state: State, viewer: str | None) -> Json:
    """The fight as `viewer` sees it; None is a spectator."""
    return {
        "ruleset": state.terms.ruleset,
        "class": state.terms.fight_class,
        "arena": state.terms.arena,
        "turns": state.turns,
        "turn": state.turn,
        "request": None if state.wanted is None else {"turn": state.wanted.turn, "kind": state.wanted.kind},
        "you": viewer,
        "sides": {side: side_view(state, side) for side in state.units},
        "ground": ground_view(state.ground),
        "limbs": {where: count for where, count in sorted(state.limbs.items()) if count},
        "ended": None if state.ended is None else _ended(state),
        "own": _own(state, viewer),
    }


def _own(state: State, viewer: str | None) -> Json | None:
    """What only the viewer's side knows: which of its anti-missile systems are on, and at what they aim."""
    if viewer is None:
        return None
    return {"ams": [{"ams": one.ams, "launcher": one.launcher} for one in state.ams.get(viewer, ())]}


def _ended(state: State) -> Json:
    assert state.ended is not None
    return {
        "turn": state.ended.turn,
        "by": state.ended.ended_by,
        "results": dict(state.ended.results),
        "points": dict(state.ended.points),
    }


def side_view(state: State, side: str) -> Json:
    """One side: who, which 'Mech, where, and its record sheet as it stands."""
    unit = state.units[side]
    entry = next(e for e in state.terms.sides if e.side == side)
    return {
        "name": entry.name,
        "team": state.team(side),
        "model": entry.model,
        "tons": unit.design.tons,
        "weight_class": weight_class(ruleset().scoring, unit.design.tons),
        "victory_points": state.points(side),
        **_place(unit),
        **_condition(unit),
        "movement": _movement(unit),
        "moved": {"mode": unit.moved.mode, "hexes": unit.moved.hexes, "mp": unit.moved.mp},
        "locations": {str(location): _location(unit, location) for location in Location},
        "weapons": [_weapon(unit, mount.id) for mount in unit.design.mounts],
        "bins": [_bin(unit, ammo.id) for ammo in unit.design.bins],
        "gear": [_gear(unit, gear) for gear in unit.design.gear],
    }


def _movement(unit: Unit) -> Json:
    """MP as heat and damage leave them."""
    allowed = allowance(unit)
    return {"walk": allowed.walk, "run": allowed.run, "jump": allowed.jump}


def _place(unit: Unit) -> Json:
    return {
        "hex": None if unit.position is None else str(unit.position),
        "facing": league_facing(unit.facing),
        "twist": unit.twist,
    }


def _condition(unit: Unit) -> Json:
    return {
        "heat": unit.heat,
        "prone": unit.prone,
        "stuck": unit.stuck or None,
        "roof": unit.roof,
        "club": unit.club or None,
        "leg_hits": [
            {"location": str(at), "kind": slot_at(unit, at, slot).kind} for at, slot in unit.leg_hits
        ],
        "shutdown": unit.shutdown,
        "out": unit.destroyed,
        "beacons": sorted(unit.beacons),
        "points_lost": points_lost(unit),
        "pilot": {
            "gunnery": unit.gunnery,
            "piloting": unit.piloting,
            "wounds": unit.pilot_hits,
            "conscious": unit.conscious,
        },
    }


def _location(unit: Unit, location: Location) -> Json:
    front, rear = unit.armor[location]
    return {
        "armor": front,
        "rear": rear,
        "structure": unit.structure[location],
        "hits": [
            {"slot": number, "kind": slot_at(unit, location, number).kind}
            for place, number in sorted(unit.hits)
            if place == location
        ],
        "blown_off": location in unit.blown_off,
    }


def _weapon(unit: Unit, mount_id: str) -> Json:
    found = mount(unit.design, mount_id)
    weapon = WEAPONS[found.weapon]
    return {
        "id": found.id,
        "weapon": found.weapon,
        "heat": weapon.heat,
        "damage": weapon.damage,
        "rack": weapon.rack,
        "ranges": [weapon.minimum, weapon.short, weapon.medium, weapon.long],
        "location": str(found.location),
        "rear": found.rear,
        "works": weapon_working(unit, found.id) and found.id not in unit.jammed,
        "jammed": found.id in unit.jammed,
    }


def _gear(unit: Unit, gear: Gear) -> Json:
    facts = {"id": gear.id, "equipment": gear.key, "location": str(gear.location)}
    return facts | {"works": gear_works(unit, gear)}


def _bin(unit: Unit, bin_id: str) -> Json:
    found = ammo_bin(unit.design, bin_id)
    return {
        "id": found.id,
        "ammunition": found.ammunition,
        "location": str(found.location),
        "shots": len(unit.belts[found.id]),
        "belt": list(unit.belts[found.id]),
        "usable": bin_usable(unit, found.id),
    }
