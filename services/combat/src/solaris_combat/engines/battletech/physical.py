"""Numbers to hit, damage and limits of physical attacks (BMR, physical attacks; tables/physical.toml).

`physical_number` asks; it never rolls and remembers nothing. A blow is a kind of attack and the limb that
deals it.
Source: BMR physical attacks; physical.yaml; D (clubs, hatchets, swords, elevation); tables 3.1, 3.2, C-14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.arcs import Arc, attack_side, in_arc
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, distance, neighbour, turned
from solaris_combat.engines.battletech.mech import ARMS, LEGS, Location, slot_numbers
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.myomer import strong
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import TargetNumber, impossible
from solaris_combat.engines.battletech.unit import Unit, immobile, lost, slots_hit

_TABLE = table("physical")
BASE = {
    kind: Modifier(number, "physical attack", _TABLE["base"]["source"])
    for kind, number in _TABLE["base"].items()
    if kind not in ("mark", "source")
}
PRONE = Modifier(_TABLE["target"]["prone"], "target prone and adjacent", _TABLE["target"]["source"])
PARTIAL_COVER = Modifier(_TABLE["target"]["partial_cover"], "partial cover", _TABLE["target"]["source"])
WEAPONS_IN_HAND = ("hatchet", "sword")
SWUNG = ("club", *WEAPONS_IN_HAND)
WITH_ARMS = ("punch", "push", *SWUNG)
QUAD_BLOWS = ("kick", "charge", "death_from_above")
"""What a four-legged 'Mech can do; the others need arms (physical.yaml requirements)."""
SWUNG_AT_PRONE: bool = _TABLE["target"]["clubs_strike_prone"]
LEVELS_HIGH = 1
"""Levels a standing 'Mech rises above its feet; a prone one rises none."""
ARMS_UNDER_WATER: int = _TABLE["water"]["arms_from_depth"]
_ARC_OF = {Location.RA: Arc.RIGHT_ARM, Location.LA: Arc.LEFT_ARM}
_ARM_PARTS = ("upper_arm", "lower_arm")


class Blow(NamedTuple):
    """A physical attack: a kind (key of [base] in tables/physical.toml) and the limb that deals it.

    Arms punch and swing hatchets and swords, legs kick (a four-legged 'Mech with its front legs); pushes,
    clubs, charges and deaths from above take the whole 'Mech: no limb.
    """

    kind: str
    limb: Location | None = None


class PhysicalNumber(NamedTuple):
    """What a blow needs, the points it does and the points it costs the attacker whatever the target."""

    number: TargetNumber
    damage: int = 0
    own_damage: int = 0


class _Levels(NamedTuple):
    """Feet and top of both 'Mechs, in levels of the board; in water the feet stand on the bottom."""

    feet: int
    top: int
    target_feet: int
    target_top: int


def physical_number(
    blow: Blow, attacker: Unit, target: Unit, board: Board, fired: frozenset[Location] = frozenset()
) -> PhysicalNumber:
    """What a blow needs to hit and what it does; `fired`: locations whose weapons fired in this turn."""
    here, there = attacker.position, target.position
    assert here is not None
    assert there is not None
    levels = _levels(attacker, target, board)
    refused = cannot_strike(blow, attacker, fired) or _cannot_reach(blow, attacker, target, levels)
    if refused:
        return PhysicalNumber(impossible(refused))
    modifiers = tuple(_modifiers(blow, attacker, target, board))
    side = str(attack_side(there, target.facing, here))
    struck, hit_table = _struck(blow, target, levels, side, _in_cover(target, board))
    value = sum(modifier.value for modifier in modifiers)
    return PhysicalNumber(
        TargetNumber(True, value, modifiers, "", struck, hit_table),
        damage(blow, attacker),
        own_damage(blow, attacker, target),
    )


def blows(unit: Unit) -> tuple[Blow, ...]:
    """Every blow the 'Mech is built for, fit or not; charges, deaths from above and clubs are not here."""
    kicks = tuple(Blow("kick", leg) for leg in kicking_legs(unit))
    if unit.design.quad:
        return kicks
    in_hand = tuple(
        Blow(kind, arm) for kind in WEAPONS_IN_HAND for arm in ARMS if slot_numbers(unit.design, arm, kind)
    )
    return (*(Blow("punch", arm) for arm in ARMS), *kicks, Blow("push"), *in_hand)


