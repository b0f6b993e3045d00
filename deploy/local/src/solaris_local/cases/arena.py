"""Operations `arena.*`: walls, traps, turrets and quicksand of Hartford Gardens."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from solaris_combat.engines.battletech import blows_at_ground, mires, physical, to_hit, traps, turrets, walls
from solaris_combat.engines.battletech.board import Board, board_of, overlaid
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.jumping import chosen_route, usable_jump_mp
from solaris_combat.engines.battletech.line_of_sight import OPEN, line_of_sight
from solaris_combat.engines.battletech.movement import advance, allowance, begin
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.terrain import TERRAINS, Ground, ground_from_text, wall
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Violation
from solaris_local.cases.ground import PLAIN, SIZE

Given = Mapping[str, Any]
Answer = dict[str, Any]
HERE, THERE = Hex(5, 5), Hex(5, 4)
MODEL = "CPLT-C1"
TALL = wall(0).height
DIE = 6


def _ground(terrain: str, level: int) -> Ground:
    """The hex in which one stands on a level of the case; a level too low for a wall's top is its foot."""
    if terrain != "wall":
        return replace(ground_from_text(0, PLAIN.get(terrain, terrain)), level=level)
    return wall(level - TALL if level >= TALL else level)


def _board(grounds: Mapping[Hex, Ground]) -> Board:
    return board_of(SIZE, SIZE, grounds)


def _mech(model: str = MODEL, **facts: Any) -> Unit:
    return replace(fresh_unit("A", CATALOGUE[model]), position=HERE, **facts)


def _wall_step(given: Given) -> Answer:
    """A, walls: one step from a hex to the next, on foot."""
    grounds = {
        HERE: _ground(given["from_terrain"], given["from_level"]),
        THERE: _ground(given["to_terrain"], given["to_level"]),
    }
    unit, board = _mech(), _board(grounds)
    after = advance(board, allowance(unit), begin(board, unit, "walk"), "F")
    stands = board.floors[board.index(THERE)] == given["to_level"]
    if isinstance(after, Violation) or not stands:
        return {"allowed": False}
    return {"allowed": True, "mp": after.cost}


def _wall_enter(given: Given) -> Answer:
    """A, FAQ 27: a 'Mech steps on a wall."""
    before = wall(0, given["wall_levels"], given["wall_cf"])
    holds = walls.bears(before, given["tons"])
    after = before if holds else walls.fallen(before)
    return {
        "collapses": not holds,
        "falls": int(not holds),
        "levels_fallen": before.floor - after.floor,
        "level": after.floor,
        "terrain": after.terrain.key,
        "collapse_damage": not holds and bool(walls.collapse_damage(before)),
    }


def _wall_levels(given: Given) -> Answer:
    """A, FAQ 17, 28: how high walls are, and what their top is like."""
    made = wall(given["ground_level"])
    alike = made.terrain.cost == TERRAINS["clear"].cost and not made.terrain.check
    surface = "clear" if alike else made.terrain.key
    return {"wall_levels": made.height, "top_level": made.floor, "surface": surface}


def _wall_sight(given: Given) -> Answer:
    """A, FAQ 19, 20: a line over a wall."""
    ends = [(Hex.parse(given[key]["hex"]), given[key]["level"]) for key in ("attacker", "target")]
    grounds = {place: Ground(level) for place, level in ends}
    grounds[Hex.parse(given["wall"])] = wall(given["wall_ground_level"])
    los = line_of_sight(_board(grounds), ends[0][0], ends[1][0])
    return {"blocked": not los.possible, "target_partial_cover": los.target_cover}


def _wall_damage(given: Given) -> Answer:
    after = walls.struck(wall(0, factor=given["wall_cf"]), given["damage"])
    return {"wall_cf": after.construction_factor, "terrain": after.terrain.key}


def _wall_attack(given: Given) -> Answer:
    """A, FAQ 22 to 24: fire at the top or the side of a wall, and where Inferno burns."""
    if given["aim"] == "top" and walls.side_of_fire(given["sees_top"]) != "top":
        return {"refused": True}
    burning = None
    if given["weapon"] == "inferno":
        place = walls.inferno_hex(Hex.parse(given["attacker"]), Hex.parse(given["wall"]), given["aim"])
        burning = str(place)
    return {"allowed": True, "burning": burning, "on_wall": burning == given["wall"]}


def _wall_smoke(given: Given) -> Answer:
    """A, FAQ 25, 26: smoke over a wall."""
    base = _board({HERE: wall(given["ground_level"])})
    index = base.index(HERE)
    board = overlaid(base, {}, frozenset((index,)), frozenset())
    inside = given["mech_on_wall"] and board.woods[index] > 0
    return {"smoke_top_level": board.canopies[index], "mech_inside": inside}


def _trap_place(given: Given) -> Answer:
    """A, FAQ 6, 8 to 10: where a trap may lie."""
    terrain = given["terrain"]
    return {"allowed": traps.may_hold(_ground(terrain, 0), given.get("traps_in_hex", 0))}


KINDS = {"mines": "mine", "laser": "laser_turret", "missiles": "srm4_turret", "nothing": "none"}
"""Kinds of traps and turrets as the cases name them, where they differ."""
KEYS = {"srm4": "missiles"}


