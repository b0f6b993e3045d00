"""Numbers to hit with weapons, itemised (BMR, attack modifiers; tables/to_hit.toml).

`to_hit_number` asks; it never rolls and remembers nothing. Each modifier is named once and the value is their
sum. All possible modifiers are made when the module is read, so asking only picks them.
Source: BMR attack modifiers; to_hit.yaml; R 4.5.5 (automatic hit and miss).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from solaris_combat.engines.battletech import line_of_sight as sight
from solaris_combat.engines.battletech.arcs import Arc, bearings_in, in_arc, side_struck
from solaris_combat.engines.battletech.board import Board, Cell
from solaris_combat.engines.battletech.hex import Hex, bearing, turned
from solaris_combat.engines.battletech.line_of_sight import LineOfSight
from solaris_combat.engines.battletech.mech import ARMS, LEGS, Location, WeaponMount
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.ray import ray_of_offset
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import (
    Unit,
    immobile,
    kinds_hit,
    legs,
    legs_lost,
    lost,
    mount_works,
    out_of_action,
    sensor_hits,
)
from solaris_combat.engines.battletech.weapons import ARTILLERY, Weapon

_TABLE = table("to_hit")


class TargetNumber(NamedTuple):
    """What an attack needs on 2D6: `value` is the sum of the modifiers.

    When it is not `possible`, `reason` says why and there is no value. `side` is the side struck, `table` the
    location table: "normal" or, in partial cover, "punch".
    """

    possible: bool
    value: int = 0
    modifiers: tuple[Modifier, ...] = ()
    reason: str = ""
    side: str = ""
    table: str = "normal"


_possible: Callable[[tuple[object, ...]], TargetNumber] = partial(tuple.__new__, TargetNumber)
"""The number with all its fields in order; at twice the speed of naming them."""


def _one(section: str, key: str, reason: str) -> Modifier | None:
    """The modifier of a table entry; None for 0, which is no modifier."""
    figures = _TABLE[section]
    return _made(figures[key], reason, figures["source"])


def _made(value: int, reason: str, rule: str) -> Modifier | None:
    return Modifier(value, reason, rule) if value else None


def _stairs(section: str, start: str, reason: str, up_to: int) -> tuple[Modifier | None, ...]:
    """Modifiers by number (heat, hexes) for a table of steps; the last entry holds from there on."""
    figures = _TABLE[section]
    steps = list(zip(figures[start], figures["modifier"], strict=True))
    values = [max(step for step in steps if step[0] <= number)[1] for number in range(up_to + 1)]
    return tuple(_made(value, reason, figures["source"]) for value in values)


GUNNERY = tuple(Modifier(skill, "gunnery skill", "BMR, weapon attacks") for skill in range(9))
SHORT = _one("range", "short", "short range")
MEDIUM = _one("range", "medium", "medium range")
LONG = _one("range", "long", "long range")
_TOO_FAR = Modifier(0, "out of range", "BMR, range")
_MINIMUM = _TABLE["minimum_range"]
MINIMUM_RANGE = tuple(
    Modifier(
        _MINIMUM["at_minimum"] + _MINIMUM["per_hex_closer"] * closer, "minimum range", _MINIMUM["source"]
    )
    for closer in range(10)
)
ATTACKER_MOVED = {
    "stand": _one("attacker_movement", "stand", "attacker stood still"),
    "walk": _one("attacker_movement", "walk", "attacker walked"),
    "run": _one("attacker_movement", "run", "attacker ran"),
    "jump": _one("attacker_movement", "jump", "attacker jumped"),
}
FASTEST = 30
TARGET_MOVEMENT = ("target moved", "target jumped")
"""Summands for the target's movement."""
TARGET_MOVED = _stairs("target_movement", "hexes", "target moved", FASTEST)
TARGET_JUMPED = _one("target_movement", "jumped", "target jumped")
TARGET_SKIDDED = _one("target_movement", "skidded", "target skidded")
HOTTEST = 60
HEAT = _stairs("attacker_heat", "heat", "heat", HOTTEST)
ATTACKER_PRONE = _one("attacker_state", "prone", "attacker prone")
PRONE_ON_FOUR_LEGS = _one("attacker_state", "prone_on_four_legs", "attacker prone")
PRONE_QUAD_LACKS: int = _TABLE["attacker_state"]["prone_quad_lacks"]
SENSORS = _one("damage", "sensors", "sensors damaged")
SENSORS_BLIND_AT: int = _TABLE["damage"]["sensors_blind_at"]
SHOULDER = _one("damage", "shoulder", "shoulder destroyed")
ARM_ACTUATORS = tuple(
    _made(
        _TABLE["damage"]["upper_arm"] * upper + _TABLE["damage"]["lower_arm"] * lower,
        "arm actuators destroyed",
        _TABLE["damage"]["source"],
    )
    for upper in (0, 1)
    for lower in (0, 1)
)
TERRAIN_RULE: str = _TABLE["terrain"]["source"]
ATTACKER_IN_WATER = _one("terrain", "attacker_in_water", "attacker in water")
TARGET_IN_WATER = _one("terrain", "target_in_water", "target in water")
TARGET_WOODS = (
    None,
    _one("terrain", "target_in_light_woods", "target in light woods"),
    _one("terrain", "target_in_heavy_woods", "target in heavy woods"),
    _one("terrain", "target_in_smoke", "target in smoke"),
)
LIGHT_WOODS = tuple(_made(sight.LIGHT_WOODS * n, "intervening light woods", TERRAIN_RULE) for n in range(4))
HEAVY_WOODS = tuple(_made(sight.HEAVY_WOODS * n, "intervening heavy woods", TERRAIN_RULE) for n in range(4))
PARTIAL_COVER = _made(sight.PARTIAL_COVER, "partial cover", TERRAIN_RULE)
PRONE_ADJACENT = _one("target_state", "prone_adjacent", "target prone and adjacent")
PRONE_DISTANT = _one("target_state", "prone_distant", "target prone at range")
STUCK = _one("target_state", "stuck_in_swamp", "target stuck in a swamp")
IMMOBILE = _one("target_state", "immobile", "target immobile")
AIMED_AT_HEAD = _one("target_state", "immobile_aimed_at_head", "aimed at the head")
INDIRECT = _one("indirect", "modifier", "indirect fire")
COMPUTER = _one("targeting_computer", "normal", "targeting computer")
AIMED_BY_COMPUTER = _one("targeting_computer", "aimed", "aimed with the targeting computer")
COMPUTED_KINDS: tuple[str, ...] = tuple(_TABLE["targeting_computer"]["kinds"])
SECONDARY = {
    "front": _one("secondary_target", "front_arc", "secondary target in the front arc"),
    "other": _one("secondary_target", "other_arc", "secondary target outside the front arc"),
}
WEAPON_RULE = "BMR, weapons and equipment table"
_HEAD = (Location.HD, False)
_VALUE = itemgetter(0)
_BEHIND = bearings_in(Arc.REAR)
_AHEAD = dict.fromkeys(Location, bearings_in(Arc.FORWARD)) | {
    Location.RA: bearings_in(Arc.RIGHT_ARM),
    Location.LA: bearings_in(Arc.LEFT_ARM),
}
"""Bearings in the arc of a weapon that points forward, by its location."""


