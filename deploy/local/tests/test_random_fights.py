"""Fights by lot between models of the catalogue on boards drawn by lot: no exception, no illegal state.

Each one is simulated again from its orders and seed, and its events alone give its state.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, harm
from solaris_combat.engines.battletech.board import arena_ids
from solaris_combat.engines.battletech.hex import league_facing
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Fire, Movement, Orders, Shot
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import Roll, SeededDice
from solaris_local.bench import match
from solaris_local.bench.match import Match

MACRO_EVERY = 10
"""One fight in so many is four against four."""


class Recorded:
    """Dice that note what they showed."""

    def __init__(self, inner: SeededDice) -> None:
        self.inner = inner
        self.rolls: list[Roll] = []

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        self.rolls.append(self.inner.roll(count, sides, purpose))
        return self.rolls[-1]


def fight(number: int) -> Match:
    """The fight with a number; every third board is an arena's, one after the other."""
    arenas = arena_ids()
    arena = arenas[number // 3 % len(arenas)]
    return match.drawn(number, 8 if number % MACRO_EVERY == 7 else 2, wild=number % 3 > 0, arena_id=arena)


def play_and_check(number: int) -> None:
    """A whole fight, checked while it goes on and once more from its orders."""
    one = fight(number)
    begun = one.state
    for orders in one:
        before = one.state
        for side, ordered in orders.items():
            assert one.engine.check(before, side, ordered) == [], (number, side, ordered)
        one.carry_out(orders)
        assert faults(one.state) == [], (number, one.state.turn)
    assert one.engine.outcome(one.state) is not None
    simulate_again(begun, one)


def simulate_again(state: State, one: Match) -> None:
    """The same orders and seed give the same events; these give the same state, and hold every die once."""
    engine, position, events = one.engine, 0, []
    for orders in one.orders:
        dice = Recorded(one.dice_at(position))
        decided = engine.decide(state, orders, dice)
        assert not isinstance(decided, Asked)
        assert [roll for event in decided for roll in getattr(event, "rolls", ())] == dice.rolls
        for event in decided:
            state = engine.evolve(state, event)
        position = dice.inner.position
        events += decided
    assert events == one.events
    assert state == one.state


def faults(state: State) -> list[str]:
    """Everything that must not be in a state."""
    standing = [made for made in state.units.values() if made.destroyed is None and made.position is not None]
    found = [f"two in {place}" for place, n in Counter(made.hex for made in standing).items() if n > 1]
    for made in state.units.values():
        found += [f"{made.side}: {fault}" for fault in _faults(state, made)]
    return found


def _faults(state: State, made: Unit) -> list[str]:
    design = made.design
    checks = {
        "off the board": made.position is None or made.position in state.board,
        "facing": made.facing in range(6) and made.twist in (-1, 0, 1),
        "armour": all(
            0 <= left <= whole
            for at in made.armor
            for left, whole in zip(made.armor[at], design.armor[at], strict=True)
        ),
        "structure": all(0 <= made.structure[at] <= design.structure[at] for at in made.structure),
        "slots": all(1 <= n <= len(design.slots[at]) for at, n in made.hits),
        "rounds": all(len(made.belts[ammo.id]) <= ammo.shots for ammo in design.bins),
        "heat": made.heat >= 0 and made.heat_built >= 0,
        "wounds": made.pilot_hits >= made.unchecked_wounds >= 0,
        "prone and twisted": not (made.prone and made.twist),
    }
    return [name for name, right in checks.items() if not right]


@pytest.mark.parametrize("part", range(4))
def test_200_fights(part):
    """SIM1: 200 fights, 20 of them four against four."""
    for number in range(part * 50, part * 50 + 50):
        play_and_check(number)


@pytest.mark.soak
def test_10000_fights():
    """The same on demand, many more."""
    for number in range(1_000, 11_000):
        play_and_check(number)


KINDS = {
    *(
        "enemy",
        "ignite",
        "clear",
        "building",
        "ground",
        "air",
        "aim",
        "second_bin",
        "spotter",
        "double",
        "heat",
    ),
    *("flip_arms", "twist", "tree", "girder", "ams", "launcher", "punch", "kick", "punch at a hex"),
    *("stand", "walk", "run", "jump", "eject", "F", "B", "L", "R", "U", "D", "if_fallen", "loaded"),
}


def test_every_kind_of_order_is_drawn():
    """All of them in a few dozen fights, so that 200 fights try what may be ordered."""
    missing = set(KINDS)
    for number in range(120):
        one = fight(number)
        for orders in one:
            missing -= {kind for ordered in orders.values() for kind in kinds(ordered)}
            one.carry_out(orders)
        if not missing:
            return
    assert missing == set()


def kinds(ordered: Orders) -> Iterator[str]:
    if ordered.initial is not None and ordered.initial.bins:
        yield "loaded"
    if ordered.fire is not None:
        yield from fire_kinds(ordered.fire)
    if ordered.movement is not None:
        yield from (ordered.movement.mode, *ordered.movement.steps)
        yield "if_fallen" if ordered.movement.if_fallen else ""


def fire_kinds(fire: Fire) -> Iterator[str]:
    yield from (fire.pick_up, fire.twist and "twist", fire.flip_arms and "flip_arms")
    for one in fire.ams:
        yield "launcher" if one.launcher else "ams"
    for blow in fire.physical:
        yield f"{blow.attack} at a hex" if blow.target.isdigit() else blow.attack
    for shot in fire.shots:
        yield from (shot.mode, "enemy" if shot.target else shot.intent or "air")
        yield from (name for name in ("aim", "second_bin", "spotter") if getattr(shot, name))


def test_accepted_orders_lie_within_the_options():
    """Every part of orders that pass is offered: twist, weapon, target, bin, attack, goal of a movement."""
    for number in range(100, 106):
        one = match.drawn(number, wild=True)
        for orders in one:
            for side, ordered in orders.items():
                assert one.engine.check(one.state, side, ordered) == []
                within(one.engine.options(one.state, side), one.state, side, ordered)
            one.carry_out(orders)


def within(options: dict[str, Any], state: State, side: str, ordered: Orders) -> None:
    if ordered.fire is not None:
        fire_within(options["fire"], state, ordered.fire)
    if ordered.movement is not None:
        movement_within(options["movement"], state, side, ordered.movement)


def fire_within(options: dict[str, Any], state: State, fire: Fire) -> None:
    pose = (fire.twist, fire.flip_arms)
    twist = next(one for one in options["twists"] if (one["twist"], one["flip_arms"]) == pose)
    weapons = {weapon["weapon"]: weapon for weapon in twist["weapons"]}
    for shot in fire.shots:
        shot_within(options, state, weapons[shot.weapon], shot)
    blows = [(b["attack"], b["limb"], b["target"]) for b in twist["physical"] if b["possible"]]
    blows += [(b["attack"], b["limb"], b["target"]) for b in twist["ground_blows"]]
    for strike in fire.physical:
        limb = None if strike.limb is None else str(strike.limb)
        assert (strike.attack, limb, strike.target) in blows
    assert not fire.pick_up or fire.pick_up in [club["kind"] for club in options["clubs"]]
    offered = {one["ams"] for one in options.get("ams", {}).get("systems", ())}
    assert {one.ams for one in fire.ams} <= offered


def shot_within(options: dict[str, Any], state: State, weapon: dict[str, Any], shot: Shot) -> None:
    assert not shot.mode or shot.mode in [mode["mode"] for mode in weapon["modes"]]
    assert {shot.bin, shot.second_bin} - {None} <= set(weapon["bins"])
    if shot.hex is not None and shot.intent != "ground":
        offered = {one["hex"]: one["intents"] for one in options["ground"]}
        assert shot.intent in offered[str(shot.hex)]
    if not shot.target:
        return
    target = next(one for one in weapon["targets"] if one["target"] == shot.target)
    if shot.spotter:
        assert shot.spotter in [one["spotter"] for one in target["indirect"] if one["possible"]]
    else:
        assert target["possible"]
    assert not shot.computer or weapon["aims_by_computer"]
    assert not shot.aim or shot.computer or (shot.target in options["immobile"])
    assert not shot.aim or str(shot.aim) in [*options["aim_at"], *map(str, Location)]


def movement_within(options: dict[str, Any], state: State, side: str, move: Movement) -> None:
    if move.mode == "eject":
        assert options["eject"] is not None
    elif move.mode != "stand":
        place, facing = _goal(state, side, move)
        here = (options["here"]["hex"], options["here"]["facing"])
        assert (place, facing) in _reached(options, move) or (place, facing) == here


def _goal(state: State, side: str, move: Movement) -> tuple[str, int]:
    if move.mode == "jump":
        assert move.facing is not None
        return str(move.path[-1]), league_facing(move.facing)
    place, facing = state.units[side].hex, state.units[side].facing
    board = state.board
    for step in move.steps:
        facing += {"L": -1, "R": 1}.get(step, 0)
        if step in ("F", "B"):
            ahead = (facing + (3 if step == "B" else 0)) % 6
            place = board.hex_at(board.step(board.index(place), ahead))
    return str(place), league_facing(facing % 6)


def _reached(movement: dict[str, Any], move: Movement) -> set[tuple[str, int]]:
    offer = movement["masc"] if move.masc else movement["modes"][move.mode]
    facings = range(1, 7) if move.mode == "jump" else ()
    return {(entry["hex"], f) for entry in offer["reach"] for f in facings or (entry["facing"],)}


def test_rounds_are_conserved():
    """Every round loaded was fired, is still there, or went up with its bin."""
    for number in range(300, 330):
        one = match.played(number, wild=True)
        for side, made in one.state.units.items():
            loaded = next(e for e in one.events if isinstance(e, ev.LoadoutFixed) and e.side == side)
            gone = fired(one.events, side)
            blown = {e.item for e in one.events if isinstance(e, harm.Explosion) and e.side == side}
            for store, rounds in loaded.bins.items():
                if store not in blown:
                    assert len(made.belts[store]) == rounds - gone[store], (number, side, store)


def fired(events: list[Any], side: str) -> Counter[str]:
    """Rounds each bin of a side gave to weapons, less those that a launcher without a lock kept."""
    gone: Counter[str] = Counter()
    for event in events:
        if isinstance(event, ev.FireDeclared) and event.side == side:
            gone.update(name for shot in event.shots for name in (shot.bin, shot.second_bin) if name)
        if isinstance(event, ev.ShotResolved) and event.side == side and event.bin and not event.spent:
            gone[event.bin] -= 1
        if isinstance(event, fire_events.AmsFired) and event.side == side:
            gone.update(event.rounds)
        if isinstance(event, harm.Explosion) and event.side == side and event.bin:
            gone[event.bin] += 1
    return gone


def test_what_a_side_sees_does_not_depend_on_what_the_other_sealed():
    """Views, options and previews are asked of the state alone; deciding leaves that state as it was."""
    for number in range(200, 203):
        one = match.drawn(number, wild=True)
        for orders in one:
            before = looks(one, orders["A"])
            others = {**orders, "B": one.engine.default_orders(one.state, "B")}
            for sealed in (orders, others):
                one.engine.decide(one.state, dict(sealed), one.dice())
                assert looks(one, orders["A"]) == before
            one.carry_out(orders)


def looks(one: Match, ordered: Orders) -> list[Any]:
    engine, state = one.engine, one.state
    return [
        engine.view(state, "A"),
        engine.options(state, "A"),
        engine.preview(state, "A", ordered),
        engine.check(state, "A", ordered),
    ]


def test_boards_by_lot_are_the_same_for_the_same_number():
    first, second = (match.drawn(11, wild=True).state.arena for _ in range(2))
    assert first.board.grounds == second.board.grounds
    assert first.starts == second.starts