def kicking_legs(unit: Unit) -> tuple[Location, ...]:
    """Legs that kick: a four-legged 'Mech kicks ahead with its front legs (BMR: not to the rear)."""
    return ARMS if unit.design.quad else LEGS


def cannot_strike(blow: Blow, attacker: Unit, fired: frozenset[Location] = frozenset()) -> str:
    """Why this blow cannot be dealt to anybody now, or "" (BMR, physical attacks; D, clubs and hatchets)."""
    if attacker.shutdown or not attacker.conscious or attacker.destroyed:
        return "attacker out of action"
    if attacker.design.quad and blow.kind not in QUAD_BLOWS:
        return "four-legged 'Mech"
    if attacker.prone:
        return "attacker prone"
    if attacker.flipped and blow.kind in WITH_ARMS:
        return "arms flipped to the rear"
    return _UNFIT[blow.kind](attacker, blow.limb, fired)


_Unfit = Callable[[Unit, Location | None, frozenset[Location]], str]


def _unfit_punch(unit: Unit, arm: Location | None, fired: frozenset[Location]) -> str:
    if arm not in ARMS:
        return "no such limb"
    return _unfit_arm(unit, arm, fired)


def _unfit_arm(unit: Unit, arm: Location, fired: frozenset[Location]) -> str:
    if lost(unit, arm):
        return "arm missing"
    if slots_hit(unit, arm, "shoulder"):
        return "shoulder destroyed"
    return "arm fired" if arm in fired else ""


def _unfit_kick(unit: Unit, leg: Location | None, fired: frozenset[Location]) -> str:
    both = kicking_legs(unit)
    if leg not in both:
        return "no such limb"
    if any(lost(unit, one) for one in both):
        return "leg missing"
    if any(slots_hit(unit, one, "hip") for one in both):
        return "hip destroyed"
    return "leg fired" if leg in fired else ""


def _unfit_push(unit: Unit, limb: Location | None, fired: frozenset[Location]) -> str:
    if any(lost(unit, arm) for arm in ARMS):
        return "arm missing"
    return "arm fired" if fired & set(ARMS) else ""


def _unfit_club(unit: Unit, limb: Location | None, fired: frozenset[Location]) -> str:
    found = (_unfit_arm(unit, arm, fired) or _no_hand(unit, arm) for arm in ARMS)
    return next(filter(None, found), "")


def _no_hand(unit: Unit, arm: Location) -> str:
    return "" if has_actuator(unit, arm, "hand") else "hand missing or destroyed"


def _unfit_in_hand(kind: str) -> _Unfit:
    """A hatchet or a sword: its arm, the hand, and none of its own slots hit (D)."""

    def unfit(unit: Unit, arm: Location | None, fired: frozenset[Location]) -> str:
        if arm not in ARMS or not slot_numbers(unit.design, arm, kind):
            return f"no {kind} there"
        if slots_hit(unit, arm, kind):
            return f"{kind} destroyed"
        return _unfit_arm(unit, arm, fired) or _no_hand(unit, arm)

    return unfit


def _unfit_jump(unit: Unit, limb: Location | None, fired: frozenset[Location]) -> str:
    return "" if unit.moved.mode == "jump" else "did not jump"


_UNFIT: Mapping[str, _Unfit] = {
    "punch": _unfit_punch,
    "kick": _unfit_kick,
    "push": _unfit_push,
    "club": _unfit_club,
    "hatchet": _unfit_in_hand("hatchet"),
    "sword": _unfit_in_hand("sword"),
    "charge": lambda unit, limb, fired: "jumped" if unit.moved.mode == "jump" else "",
    "death_from_above": _unfit_jump,
}


def has_actuator(unit: Unit, limb: Location, kind: str) -> bool:
    """Whether an actuator is there and works."""
    return bool(slot_numbers(unit.design, limb, kind)) and not slots_hit(unit, limb, kind)


def _levels(attacker: Unit, target: Unit, board: Board) -> _Levels:
    feet, target_feet = (board.floors[board.index(_place(unit))] for unit in (attacker, target))
    target_top = target_feet + (0 if target.prone else LEVELS_HIGH)
    return _Levels(feet, feet + (0 if attacker.prone else LEVELS_HIGH), target_feet, target_top)


def _place(unit: Unit) -> Hex:
    assert unit.position is not None
    return unit.position


