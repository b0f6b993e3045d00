"""Physical attacks in play: what may be declared, what they do, and what follows from them."""

from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice

KICK = {"attack": "kick", "limb": "RL", "target": "B"}
PUNCH = {"attack": "punch", "limb": "RA", "target": "B"}
LEFT = {"attack": "punch", "limb": "LA", "target": "B"}
PUSH = {"attack": "push", "target": "B"}


def close(kind: str = "fire_and_movement", **sides: dict[str, Any]) -> State:
    """Two Hunchbacks (50 t) on open ground: A in 0204 looks south at B in 0205, which looks back."""
    state = begin(ENGINE, setup("HBK-4G", "HBK-4G"), bytes(32)).state
    state = ENGINE.evolve(ENGINE.evolve(state, ev.PhaseBegan(3, "movement")), ev.Asking(3, kind))
    a, b = {"position": "0204", "facing": 3}, {"position": "0205", "facing": 0}
    return arrange(state, A=a | sides.get("a", {}), B=b | sides.get("b", {}))


def fire(*physical: dict[str, Any], shots: tuple[dict[str, Any], ...] = (), twist: int = 0) -> Orders:
    data = {"twist": twist, "shots": list(shots), "physical": list(physical)}
    return ENGINE.parse_orders({"turn": 3, "fire": data, "movement": {"mode": "stand"}})


def against(strike: dict[str, Any]) -> dict[str, Any]:
    """The same attack of B on A."""
    return strike | {"target": "A"}


def resolve(state: State, a: Orders, b: Orders, *faces: int) -> tuple[State, list[Any]]:
    """Carry out the orders with exactly these faces; every face stands in an event, in order."""
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": a, "B": b}, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    told = [face for event in events for roll in getattr(event, "rolls", ()) for face in roll.faces]
    assert told == list(faces)
    for event in events:
        state = ENGINE.evolve(state, event)
    positions = [unit.position for unit in state.units.values() if not unit.prone]
    assert len(positions) == len(set(positions))
    return state, list(events)