class Aim(NamedTuple):
    """A shot aimed at one location: of an immobile target, or of any with a targeting computer."""

    location: Location
    computer: bool = False


def impossible(reason: str) -> TargetNumber:
    """No number at all, and why."""
    return TargetNumber(False, reason=reason)


def added_to(number: TargetNumber, modifiers: tuple[Modifier, ...]) -> TargetNumber:
    """A possible number with more summands."""
    every = number.modifiers + modifiers
    return number._replace(value=sum(map(_VALUE, every)), modifiers=every)


def to_hit_number(
    attacker: Unit,
    target: Unit,
    mount: WeaponMount,
    weapon: Weapon,
    board: Board,
    los: LineOfSight,
    secondary: str = "",
    aim: Aim | None = None,
) -> TargetNumber:
    """What `mount` (a `weapon`) needs to hit; `los` is the line between both.

    `secondary`: see `target_rank`. Ammunition is not looked at, nor whether an aim is allowed: `cannot_aim`.
    """
    here, there, stride = attacker.position or attacker.hex, target.position or target.hex, board.stride
    (col, row), (to_col, to_row) = here, there
    span, seen, _, _, _ = ray_of_offset(stride, col & 1, to_col - col, to_row - row)
    blocked, light_woods, heavy_woods, target_cover, low, _ = los
    refused = cannot_fire(attacker, mount) or _no_target(attacker, mount, weapon, blocked, span, seen)
    if low and not refused and mount.location in legs(attacker.design):
        refused = "leg weapon behind cover"
    if refused:
        return impossible(refused)
    cell, own = board.cells[to_row * stride + to_col], board.cells[row * stride + col]
    own_depth, depth = wading(own, attacker), wading(cell, target)
    sunk = own_depth > 0 and _under_water(attacker, mount, own_depth)
    if sunk or depth > 0:
        refused = _kept_apart(target, sunk, depth)
    band = _range(weapon, span, sunk)
    if refused or band is _TOO_FAR:
        return impossible(refused or "out of range")
    cover = target_cover or (depth == 1 and not target.prone)
    moved, heat = target.moved, attacker.heat
    found = [
        GUNNERY[attacker.gunnery],
        band,
        MINIMUM_RANGE[weapon.minimum - span] if span <= weapon.minimum else None,
        ATTACKER_MOVED[attacker.moved.mode],
        HEAT[heat if heat < HOTTEST else HOTTEST] if heat else None,
        _lying(attacker) if attacker.prone else None,
        ATTACKER_IN_WATER if own_depth > 0 else None,
        TARGET_MOVED[moved.hexes if moved.hexes < FASTEST else FASTEST],
        TARGET_JUMPED if moved.mode == "jump" else None,
        TARGET_SKIDDED if moved.skidded else None,
        (PRONE_ADJACENT if span <= 1 else PRONE_DISTANT) if target.prone else None,
        (AIMED_AT_HEAD if aim == _HEAD else IMMOBILE) if immobile(target) else None,
        TARGET_IN_WATER if depth > 0 else None,
        STUCK if target.stuck == "swamp" else None,
        TARGET_WOODS[cell.woods],
        LIGHT_WOODS[light_woods],
        HEAVY_WOODS[heavy_woods],
        PARTIAL_COVER if cover else None,
    ]
    if attacker.hits:
        found += _of_damage(attacker, mount)
    if attacker.design.targeting_computer and _computed(attacker, weapon):
        found.append(AIMED_BY_COMPUTER if aim and aim.computer else COMPUTER)
    if secondary or weapon.to_hit:
        found += (SECONDARY.get(secondary), _made(weapon.to_hit, "weapon", WEAPON_RULE))
    modifiers = tuple(filter(None, found))
    side, hit_table = side_struck(target.facing, seen + 12), "punch" if cover else "normal"
    return _possible((True, sum(map(_VALUE, modifiers)), modifiers, "", side, hit_table))


