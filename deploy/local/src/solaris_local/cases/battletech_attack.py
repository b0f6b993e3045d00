"""Cases of fire and what it does: to hit, cluster, location, damage, explosions, heat, falls, attacks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

from solaris_combat.engines.battletech import cluster_hits, damage, heat, hit_location, mobility, pilot
from solaris_combat.engines.battletech.arcs import Arc, attack_side, in_arc
from solaris_combat.engines.battletech.board import Board, board_of
from solaris_combat.engines.battletech.falling import fall
from solaris_combat.engines.battletech.hex import Hex, distance, neighbour, turned
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mech import WeaponMount
from solaris_combat.engines.battletech.shooting import fire, heat_of, rounds_of
from solaris_combat.engines.battletech.to_hit import (
    Aim,
    TargetNumber,
    heat_modifier,
    in_weapon_arc,
    target_rank,
    to_hit_number,
)
from solaris_combat.engines.battletech.unit import Moved, Unit, immobile
from solaris_combat.engines.battletech.weapons import ARTILLERY, Weapon
from solaris_combat.engines.dice import Roll, ScriptedDice
from solaris_local.cases import agreement
from solaris_local.cases.agreement import NotBuilt
from solaris_local.cases.battletech_geometry import board_of_case, sight_of_case
from solaris_local.cases.battletech_units import (
    damaged,
    dice_of,
    location_of,
    name_of,
    state_of,
    unit_of,
    with_criticals,
)
from solaris_local.cases.battletech_weapons import (
    cluster_bonus,
    fired_so,
    is_harmless,
    missed,
    weapon_of,
)

Row = Mapping[str, Any]
Pair = tuple[Any, Any]


def roll(number: TargetNumber) -> Row:
    if not number.possible:
        return {"possible": False, "reason": number.reason}
    return {
        "possible": True,
        "value": number.value,
        "modifiers": [[modifier.value, modifier.reason] for modifier in number.modifiers],
        "side": number.side,
        "table": number.table,
    }


def placed(row: Row, side: str) -> Unit:
    """A unit of a scenario on its hex, with what it did this turn."""
    facts = {**row["unit"], **{key: row[key] for key in ("gunnery", "piloting") if key in row}}
    unit = replace(
        unit_of(facts, side),
        position=Hex.parse(row["hex"]),
        facing=row["facing"],
        twist=row.get("twist", 0),
        moved=Moved(row["move"], row["hexes"], row.get("mp_used", 0)),
        heat=row.get("heat", 0),
        prone=row.get("prone", False),
        shutdown=row.get("shutdown", False),
        conscious=not row.get("unconscious", False),
    )
    return with_criticals(unit, row.get("damage", {}).get("criticals", ()))


class Scenario(NamedTuple):
    """Everything a number to hit is asked with, but for the line between both."""

    attacker: Unit
    target: Unit
    mount: WeaponMount
    weapon: Weapon
    board: Board
    rank: str
    aim: Aim | None


def scenario(row: Row) -> Scenario:
    """The units, weapon and board of a row."""
    given = row["input"]
    facts = given["attacker"]["unit"]
    attacker, target = placed(given["attacker"], "A"), placed(given["target"], "B")
    weapon_row = facts["weapons"][0]
    return Scenario(
        attacker,
        target,
        WeaponMount("weapon", "", location_of(weapon_row["location"]), weapon_row["rear"]),
        weapon_of(weapon_row, _ammo(given, weapon_row)),
        board_of_case(given["board"]),
        _ranked(given, attacker, target).get("rank", ""),
        _aim(given["aim"]) if "aim" in given else None,
    )


def _tohit(row: Row) -> Pair:
    given = row["input"]
    attacker, target, mount, weapon, board, rank, aim = scenario(row)
    los = line_of_sight(board, attacker.hex, target.hex, attacker.prone, target.prone)
    number = to_hit_number(attacker, target, mount, weapon, board, los, secondary=rank, aim=aim)
    got = {
        "distance": distance(attacker.hex, target.hex),
        "in_arc": in_weapon_arc(attacker, mount, target.hex),
        "attack_side": str(attack_side(target.hex, target.facing, attacker.hex)),
        "attacker_walk_mp": mobility.walk_mp(attacker),
        "attacker_run_mp": mobility.run_mp(attacker),
        "target_immobile": immobile(target),
        "los": sight_of_case(board, given["attacker"], given["target"]),
        "to_hit": roll(number),
        **_ranked(given, attacker, target),
    }
    return agreement.pair(agreement.tohit, got, row["result"])


def _aim(aim: Row) -> Aim:
    return Aim(location_of(aim["location"]), aim["mode"] == "targeting_computer")


def _ammo(given: Row, weapon_row: Row) -> str:
    """Name of the ammunition fired: the choice of the row, else the first."""
    names = weapon_row["ammo"]
    return names[given.get("ammo_choice", 0)] if names else ""


def _ranked(given: Row, attacker: Unit, target: Unit) -> dict[str, Any]:
    """Rank of the target where another one was declared before, and which of both lie in the front arc."""
    if "other_target" not in given:
        return {}
    other = Hex.parse(given["other_target"]["hex"])
    facing = turned(attacker.facing, attacker.twist)
    return {
        "rank": target_rank(attacker, (other, target.position), target.position),
        "other_in_front_arc": in_arc(Arc.FORWARD, attacker.position, facing, other),
        "target_in_front_arc": in_arc(Arc.FORWARD, attacker.position, facing, target.position),
    }


def _cluster(row: Row) -> Pair:
    got = {"hits": cluster_hits.hits(row["size"], row["roll"])}
    return agreement.pair(agreement.cluster, got, row)


def _hit_location(row: Row) -> Pair:
    roll = row["roll"]
    faces = (min(roll - 1, 6), roll - min(roll - 1, 6)) if row["table"] == "normal" else (roll,)
    hit = hit_location.locate(row["side"], row["table"], ScriptedDice(faces))
    got = {
        "location": name_of(hit.location, row["mech"] == "quad"),
        "rear_armor": hit.rear,
        "possible_critical": hit.critical,
    }
    return agreement.pair(agreement.hit_location, got, row)


def _struck(unit: Unit, hit: Row) -> Unit:
    """One hit of a row on a unit."""
    where = HitLocation(location_of(hit["location"]), hit["rear"], hit.get("location_roll_was_2", False), ())
    return damage.take_hit(unit, where, hit["damage"], dice_of(hit["dice"])).unit


def _damage(row: Row) -> Pair:
    unit = unit_of(row["unit"])
    after = []
    for hit in row["hits"]:
        unit = _struck(unit, hit)
        after.append({"after": state_of(unit)})
    return agreement.pair(agreement.damage, {"hits": after}, row)


def _explosion(row: Row) -> Pair:
    before = row["before"]
    unit = damaged(unit_of(row["unit"], ammo=row["ammo"]), before["armor_structure_rear"])
    unit = replace(unit, pilot_hits=before["pilot_hits"])
    steps = []
    for step in row["steps"]:
        wounds = unit.pilot_hits
        unit = _struck(unit, step) if step["kind"] == "hit" else _heated(unit, step)
        numbers = [pilot.consciousness_number(n) for n in range(wounds + 1, unit.pilot_hits + 1)]
        steps.append({"after": state_of(unit), "consciousness_numbers": numbers})
    return agreement.pair(agreement.explosion, {"steps": steps}, row)


def _heated(unit: Unit, step: Row) -> Unit:
    """The ammunition roll of the heat phase, and the explosion if it fails."""
    dice = dice_of(step["dice"])
    hot = replace(unit, heat=step["heat"])
    check = heat.check_ammunition(hot, dice)
    return hot if check is None or check.success else heat.explode_by_heat(hot, dice).unit


def _heat(row: Row) -> Pair:
    given = row["input"]
    engine = [["CT", "engine"]] * given["engine_hits"]
    unit = replace(
        with_criticals(unit_of(given["unit"]), engine),
        heat=given["heat_before"],
        heat_built=given["heat_built_up_this_turn"],
        prone=given["prone"],
        shutdown=given["shut_down_before"],
    )
    dice = dice_of(row["result"]["dice"])
    depth = int(given["hex"].partition(":")[2] or 0)
    unit = heat.apply_heat(unit, heat.settle_heat(unit, heat.engine_heat(unit), depth))
    reactor = heat.check_reactor(unit, dice)
    unit = unit if reactor is None else heat.apply_reactor(unit, reactor)
    ammunition = heat.check_ammunition(unit, dice)
    got = {
        "heat_after": unit.heat,
        "shut_down_after": unit.shutdown,
        "fire_modifier_after": getattr(heat_modifier(unit.heat), "value", 0),
        "walk_mp_after": mobility.walk_mp(unit),
        "ammunition_explodes": ammunition is not None and not ammunition.success,
    }
    return agreement.pair(agreement.heat, got, row["result"])


_SPREAD = ((3, 4), (4, 4), (3, 3), (5, 4), (2, 3), (5, 5), (2, 2))
"""Locations one after the other: what is lost by a whole location would hide the sum."""


@dataclass(slots=True)
class _MildDice:
    """Dice of the falls, whose rows list none: no critical hits, and the groups all over the 'Mech."""

    _located: Iterator[tuple[int, int]] = field(default_factory=lambda: cycle(_SPREAD))

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        faces = next(self._located) if purpose == "hit location" else (1,) * count
        return Roll(purpose, sides, faces)