def only(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


LASER = {"weapon": "ra-medium-laser-1", "target": "B"}
LEFT_LASER = {"weapon": "la-medium-laser-1", "target": "B"}
CANNON = {"weapon": "rt-ac-20-1", "target": "B"}


@pytest.mark.parametrize(
    ("facts", "orders", "pointer", "code"),
    [
        ({}, fire(KICK, shots=(LASER, CANNON)), None, None),
        ({}, fire(PUNCH, LEFT), None, None),
        ({}, fire(PUNCH, shots=(LEFT_LASER,)), None, None),
        ({}, fire(PUSH, shots=(CANNON,)), None, None),
        ({}, fire(PUNCH, shots=(LASER,)), "/fire/physical/0", "attack-impossible"),
        ({}, fire(PUSH, shots=(LASER,)), "/fire/physical/0", "attack-impossible"),
        ({}, fire(KICK, PUNCH), "/fire/physical", "one-physical-attack"),
        ({}, fire(PUNCH, PUNCH), "/fire/physical", "one-physical-attack"),
        ({}, fire(KICK, {**KICK, "limb": "LL"}), "/fire/physical", "one-physical-attack"),
        ({}, fire(PUNCH, LEFT, PUSH), "/fire/physical", "one-physical-attack"),
        ({}, fire({**KICK, "target": "A"}), "/fire/physical/0/target", "unknown-target"),
        ({}, fire({**KICK, "limb": "RA"}), "/fire/physical/0/limb", "no-such-attack"),
        ({}, fire({**KICK, "limb": None}), "/fire/physical/0/limb", "no-such-attack"),
        ({}, fire({**PUSH, "limb": "RA"}), "/fire/physical/0/limb", "no-such-attack"),
        ({}, fire({**PUNCH, "attack": "hatchet"}), "/fire/physical/0/limb", "no-such-attack"),
        ({}, fire({**PUSH, "attack": "club"}), "/fire/physical/0/limb", "no-such-attack"),
        ({}, fire({**PUSH, "attack": "death_from_above"}), "/fire/physical/0/attack", "charge-not-available"),
        ({"facing": 0}, fire(KICK), "/fire/physical/0", "attack-impossible"),
        ({"prone": True}, fire(KICK), "/fire/physical/0", "attack-impossible"),
        ({"shutdown": True}, fire(KICK), "/fire", "out-of-action"),
        ({"position": "0203"}, fire(KICK), "/fire/physical/0", "attack-impossible"),
    ],
)
def test_illegal_attacks_are_refused_with_their_place(
    facts: dict[str, Any], orders: Orders, pointer: str | None, code: str | None
) -> None:
    found = [(v.pointer, v.code) for v in ENGINE.check(close(a=facts), "A", orders)]
    assert (pointer, code) in found if pointer else found == []


def test_the_torso_twist_of_the_order_counts_for_arms() -> None:
    beside = close(b={"position": "0305"}, a={"facing": 4})
    assert ENGINE.check(beside, "A", fire(PUNCH)) != []
    assert ENGINE.check(beside, "A", fire(PUNCH, twist=-1)) == []
    assert ENGINE.check(beside, "A", fire(LEFT)) == []


def test_a_kick_lands_and_asks_the_target_for_a_roll() -> None:
    """4+3 hits on 3; die 2 is the right leg: 10 of 20 armour; piloting 5 is met by 2+3."""
    after, events = resolve(close(), fire(KICK), fire(), 4, 3, 2, 2, 3)
    assert [event.phase for event in only(events, ev.PhaseBegan)][:2] == ["weapon_fire", "physical_attack"]
    struck = only(events, ev.PhysicalResolved)[0]
    assert (struck.number, struck.table, struck.hit, struck.damage) == (3, "kick", True, 10)
    assert (struck.target_cause, struck.own_cause) == ("was_kicked", "")
    assert after.units["B"].armor[Location.RL] == (10, 0)
    roll = only(events, ev.PilotingRollMade)[0]
    assert (roll.side, roll.cause, roll.number, roll.success) == ("B", "was_kicked", 5, True)
    assert not only(events, ev.MovementVoided)


def test_a_kick_that_misses_asks_the_kicker_and_a_fall_voids_movement() -> None:
    """1+1 misses; 2+2 fails on 5: A falls on its front, 5 points, and saves itself with 6+6."""
    after, events = resolve(close(), fire(KICK), fire(), 1, 1, 2, 2, 1, 3, 4, 6, 6)
    roll = only(events, ev.PilotingRollMade)[0]
    assert (roll.side, roll.cause, roll.success) == ("A", "missed_kick", False)
    assert after.units["A"].prone
    assert after.wanted == ev.Asking(4, "movement")
    assert only(events, ev.MovementVoided)[0].fallen == ("A",)


def test_two_that_strike_each_other_do_so_at_once() -> None:
    """A's punch takes B's left arm off, and B still strikes with it."""
    unit = close().units["B"]
    frail = {
        "armor": {**unit.armor, Location.LA: (0, 0)},
        "structure": {**unit.structure, Location.LA: 1},
    }
    faces = (6, 6, 1, 1, 1, 2, 6, 5)
    after, events = resolve(close(b=frail), fire(PUNCH), fire(against(LEFT)), *faces)
    assert [(one.side, one.hit, one.damage) for one in only(events, ev.PhysicalResolved)] == [
        ("A", True, 5),
        ("B", True, 5),
    ]
    assert after.units["B"].structure[Location.LA] == 0


def test_an_attack_the_weapons_made_impossible_says_so() -> None:
    """B went down before the phase: a punch at the same level is impossible, a kick easier by 2."""
    state = close(b={"prone": True})
    assert ENGINE.check(state, "A", fire(PUNCH)) != []
    _, events = resolve(close(b={"prone": True}), fire(PUNCH), fire())
    told = only(events, ev.PhysicalResolved)[0]
    assert (told.impossible, told.rolls, told.number) == ("target level out of reach", (), None)
    _, events = resolve(close(b={"prone": True}), fire(KICK), fire(), 1, 1, 4, 3)
    kicked = only(events, ev.PhysicalResolved)[0]
    assert [item.value for item in kicked.modifiers] == [3, -2]
    assert (kicked.hit, kicked.table) == (True, "normal")


def test_a_limb_lost_to_the_weapons_of_the_turn_does_not_strike() -> None:
    """B's cannon takes A's right arm off: 6+6 hits, 1+2 is the right arm."""
    unit = close().units["A"]
    frail = {
        "armor": {**unit.armor, Location.RA: (0, 0)},
        "structure": {**unit.structure, Location.RA: 5, Location.RT: 12},
    }
    shot = {"weapon": "la-medium-laser-1", "target": "A"}
    state = close(a=frail)
    assert ENGINE.check(state, "A", fire(PUNCH)) == []
    _, events = resolve(state, fire(PUNCH), fire(shots=(shot,)), 6, 6, 1, 2, 1, 1)
    assert only(events, ev.PhysicalResolved)[0].impossible == "arm missing"


def test_a_push_moves_both_and_asks_the_target() -> None:
    """B goes to 0206, A follows to 0205; the movements of turn 4 are asked for again."""
    after, events = resolve(close(), fire(PUSH), fire(), 2, 2, 3, 3)
    moved = [(one.side, one.by, one.start, one.hex) for one in only(events, ev.UnitDisplaced)]
    assert moved == [("B", "A", "0205", "0206"), ("A", "A", "0204", "0205")]
    assert (after.units["A"].position, after.units["B"].position) == (Hex(2, 5), Hex(2, 6))
    voided = only(events, ev.MovementVoided)[0]
    assert (voided.fallen, voided.displaced) == ((), ("A", "B"))
    assert after.wanted == ev.Asking(4, "movement")


def test_a_push_that_misses_moves_nobody() -> None:
    after, events = resolve(close(), fire(PUSH), fire(), 1, 2)
    assert not only(events, ev.UnitDisplaced)
    assert after.wanted == ev.Asking(4, "fire_and_movement")


def test_two_pushes_that_hit_leave_both_where_they_are() -> None:
    after, events = resolve(close(), fire(PUSH), fire(against(PUSH)), 2, 2, 3, 3, 4, 4, 4, 4)
    assert not only(events, ev.UnitDisplaced)
    assert [(roll.side, roll.cause) for roll in only(events, ev.PilotingRollMade)] == [
        ("A", "was_pushed"),
        ("B", "was_pushed"),
    ]
    assert after.units["A"].position == Hex(2, 4)


def test_a_push_over_a_drop_is_a_fall_there() -> None:
    """From 1402 (level 2, light woods) down to 1503 on level 0: 5 x 3 points in three groups.

    It falls on its front; 6+6 saves the mechwarrior at 5 and 2 for the levels.
    """
    cliff = close(a={"position": "1302", "facing": 2}, b={"position": "1402"})
    after, events = resolve(cliff, fire(PUSH), fire(), 2, 3, 1, 3, 4, 3, 4, 3, 4, 6, 6)
    fell = only(events, ev.UnitFell)[0]
    assert (fell.side, fell.hex, fell.levels, fell.damage) == ("B", "1503", 2, 15)
    assert after.units["B"].prone
    assert (after.units["A"].position, after.units["B"].position) == (Hex(14, 2), Hex(15, 3))
    assert [roll.cause for roll in only(events, ev.PilotingRollMade)] == ["fall"]
    assert only(events, ev.MovementVoided)[0].fallen == ("B",)


def test_who_is_pushed_into_water_rolls_for_that_too() -> None:
    """0609, 0710 and 0810 hold water of depth 1: 4 + 1 - 1 + 3 to push; the water's roll is 1 easier."""
    pool = close(a={"position": "0609", "facing": 2}, b={"position": "0710"})
    _, events = resolve(pool, fire(PUSH), fire(), 4, 3, 2, 2, 2, 3, 2, 2)
    assert only(events, ev.PhysicalResolved)[0].number == 7
    rolls = [(roll.side, roll.cause, roll.number) for roll in only(events, ev.PilotingRollMade)]
    assert rolls == [
        ("A", "entered_water_depth_1", 4),
        ("B", "was_pushed", 5),
        ("B", "entered_water_depth_1", 4),
    ]


def test_the_edge_of_the_arena_holds_a_pushed_mech() -> None:
    board = close().arena.board
    edge = close(a={"position": "0516"}, b={"position": "0517"})
    assert board.floors[board.index(Hex(5, 16))] == board.floors[board.index(Hex(5, 17))]
    after, events = resolve(edge, fire(PUSH), fire(), 2, 2, 3, 3)
    assert not only(events, ev.UnitDisplaced)
    assert only(events, ev.PilotingRollMade)[0].cause == "was_pushed"
    assert after.units["B"].position == Hex(5, 17)


def test_aimed_shots_at_a_mech_that_cannot_move() -> None:
    """The medium laser needs 3 more instead of 4 less at the head; 3+4 of the second roll strikes it."""
    aimed = {**LASER, "aim": "HD"}
    assert [v.code for v in ENGINE.check(close(), "A", fire(shots=(aimed,)))] == ["shot-impossible"]
    still = close(kind="fire", b={"shutdown": True})
    orders = ENGINE.parse_orders({"turn": 3, "fire": {"shots": [aimed]}})
    assert ENGINE.check(still, "A", orders) == []
    assert ENGINE.options(still, "A")["fire"]["aim_at"][0] == "HD"
    nothing = ENGINE.parse_orders({"turn": 3, "fire": {}})
    after, events = resolve(still, orders, nothing, 6, 6, 3, 4, 6, 6)
    shot = only(events, ev.ShotResolved)[0]
    assert (shot.aim, [item.value for item in shot.modifiers]) == (Location.HD, [4, 3])
    assert only(events, harm.DamageStep)[0].location == Location.HD
    assert after.units["B"].pilot_hits == 1


def test_options_and_preview_tell_the_attacks() -> None:
    twist = ENGINE.options(close(), "A")["fire"]["twists"][0]
    told = {(one["attack"], one["limb"]): one for one in twist["physical"]}
    assert set(told) == {
        ("punch", "RA"),
        ("punch", "LA"),
        ("kick", "RL"),
        ("kick", "LL"),
        ("push", None),
    }
    assert told["punch", "RA"]["holds_fire"] == ["RA"]
    assert told["push", None]["holds_fire"] == ["RA", "LA"]
    assert (told["kick", "RL"]["number"], told["kick", "RL"]["damage"]) == (3, 10)
    preview = ENGINE.preview(close(), "A", fire(KICK))["fire"]["physical"]
    assert [(one["attack"], one["number"], one["damage"]) for one in preview] == [("kick", 3, 10)]
    far = ENGINE.options(close(a={"position": "0201"}), "A")["fire"]["twists"][0]
    assert far["physical"] == []
