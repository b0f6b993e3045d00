"""What a side may order now, factored: fire by twist and weapon, movement by mode, hex and facing.

From this a client can build any legal orders but for detours: each reachable hex and facing comes with one
cheapest way. Known numbers are told: MP, heat, what each shot needs. Nothing here looks at sealed orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solaris_combat.engines.battletech import heat
from solaris_combat.engines.battletech.ammunition import usable_bins
from solaris_combat.engines.battletech.ams_orders import offered_setting
from solaris_combat.engines.battletech.anti_missile import systems
from solaris_combat.engines.battletech.blows_at_ground import blows_at
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.club_search import clubs_here
from solaris_combat.engines.battletech.declaration import declare, number_of, posed, spotters
from solaris_combat.engines.battletech.ejection import can_eject, ordered_number
from solaris_combat.engines.battletech.events import DeclaredShot
from solaris_combat.engines.battletech.fire_heat import heat_of_fires
from solaris_combat.engines.battletech.firing_modes import INHIBITOR_OFF, modes_of
from solaris_combat.engines.battletech.ground_offers import SeenHex, ground_in_sight, shots_at_ground
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, distance, league_facing, neighbour
from solaris_combat.engines.battletech.jumping import ceiling, follow_jump, usable_jump_mp
from solaris_combat.engines.battletech.line_modifier import line_modifier
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.loading import allowance as rounds_allowed
from solaris_combat.engines.battletech.loading import holds, is_special
from solaris_combat.engines.battletech.loading import offered as loading
from solaris_combat.engines.battletech.mech import AmmoBin, Location, MechDesign, WeaponMount, can_flip_arms
from solaris_combat.engines.battletech.mobility import heats_that_slow, walk_mp
from solaris_combat.engines.battletech.movement import (
    COST,
    Allowance,
    allowance,
    begin,
    stand_up_cost,
    with_masc,
)
from solaris_combat.engines.battletech.munitions import (
    MUNITIONS,
    Belt,
    Munition,
    family,
    mixes,
    munition,
    positions,
)
from solaris_combat.engines.battletech.myomer import masc_number, masc_works
from solaris_combat.engines.battletech.orders import Fire, Shot
from solaris_combat.engines.battletech.physical_legality import (
    CHARGE,
    LEAP,
    barred_by,
    blow_number,
    lost_initiative,
    offered,
)
from solaris_combat.engines.battletech.rival_reach import rival_reach
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import heat_of, rounds_of
from solaris_combat.engines.battletech.spread import Arrival, spread, turns_lying
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber, aims_by_computer
from solaris_combat.engines.battletech.unit import Unit, can_twist, immobile
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.frozen import replace

Json = dict[str, Any]
TWISTS = (0, -1, 1)
HOTTEST = 30


def options(state: State, side: str) -> Json:
    """What `side` may order for the present request; only `turn` and `kind` if nothing is asked of it."""
    wanted = state.wanted
    if wanted is None:
        return {"turn": state.turn, "kind": None}
    offered: Json = {"turn": wanted.turn, "kind": wanted.kind}
    if wanted.kind == "initial":
        return offered | {"initial": _initial(state, side)}
    if "fire" in wanted.kind:
        offered["fire"] = _fire(state, side)
    if "movement" in wanted.kind:
        offered["movement"] = _movement(state, side)
    return offered


def _initial(state: State, side: str) -> Json:
    design = state.units[side].design
    kinds = sorted({ammo.ammunition for ammo in design.bins})
    return {
        "bins": [_store(design, ammo, state.terms.fight_class) for ammo in design.bins],
        "rounds_at_most": {kind: rounds_allowed(design, kind, state.terms) for kind in kinds},
        "auto_eject": ruleset().table["automatic_ejection"]["default"],
        **_ams(state, side),
    }


def _ams(state: State, side: str) -> Json:
    """Anti-missile systems and what they may be told; nothing where there is none aboard."""
    return {"ams": offered_setting(state, side)} if systems(state.units[side]) else {}


def _store(design: MechDesign, ammo: AmmoBin, fight_class: int) -> Json:
    """A bin to be loaded: its room, and every munition it may hold with its room, limit and price."""
    rules = ruleset()
    return {
        "id": ammo.id,
        "ammunition": ammo.ammunition,
        "holds": ammo.shots,
        "munition": ammo.munition,
        "mixed": mixes(ammo.ammunition) and rules.plays("mixed_bins", fight_class),
        "munitions": [
            _munition(ammo, MUNITIONS[key], fight_class) for key in loading(design, ammo, fight_class)
        ],
    }


def _munition(ammo: AmmoBin, kind: Munition, fight_class: int) -> Json:
    rules = ruleset()
    special = is_special(kind, rules)
    room = holds(ammo, kind)
    return {
        "munition": kind.key,
        "at_most": min(room, rules.special_salvoes) if special and mixes(ammo.ammunition) else room,
        "price": rules.special_price if special else 0,
        "hot": rules.plays("hot_loading", fight_class) and family(ammo.ammunition) in kind.hot,
    }


def known_heat(state: State, side: str) -> Json:
    """Heat now, what movement and engine add this turn, and what the sinks take."""
    unit = state.units[side]
    assert unit.position is not None
    board = state.board
    made = (
        *heat.movement_heat(unit.moved),
        *heat.engine_heat(unit),
        *heat.inferno_heat(unit, state.turn),
        *heat_of_fires(state, side),
    )
    depth = board.depths[board.index(unit.position)]
    built = unit.heat_built + sum(item.value for item in made)
    return {"now": unit.heat, "built": built, "sinks": heat.heat_capacity(unit, depth)}


def heat_after(known: Json, fired: int) -> int:
    """Heat after this turn when so much is fired and nothing is hit: the least it can be."""
    return max(0, int(known["now"]) + int(known["built"]) + fired - int(known["sinks"]))


def _fire(state: State, side: str) -> Json:
    unit = state.units[side]
    able = not unit.shutdown and unit.conscious
    twists = TWISTS if able and can_twist(unit) else (0,)
    seen = ground_in_sight(state, side)
    return {
        "able": able,
        "conscious": unit.conscious,
        "one_arm_only": unit.prone,
        "heat": known_heat(state, side),
        "bins": [
            {
                "id": b.id,
                "ammunition": b.ammunition,
                "shots": len(unit.belts[b.id]),
                "next": next(iter(unit.belts[b.id]), None),
                "belt": list(unit.belts[b.id]),
                "ahead": _ahead(unit.belts[b.id]),
            }
            for b in unit.design.bins
        ],
        "aim_at": [str(location) for location in Location] if _still(state, side) else [],
        "immobile": _still(state, side),
        "clubs": [{"kind": kind, "number": n} for kind, n in clubs_here(state, side).items()],
        **_ams(state, side),
        "ground": [
            {"hex": str(one.place), "intents": list(one.intents), "distance": one.span} for one in seen
        ],
        "twists": [
            _twist(state, side, Fire(twist, flip_arms=flipped), seen)
            for flipped in (
                (False, True) if able and not unit.prone and can_flip_arms(unit.design) else (False,)
            )
            for twist in twists
        ],
    }


def _ahead(belt: Belt) -> Json:
    """For each munition on a belt the salvoes that must be fired before its first."""
    return {kind: positions(belt, kind)[0] - 1 for kind in dict.fromkeys(map(munition, belt))}


def _still(state: State, side: str) -> list[str]:
    """The enemies that cannot move, at whose locations shots may be aimed."""
    return [foe for foe in state.foes(side) if immobile(state.units[foe])]


def _twist(state: State, side: str, pose: Fire, seen: tuple[SeenHex, ...]) -> Json:
    unit = posed(state.units[side], pose)
    turned = replace(state, units={**state.units, side: unit})
    return {
        "twist": pose.twist,
        "flip_arms": pose.flip_arms,
        "weapons": [_weapon(turned, side, mount, seen) for mount in unit.design.mounts],
        "physical": [blow for foe in state.foes(side) for blow in _physical(turned, side, foe)],
        "ground_blows": list(_ground_blows(turned, side)),
    }


def _ground_blows(state: State, side: str) -> Iterator[Json]:
    """Blows at what stands in the hexes around; they hit without a roll."""
    for where, blow in blows_at(state, side):
        yield {
            "target": str(where),
            "attack": blow.kind,
            "limb": None if blow.limb is None else str(blow.limb),
            "holds_fire": [str(location) for location in barred_by(blow, state.units[side])],
        }


def _physical(state: State, side: str, rival: str) -> Iterator[Json]:
    """Physical attacks on an enemy with their numbers; none while it is not in a neighbouring hex.

    `holds_fire`: locations whose weapons may not fire in the same turn; `lapses`: it may be declared in vain.
    """
    unit = state.units[side]
    here, there = unit.position, state.units[rival].position
    if here is None or there is None or distance(here, there) != 1:
        return
    for blow in offered(state, side):
        found = blow_number(state, side, rival, blow)
        driven = blow in (CHARGE, LEAP)
        yield {
            "lapses": driven and lost_initiative(state, side, rival),
            "attack": blow.kind,
            "limb": None if blow.limb is None else str(blow.limb),
            "target": rival,
            "holds_fire": [str(location) for location in barred_by(blow, unit)],
            "damage": found.damage,
            "own_damage": found.own_damage,
            **_number(found.number),
        }


def _weapon(state: State, side: str, mount: WeaponMount, seen: tuple[SeenHex, ...]) -> Json:
    unit, printed = state.units[side], WEAPONS[mount.weapon]
    bins = [ammo.id for ammo in usable_bins(unit, printed.ammunition)] if printed.ammunition else []
    weapon = as_loaded(printed, unit.belts[bins[0]][:1]) if bins else printed
    return {
        "weapon": mount.id,
        "name": weapon.key,
        "location": str(mount.location),
        "heat": weapon.heat,
        "damage": weapon.damage,
        "rack": weapon.rack,
        "modes": [_mode(state, side, mount, mode) for mode in modes_of(printed, state.terms.fight_class)],
        "needs_ammunition": bool(weapon.ammunition),
        "bins": bins,
        "aims_by_computer": aims_by_computer(state.units[side], weapon),
        "targets": [_target(state, side, foe, mount.id, bins) for foe in state.foes(side)],
        "hexes": list(shots_at_ground(state, side, mount, seen)),
        "air": number_of(state, side, declare(unit, Shot(mount.id, ""), dict(unit.belts))).possible,
    }


def _mode(state: State, side: str, mount: WeaponMount, mode: str) -> Json:
    """A way of firing other than the usual one: its rounds, its heat, and the numbers that it changes."""
    weapon = WEAPONS[mount.weapon]
    rounds = rounds_of(mode) if weapon.ammunition else 0
    out: Json = {"mode": mode, "rounds": rounds, "heat": heat_of(weapon, mode)}
    if mode == INHIBITOR_OFF:
        shots = [DeclaredShot(mount.id, foe, None, mode=mode) for foe in state.foes(side)]
        out["numbers"] = [{"target": s.target, **_number(number_of(state, side, s))} for s in shots]
    return out


def _target(state: State, side: str, rival: str, mount_id: str, bins: list[str]) -> Json:
    """What the weapon needs, fed by the first bin that serves; `by_bin`: with what is next in each.

    `by_salvo`: with each kind that is on the belts, for two launchers that share a bin.
    """
    unit = state.units[side]
    numbers: dict[Belt, TargetNumber] = {}
    by_bin = {}
    chosen: list[str | None] = [*bins]
    for name in chosen or [None]:
        shot = declare(unit, Shot(mount_id, rival, name), dict(unit.belts))
        if shot.salvos not in numbers:
            numbers[shot.salvos] = number_of(state, side, shot)
        by_bin[name] = numbers[shot.salvos]
    told = {name: found.value if found.possible else None for name, found in by_bin.items() if name}
    for salvo in dict.fromkeys(salvo for name in bins for salvo in unit.belts[name]):
        if (salvo,) not in numbers:
            fired = DeclaredShot(mount_id, rival, bins[0], salvos=(salvo,))
            numbers[(salvo,)] = number_of(state, side, fired)
    by_salvo = {fed[0]: found.value if found.possible else None for fed, found in numbers.items() if fed}
    indirect = [
        {"spotter": friend, **_number(number_of(state, side, replace(shot, spotter=friend)))}
        for friend in spotters(state, side, shot)
    ]
    return {
        "target": rival,
        "by_bin": told,
        "by_salvo": by_salvo,
        **_number(next(iter(by_bin.values()))),
        **({"indirect": indirect} if indirect else {}),
    }


def _number(number: TargetNumber) -> Json:
    if not number.possible:
        return {"possible": False, "reason": number.reason}
    return {
        "possible": True,
        "number": number.value,
        "modifiers": [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in number.modifiers],
        "struck_side": number.side,
        "table": number.table,
    }


def moving_unit(state: State, side: str) -> Unit:
    """The unit as far as it may move: ordered along with fire, one shut down or unconscious may be back."""
    unit = state.units[side]
    if state.wanted is not None and state.wanted.kind == "fire_and_movement":
        return replace(unit, shutdown=False, conscious=True)
    return unit


def _at_its_fastest(state: State, side: str) -> Unit:
    """The unit at the heat that slows it least of those it may have when it moves.

    Ordered along with fire, it has cooled by then: as far as it does without a shot, or no further than hot
    myomer wants it.
    """
    unit = moving_unit(state, side)
    if state.wanted is None or state.wanted.kind != "fire_and_movement":
        return unit
    coolest = heat_after(known_heat(state, side), 0)
    heats = (coolest, *(heat for heat in heats_that_slow(HOTTEST) if heat > coolest))
    return max((replace(unit, heat=heat) for heat in heats), key=walk_mp)


def _movement(state: State, side: str) -> Json:
    unit = _at_its_fastest(state, side)
    assert unit.position is not None
    allowed = allowance(unit)
    board = state.board
    modes: Json = {}
    for mode, mp in (("walk", allowed.walk), ("run", allowed.run)):
        if mp:
            arrivals = list(spread(board, allowed, begin(board, unit, mode)))
            if unit.prone:
                arrivals += turns_lying(board, allowed, begin(board, unit, mode))
            modes[mode] = {"mp": mp, "reach": [_arrival(board, arrival) for arrival in arrivals[1:]]}
    jump = usable_jump_mp(board, unit, allowed)
    if jump:
        modes["jump"] = {"mp": jump, "reach": list(_jumps(board, unit, allowed, jump))}
    masc = _masc(board, unit, allowed)
    offers = [*modes.values(), *([masc] if masc else [])]
    reached = {entry["hex"] for offer in offers for entry in offer["reach"]} | {str(unit.position)}
    return {
        "able": bool(modes),
        "rival": state.rival(side),
        "rival_reach": rival_reach(state, state.rival(side)),
        "here": {"hex": str(unit.position), "facing": league_facing(unit.facing)},
        "heat": state.units[side].heat,
        "prone": unit.prone,
        "stand_up_mp": stand_up_cost(allowed) if unit.prone else None,
        "drop_prone_mp": COST["drop_prone"] if modes else None,
        "masc": masc,
        "eject": _ejection(board, unit),
        "mp_by_heat": list(_mp_by_heat(unit, jump)),
        "modes": modes,
        "hexes": {name: _hex(state, side, Hex.parse(name)) for name in sorted(reached)},
    }


def _masc(board: Board, unit: Unit, allowed: Allowance) -> Json | None:
    """Where a run with MASC leads, and on which roll it fails; None without one that works."""
    if not (masc_works(unit) and allowed.run):
        return None
    more = with_masc(allowed)
    arrivals = list(spread(board, more, begin(board, unit, "run")))
    reach = [_arrival(board, arrival) for arrival in arrivals[1:]]
    return {"mp": more.run, "fails_at_or_below": masc_number(unit), "reach": reach}


def _ejection(board: Board, unit: Unit) -> Json | None:
    """What ejecting by order needs; None where the mechwarrior cannot."""
    if not can_eject(unit):
        return None
    modifiers = ordered_number(board, unit)
    items = [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in modifiers]
    return {"number": sum(m.value for m in modifiers), "modifiers": items}


def _mp_by_heat(unit: Unit, jump: int) -> Iterator[Json]:
    """MP from each heat on; heat does not slow a jump."""
    before: Json = {}
    for at in heats_that_slow(HOTTEST):
        allowed = allowance(replace(unit, heat=at))
        row = {"walk": allowed.walk, "run": allowed.run, "jump": jump}
        if masc_works(unit):
            row["masc"] = with_masc(allowed).run
        if row != before:
            yield {"heat": at, **row}
            before = row


def _arrival(board: Board, arrival: Arrival) -> Json:
    """`always`: the one hex ahead that may be entered whatever it costs (minimum movement)."""
    at = arrival.at
    entry: Json = {
        "hex": str(board.hex_at(at.index)),
        "facing": league_facing(at.facing),
        "mp": at.mp,
        "hexes": at.hexes,
        "steps": arrival.steps,
    }
    if arrival.steps == "F" and at.mode == "run":
        entry["always"] = True
    if at.prone:
        entry["prone"] = True
    return entry | ({"checks": list(arrival.causes)} if arrival.causes else {})


def _jumps(board: Board, unit: Unit, allowed: Allowance, mp: int) -> Iterator[Json]:
    """Landings by a shortest way over what is low enough; the facing is free."""
    start = unit.position
    assert start is not None
    top = ceiling(board, unit, mp)
    ring: dict[Hex, tuple[str, ...]] = {start: ()}
    for far in range(1, mp + 1):
        further: dict[Hex, tuple[str, ...]] = {}
        for here, path in ring.items():
            for there in (neighbour(here, way) for way in DIRECTIONS):
                low = there in board and board.tops[board.index(there)] <= top
                if low and there not in further and distance(start, there) == far:
                    further[there] = (*path, str(there))
        yield from (
            _landing(board, unit, allowed, path)
            for there, path in further.items()
            if board.index(there) not in board.closed
        )
        ring = further


def _landing(board: Board, unit: Unit, allowed: Allowance, path: tuple[str, ...]) -> Json:
    jump = follow_jump(board, unit, allowed, [Hex.parse(h) for h in path])
    causes = [check.cause for check in jump.checks]
    entry: Json = {"hex": path[-1], "mp": jump.mp, "hexes": jump.mp, "path": list(path)}
    return entry | ({"checks": causes} if causes else {})


def _hex(state: State, side: str, place: Hex) -> Json:
    """Terrain of a hex, and the lines between it and the (nearest) rival's hex, as sums of modifiers."""
    board = state.board
    ground = board.ground(place)
    rival = state.units[state.rival(side)].position
    out: Json = {"terrain": ground.terrain.key, "level": ground.level, "distance": None}
    if rival is None or rival == place:
        return out | {"fire": None, "under_fire": None}
    prone = state.units[state.rival(side)].prone
    return out | {
        "distance": distance(place, rival),
        "fire": line_modifier(board, place, rival, False, prone),
        "under_fire": line_modifier(board, rival, place, prone, False),
    }