def _trap_roll(given: Given) -> Answer:
    """A: what comes up in the hex of a trap, and where; the roll is made once for a hex."""
    if not 1 <= given["die"] <= DIE:
        return {"refused": True}
    kind = traps.kind_of(given["die"])
    turret = kind in traps.TURRETS
    here = None if kind == "nothing" else "hex"
    return {
        "kind": KINDS.get(kind, kind),
        "damage": traps.MINES.damage if kind == "mines" else None,
        "place": "adjacent" if turret else here,
        "shots": turrets.fresh_turret(kind).salvoes if turret else None,
        "marked": True,
    }


def _trap_trigger(given: Given) -> Answer:
    """A, FAQ 1: the hidden hexes that a way comes upon, walking or jumping."""
    return {"triggered": list(traps.comes_upon(given["path"], given["hidden_turrets"]))}


def _jump_path(given: Given) -> Answer:
    """A, FAQ 2: a jump whose way was not given has one all the same."""
    ordered = tuple(Hex.parse(number) for number in given["path"] or ("0502",))
    route = chosen_route(HERE, ordered)
    return {"chosen_by": "player" if route == ordered else "referee", "shown_in_turn": len(route) > 0}


def _turret_fire(given: Given) -> Answer:
    """A, FAQ 3, 4: when a turret fires, and at whom."""
    distances = {target["id"]: target["distance"] for target in given["targets"]}
    found = turrets.nearest(distances)
    return {"phase": turrets.PHASE, "target": found[given.get("lot", 1) - 1] if found else None}


def _turret_stats(given: Given) -> Answer:
    made = turrets.fresh_turret(KEYS.get(given["kind"], given["kind"]))
    return {
        "arc_degrees": turrets.ARC,
        "levels": turrets.LEVELS,
        "blocks_los": turrets.BLOCKS_SIGHT,
        "armor": made.armor,
        "gunnery": turrets.GUNNERY,
        "shots": made.salvoes,
    }


def _turret_physical(given: Given) -> Answer:
    """A, FAQ 7: whether a blow reaches a turret."""
    ground, feet, kind = given["turret_ground_level"], given["attacker_level"], given["attack"]
    reached = physical.reaches_level(kind, feet, ground, turrets.LEVELS)
    return {"allowed": kind in blows_at_ground.KINDS and reached}


def _in_quicksand() -> Board:
    return _board({HERE: Ground(0, TERRAINS["quicksand"])})


def _quicksand_fire(given: Given) -> Answer:
    """A, FAQ 11: what firing out of quicksand adds."""
    attacker = _mech(stuck="quicksand" if given["stuck"] else "")
    target = replace(_mech(), side="B", position=Hex(5, 2))
    mount = next(m for m in attacker.design.mounts if m.weapon == "medium-laser")
    number = to_hit.to_hit_number(attacker, target, mount, WEAPONS[mount.weapon], _in_quicksand(), OPEN)
    return {"attacker_modifier": sum(m.value for m in number.modifiers if m == to_hit.ATTACKER_IN_WATER)}


JETS = {"torso": "CPLT-C1", "legs": "PNT-9R"}
"""Models with all their jump jets there."""


def _quicksand_leave(given: Given) -> Answer:
    """A, FAQ 12, 15: whether this way of moving may lead out; in it only the jets of the torso lift."""
    mech = _mech(JETS[given.get("jets") or "torso"], stuck="quicksand" if given["stuck"] else "")
    if given["mode"] == "jump":
        return {"allowed": usable_jump_mp(_in_quicksand(), mech, allowance(mech)) > 0}
    return {"allowed": not given["stuck"]}


def _quicksand_roll(given: Given) -> Answer:
    """A: MP into quicksand, and what a piloting roll there adds."""
    enters = given["action"] == "enter"
    quicksand = TERRAINS["quicksand"]
    cause = quicksand.check if enters else mires.escape_cause(quicksand.mire)
    mech = _mech()
    number = piloting_number(mech, cause)
    return {"mp": quicksand.cost if enters else 0, "piloting_modifier": number.value - mech.piloting}


def _quicksand_escape(given: Given) -> Answer:
    """A, FAQ 13: the roll to get free."""
    moves = mires.moves(given["movement_ordered"], given["roll_succeeded"])
    return {"phase": mires.PHASE, "moves": moves}


OPS = {
    "arena.wall.step": _wall_step,
    "arena.wall.enter": _wall_enter,
    "arena.wall.levels": _wall_levels,
    "arena.wall.sight": _wall_sight,
    "arena.wall.damage": _wall_damage,
    "arena.wall.attack": _wall_attack,
    "arena.wall.smoke": _wall_smoke,
    "arena.trap.place": _trap_place,
    "arena.trap.roll": _trap_roll,
    "arena.trap.trigger": _trap_trigger,
    "arena.jump_path": _jump_path,
    "arena.turret.fire": _turret_fire,
    "arena.turret.stats": _turret_stats,
    "arena.turret.physical": _turret_physical,
    "arena.quicksand.roll": _quicksand_roll,
    "arena.quicksand.fire": _quicksand_fire,
    "arena.quicksand.leave": _quicksand_leave,
    "arena.quicksand.escape": _quicksand_escape,
}