def wading(cell: Cell, unit: Unit) -> int:
    """The depth of water that counts for who stands there: whoever is stuck in quicksand, as in 1 (A)."""
    return cell.wading if unit.stuck else cell.depth


def cannot_fire(attacker: Unit, mount: WeaponMount) -> str:
    """Why this weapon cannot be fired at anything now, or "" (BMR, weapon attacks; critical hits)."""
    if attacker.shutdown or not attacker.conscious or attacker.destroyed:
        return "attacker out of action"
    if not mount_works(attacker, mount):
        return "weapon destroyed"
    if mount.id in attacker.jammed:
        return "weapon jammed"
    if attacker.hits and sensor_hits(attacker) >= SENSORS_BLIND_AT:
        return "sensors destroyed"
    return _cannot_fire_prone(attacker, mount) if attacker.prone else ""


def _lying(attacker: Unit) -> Modifier | None:
    """What a prone attacker adds: nothing on four legs that are all there."""
    whole = attacker.design.quad and not legs_lost(attacker)
    return PRONE_ON_FOUR_LEGS if whole else ATTACKER_PRONE


def _cannot_fire_prone(attacker: Unit, mount: WeaponMount) -> str:
    """Why a weapon of a prone 'Mech cannot be fired, or "": no leg weapons, no biped without both arms.

    A four-legged one fires everything while it has all legs; else it leans on a front leg.
    """
    gone = [lost(attacker, arm) for arm in ARMS]
    if attacker.design.quad:
        missing = legs_lost(attacker)
        if missing > PRONE_QUAD_LACKS or all(gone):
            return "prone without a front leg to lean on"
        rear = mount.location in LEGS or mount.also in LEGS
        return "leg weapon of a prone 'Mech" if missing and rear else ""
    if mount.location in LEGS or mount.also in LEGS:
        return "leg weapon of a prone 'Mech"
    return "prone without both arms" if any(gone) else ""


def _no_target(attacker: Unit, mount: WeaponMount, weapon: Weapon, blocked: str, span: int, seen: int) -> str:
    """Why the weapon cannot be brought to bear on a target at this distance and bearing, or ""."""
    if weapon.kind == ARTILLERY:
        return "artillery is not fired at 'Mechs"
    if not span:
        return "target in the same hex"
    if not bears(attacker, mount, seen):
        return "target not in arc"
    return f"line of sight blocked by {blocked}" if blocked else ""


def _kept_apart(target: Unit, sunk: bool, depth: int) -> str:
    """Why the surface of the water keeps weapon and target apart, or "" (los.yaml L16 to L19).

    `sunk`: the weapon is under water; it reaches whatever has a part in the water, here of this depth.
    """
    if sunk:
        return "" if depth > 0 else "weapon under water, target on land"
    return "target under water, weapon above" if depth >= 2 or (target.prone and depth == 1) else ""