def _fall(row: Row) -> Pair:
    given = row["input"]
    unit = replace(unit_of(given["unit"]), position=Hex(1, 1))
    depth = int(given["hex"].partition(":")[2] or 0)
    fallen = fall(unit, given["levels_fallen_to_hex_floor"], depth, _MildDice()).unit
    got = {"damage_sum": _points(unit) - _points(fallen), "prone": fallen.prone}
    return agreement.pair(agreement.fall, got, row["result"])


def _points(unit: Unit) -> int:
    return sum(map(sum, unit.armor.values())) + sum(unit.structure.values())


def _attack(row: Row) -> Pair:
    given, result = row["input"], row["result"]
    weapon_row = given["attacker_unit"]["weapons"][0]
    ammo = given.get("ammo") or (weapon_row["ammo"][0] if weapon_row["ammo"] else "")
    attacker, target = _opposed(given)
    target = damaged(target, given["target_before"])
    mount = WeaponMount("weapon", "", location_of(weapon_row["location"]), weapon_row["rear"])
    if weapon_row["rear"]:
        attacker = replace(attacker, facing=turned(attacker.facing, 3))
    weapon, way = fired_so(weapon_of(weapon_row, ammo), given.get("mode", ""), given["distance"])
    hurts = weapon_row["damage"] and not is_harmless(ammo) and weapon.kind not in ("beacon", ARTILLERY)
    if hurts and not weapon.damage:
        raise NotBuilt(weapon.name)
    board = _clear_map()
    los = line_of_sight(board, attacker.position, target.position)
    number = to_hit_number(attacker, target, mount, weapon, board, los)
    dice = dice_of(result["dice"])
    bonus = cluster_bonus(weapon, ammo)
    shot = fire(number, weapon, dice, cluster_bonus=bonus, mode=way.mode) if number.possible else missed()
    for points in shot.groups:
        where = hit_location.locate(number.side, number.table, dice)
        target = damage.take_hit(target, where, points, dice).unit
    spent = {"attacker_heat_built_up": heat_of(weapon, way.mode) if shot.spent else 0}
    if "shots_before" in given:
        rounds = way.rounds * rounds_of(way.mode) if shot.spent else 0
        spent["shots_after"] = given["shots_before"] - rounds
    got = {"to_hit": roll(number), "target_after": state_of(target), **spent}
    return agreement.pair(agreement.attack, got, result)


@cache
def _clear_map() -> Board:
    return board_of(49, 49, {})


def _opposed(given: Row) -> tuple[Unit, Unit]:
    """Attacker and target on a clear map at the distance and side of the row, the attacker facing it."""
    where, facing = Hex(25, 25), given["target_facing"]
    for way in range(6):
        place = where
        for _ in range(given["distance"]):
            place = neighbour(place, way)
        if attack_side(where, facing, place) == given["attack_side"]:
            attacker = replace(unit_of(given["attacker_unit"]), position=place, facing=turned(way, 3))
            target = replace(unit_of(given["target_unit"], "B"), position=where, facing=facing)
            return attacker, target
    raise NotBuilt(f"no place for side {given['attack_side']}")


KINDS = {
    "tohit": _tohit,
    "cluster": _cluster,
    "hit_location": _hit_location,
    "damage": _damage,
    "explosion": _explosion,
    "heat": _heat,
    "fall": _fall,
    "attack": _attack,
}