def _cannot_reach(blow: Blow, attacker: Unit, target: Unit, levels: _Levels) -> str:
    """Why the target is out of the blow's reach: distance, posture, arc, levels; or "" """
    if distance(_place(attacker), _place(target)) != 1:
        return "target not adjacent"
    if target.prone and (blow.kind in ("push", "charge") or (blow.kind in SWUNG and not SWUNG_AT_PRONE)):
        return "target prone"
    if not ahead(blow, attacker, _place(target)):
        return "target not in arc"
    return "" if _on_level(blow.kind, levels) else "target level out of reach"


def ahead(blow: Blow, attacker: Unit, where: Hex) -> bool:
    """Whether a hex lies where the blow goes: kicks and pushes by the legs, arms by the torso."""
    here, torso = _place(attacker), turned(attacker.facing, attacker.twist)
    if blow.kind == "push":
        return neighbour(here, attacker.facing) == where
    if blow.kind == "kick":
        return in_arc(Arc.FORWARD, here, attacker.facing, where)
    if blow.kind in ("charge", "death_from_above"):
        return True
    return in_arc(_ARC_OF.get(blow.limb, Arc.FORWARD) if blow.limb else Arc.FORWARD, here, torso, where)


def _on_level(kind: str, at: _Levels) -> bool:
    """Elevation limits (D; league tables 3.2): arms strike at the attacker's top, legs at its feet."""
    if kind == "death_from_above":
        return True
    if kind == "push":
        return at.feet == at.target_feet
    if kind == "punch":
        return at.target_feet <= at.top <= at.target_top
    if kind == "kick":
        return at.target_feet <= at.feet <= at.target_top
    return at.feet <= at.target_top and at.top >= at.target_feet


def reaches_level(kind: str, feet: int, target_feet: int, target_levels: int) -> bool:
    """Whether a blow reaches a thing of so many levels that stands on a level, such as a turret.

    Levels are compared at the feet, so one level high or two is the same (league tables 3.2; A, FAQ 7).
    """
    top = target_feet + max(target_levels - 1, LEVELS_HIGH)
    return _on_level(kind, _Levels(feet, feet + LEVELS_HIGH, target_feet, top))


def _struck(blow: Blow, target: Unit, at: _Levels, side: str, cover: bool) -> tuple[str, str]:
    """Side and location table of a blow (league tables 3.1, 3.2)."""
    if blow.kind == "push":
        return "front", "normal"
    if blow.kind == "death_from_above":
        return ("rear", "normal") if target.prone else (side, "punch")
    if blow.kind == "charge":
        return side, "punch" if cover else "normal"
    return side, _by_level(blow.kind, target.prone, at)


def _by_level(kind: str, prone: bool, at: _Levels) -> str:
    """The table by which part of the target the blow reaches; of a prone one on that level it is all."""
    if kind == "punch":
        return "punch" if at.top > at.target_feet else "normal" if prone else "kick"
    if kind == "kick":
        return "kick" if at.feet < at.target_top else "normal" if prone else "punch"
    if at.feet == at.target_feet:
        return "normal"
    if at.feet > at.target_feet:
        return "punch"
    return "normal" if prone else "kick"


def _in_cover(target: Unit, board: Board) -> bool:
    """Whether the target stands in water of depth 1 or is stuck in quicksand, which cover its legs."""
    return _wading(board, target) == 1 and not target.prone


def _wading(board: Board, unit: Unit) -> int:
    return to_hit.wading(board.cells[board.index(_place(unit))], unit)


def _modifiers(blow: Blow, attacker: Unit, target: Unit, board: Board) -> Iterator[Modifier]:
    """Every summand of a blow's number; heat and sensors do not count (BMR, physical attacks)."""
    there = board.index(_place(target))
    moved = target.moved
    found = [
        BASE[blow.kind],
        to_hit.ATTACKER_MOVED[attacker.moved.mode],
        to_hit.TARGET_MOVED[min(moved.hexes, to_hit.FASTEST)],
        to_hit.TARGET_JUMPED if moved.mode == "jump" else None,
        PRONE if target.prone else None,
        to_hit.IMMOBILE if immobile(target) else None,
    ]
    if blow.kind != "death_from_above":
        found += [
            to_hit.ATTACKER_IN_WATER if _wading(board, attacker) > 0 else None,
            to_hit.TARGET_IN_WATER if _wading(board, target) > 0 else None,
            to_hit.TARGET_WOODS[board.woods[there]],
            PARTIAL_COVER if _in_cover(target, board) else None,
        ]
    found += _of_damage(blow, attacker)
    if blow.kind in ("charge", "death_from_above"):
        difference = attacker.piloting - target.piloting
        found.append(Modifier(difference, "piloting difference", BASE["charge"].rule) if difference else None)
    return filter(None, found)