def in_weapon_arc(attacker: Unit, mount: WeaponMount, target: Hex) -> bool:
    """Whether a hex lies in the weapon's arc; leg weapons go by the legs, all others by the torso."""
    return attacker.hex != target and bears(attacker, mount, bearing(attacker.hex, target))


def bears(attacker: Unit, mount: WeaponMount, seen: int) -> bool:
    location = Location.CT if attacker.design.quad else mount.location
    facing = attacker.facing if location in LEGS else attacker.facing + attacker.twist
    behind = mount.rear or (attacker.flipped and location in ARMS)
    return (seen - 4 * facing) % 24 in (_BEHIND if behind else _AHEAD[location])


def target_rank(attacker: Unit, declared: Sequence[Hex], target: Hex) -> str:
    """ "" for the primary target, else "front" or "other" by the arc a secondary one lies in.

    The primary is the first declared target in the torso's front arc, without one the first of all
    (BMR, multiple targets). `declared` are the hexes of the targets in order, `target` among them.
    """

    def ahead(where: Hex) -> bool:
        return in_arc(Arc.FORWARD, attacker.hex, turned(attacker.facing, attacker.twist), where)

    primary = next((where for where in declared if ahead(where)), declared[0])
    if target == primary:
        return ""
    return "front" if ahead(target) else "other"


def _under_water(attacker: Unit, mount: WeaponMount, depth: int) -> bool:
    """Whether the weapon is under water: all of a submerged 'Mech, the legs of one standing in depth 1."""
    return depth >= 1 and (depth >= 2 or attacker.prone or mount.location in legs(attacker.design))


def _range(weapon: Weapon, span: int, under_water: bool) -> Modifier | None:
    """Range modifier at a distance (None for none); _TOO_FAR when the weapon does not reach."""
    short, medium, long = weapon.short, weapon.medium, weapon.long
    if under_water:
        if weapon.water is None:
            return _TOO_FAR
        short, medium, long = weapon.water
    if span > long:
        return _TOO_FAR
    return SHORT if span <= short else MEDIUM if span <= medium else LONG


def minimum_range(weapon: Weapon, span: int) -> Modifier | None:
    """+1 at the minimum range and one more for each hex closer (BMR, minimum range)."""
    return MINIMUM_RANGE[weapon.minimum - span] if span <= weapon.minimum else None


def _of_damage(attacker: Unit, mount: WeaponMount) -> tuple[Modifier | None, ...]:
    """What hits on the sensors and on the arm that carries the weapon add."""
    sensors = SENSORS if sensor_hits(attacker) else None
    if mount.location not in ARMS:
        return (sensors,)
    arm = kinds_hit(attacker, mount.location)
    if "shoulder" in arm:
        return (sensors, SHOULDER)
    return (sensors, ARM_ACTUATORS[2 * arm.count("upper_arm") + arm.count("lower_arm")])


def heat_modifier(heat: int) -> Modifier | None:
    """What the attacker's heat adds (BMR, heat scale)."""
    return HEAT[min(heat, HOTTEST)]


def _computed(attacker: Unit, weapon: Weapon) -> bool:
    """Whether a targeting computer works and serves this weapon (BMR, targeting computers)."""
    served = weapon.kind in COMPUTED_KINDS and not weapon.undirected
    return served and not any(out_of_action(attacker, place, "targeting_computer") for place in Location)


def aims_by_computer(attacker: Unit, weapon: Weapon) -> bool:
    """Whether a weapon may be aimed with the targeting computer (BMR, targeting computers)."""
    return attacker.design.targeting_computer and _computed(attacker, weapon)


def cannot_aim(attacker: Unit, target: Unit, weapon: Weapon, aim: Aim) -> str:
    """Why a shot cannot be aimed so, or "" (BMR, immobile targets; targeting computers)."""
    if not aim.computer:
        return "" if immobile(target) else "target not immobile"
    return "" if aims_by_computer(attacker, weapon) else "no targeting computer for this weapon"


ALWAYS_MISSES: int = _TABLE["roll"]["always_misses"]
ALWAYS_HITS: int = _TABLE["roll"]["always_hits"]


def roll_succeeds(needed: int, total: int, automatic: bool = False) -> bool:
    """Whether a 2D6 total reaches a number. `automatic` (R 4.5.5, weapon fire only): 2 misses, 12 hits."""
    if automatic and total in (ALWAYS_MISSES, ALWAYS_HITS):
        return total == ALWAYS_HITS
    return total >= needed