_MISSING_COUNTS = {
    "punch": ("lower_arm", "hand"),
    "club": ("lower_arm",),
    "hatchet": ("lower_arm",),
    "sword": ("lower_arm",),
}
"""Actuators that count as damaged where a design has none."""
_PARTS = {
    "punch": ("upper_arm", "lower_arm", "hand"),
    "kick": ("upper_leg", "lower_leg", "foot"),
    "push": ("shoulder",),
    "club": _ARM_PARTS,
    "hatchet": _ARM_PARTS,
    "sword": _ARM_PARTS,
}


def _of_damage(blow: Blow, attacker: Unit) -> Iterator[Modifier]:
    """What damaged or missing actuators of the limbs that strike add."""
    limbs = ARMS if blow.limb is None else (blow.limb,)
    for limb in limbs:
        for part in _PARTS.get(blow.kind, ()):
            if _weak(blow.kind, attacker, limb, part):
                yield Modifier(_TABLE["actuators"][part], f"{part} damaged", _TABLE["actuators"]["source"])


def _weak(kind: str, unit: Unit, limb: Location, part: str) -> bool:
    """Whether a part of a limb is damaged or, where that counts, was never there."""
    if slots_hit(unit, limb, part):
        return True
    return part in _MISSING_COUNTS.get(kind, ()) and not slot_numbers(unit.design, limb, part)


_ROUNDED: Mapping[int | str, Callable[[int, int], int]] = {
    "up": lambda whole, per: -(-whole // per),
    "down": lambda whole, per: whole // per,
}


def _points(figures: Mapping[str, int | str], tons: int) -> int:
    """Points by a section of the table."""
    whole = tons * int(figures.get("times", 1))
    per = int(figures["per"])
    return _ROUNDED[figures["round"]](whole, per) + int(figures.get("more", 0))


def damage(blow: Blow, attacker: Unit) -> int:
    """Points a blow does; a push does none, a charge by the way that led to the target's hex."""
    if blow.kind == "charge":
        return charge_damage(attacker.design.tons, attacker.moved.hexes + 1)
    if blow.kind == "push":
        return 0
    points = damage_points(blow.kind, attacker.design.tons)
    parts = _TABLE["weakened"].get(blow.kind, ())
    weak = sum(_weak(blow.kind, attacker, blow.limb, part) for part in parts) if blow.limb else 0
    if blow.kind != "death_from_above" and strong(attacker):
        points *= _TABLE["myomer"]["times"]
    return points // _TABLE["weakened"]["divisor"] ** weak


def damage_points(kind: str, tons: int) -> int:
    """Points of a blow of a sound 'Mech of some tons (league tables 3.1)."""
    return _points(_TABLE["damage"][kind], tons)


def own_through_water(points: int, blow: Blow, depth: int) -> int:
    """What the attacker of a charge takes where he stands: half, rounded up, in water."""
    wet = blow.kind == "charge" and depth >= _TABLE["water"]["charge_from_depth"]
    return -(-points // _TABLE["water"]["divisor"]) if wet else points


def through_water(points: int, blow: Blow, depth: int) -> int:
    """What is left of a blow's points where the attacker stands: half, rounded up, of a punch under water."""
    sunk = blow.kind == "punch" and depth >= ARMS_UNDER_WATER
    return -(-points // _TABLE["water"]["divisor"]) if sunk else points


def charge_damage(tons: int, hexes: int) -> int:
    """Points of a charge over so many hexes, the target's among them (league tables 3.1)."""
    return _points(_TABLE["damage"]["charge"], tons * max(hexes - 1, 1))


def own_damage(blow: Blow, attacker: Unit, target: Unit) -> int:
    """Points the attacker takes from his own hit: a charge by the target's tons, a leap by his own."""
    if blow.kind not in ("charge", "death_from_above"):
        return 0
    tons = target.design.tons if blow.kind == "charge" else attacker.design.tons
    return _points(_TABLE["own_damage"][blow.kind], tons)
