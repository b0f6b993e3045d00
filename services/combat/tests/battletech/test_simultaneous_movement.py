"""Both move at once: who keeps a hex, who is in the way, and never two in one hex (D, C-03; SIM1)."""

import random
from collections.abc import Iterator
from functools import cache

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.way import lay_way
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice, SeededDice

STEADY = [6, 6] * 40


def moving(turn: int = 1, **sides: dict) -> State:
    """A fight in which movement is wanted, with the units put where a test wants them."""
    state = begin(ENGINE, setup(), b"").state
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", {}, True))
    state = ENGINE.evolve(state, ev.Asking(turn, "movement"))
    return arrange(state, **sides)


def order(**movement: object) -> Orders:
    return ENGINE.parse_orders({"turn": 1, "movement": movement})


def stand() -> Orders:
    return order(mode="stand")


def walk(steps: str) -> Orders:
    return order(mode="walk", steps=list(steps))


def decide(state: State, a: Orders, b: Orders, faces: list[int]) -> tuple[State, list[object]]:
    """State and events after both orders; the dice show `faces` and must not be used up."""
    events = ENGINE.decide(state, {"A": a, "B": b}, ScriptedDice(faces))
    assert not isinstance(events, Asked)
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def where(state: State) -> tuple[str, str]:
    return str(state.units["A"].position), str(state.units["B"].position)


def facing_each_other() -> State:
    """Clear level ground: 0504 lies between A, which faces it from the south-west, and B."""
    return moving(A={"position": "0404", "facing": 1}, B={"position": "0603", "facing": 4})


@pytest.mark.parametrize(
    ("faces", "places"),
    [
        ([1, 2, 3, 4], ("0504", "0603")),
        ([5, 2, 3, 3], ("0404", "0504")),
        ([1, 2, 2, 1, 6, 6, 1, 1], ("0404", "0504")),
    ],
)
def test_the_loser_of_initiative_keeps_the_disputed_hex(faces: list[int], places: tuple[str, str]) -> None:
    state, events = decide(facing_each_other(), walk("F"), walk("F"), faces)
    assert where(state) == places
    rolled = next(event for event in events if isinstance(event, ev.InitiativeRolled))
    assert rolled.hex == "0504"
    assert sum(len(roll.faces) for roll in rolled.rolls) == len(faces)
    stopped = [event for event in events if isinstance(event, ev.UnitMoved) and event.stopped]
    assert [(event.side, event.stopped, event.left_out) for event in stopped] == [
        (rolled.winner, "same-hex", 1)
    ]


def test_the_winner_only_counts_the_hexes_he_really_entered() -> None:
    state = moving(A={"position": "0304", "facing": 2}, B={"position": "0603", "facing": 4})
    after, _ = decide(state, walk("FLF"), walk("F"), [6, 6, 1, 1])
    assert where(after) == ("0404", "0504")
    assert after.units["A"].moved.hexes == 1
    assert after.units["A"].moved.mp == 2


def test_a_loser_who_falls_on_his_way_leaves_the_hex_to_the_winner() -> None:
    """A loses initiative for 0808 but falls in the water on the way there and lies; so B walks in."""
    state = begin(ENGINE, setup("JVN-10N", "PNT-9R"), b"").state
    a, b = {"position": "0608", "facing": 1}, {"position": "0807", "facing": 3}
    state = arrange(ENGINE.evolve(state, ev.Asking(1, "movement")), A=a, B=b)
    wade = order(mode="walk", steps=["F", "R", "F"], if_fallen={"attempts": 0, "steps": []})
    assert ENGINE.check(state, "A", wade) == ENGINE.check(state, "B", walk("F")) == []
    faces = [1, 1, 6, 6, 1, 1, 1, 4, 4, 1, 1, 6, 6, 6, 6]
    after, events = decide(state, wade, walk("F"), faces)
    assert where(after) == ("0708", "0808")
    assert after.units["A"].prone
    assert next(event for event in events if isinstance(event, ev.InitiativeRolled)).winner == "B"


def test_no_initiative_when_only_the_ways_cross() -> None:
    state, events = decide(facing_each_other(), walk("FF"), walk("FF"), [])
    assert where(state) == ("0603", "0404")
    assert not [event for event in events if isinstance(event, ev.InitiativeRolled)]


def test_a_unit_that_stands_still_keeps_its_hex() -> None:
    state = moving(A={"position": "0404", "facing": 1}, B={"position": "0504", "facing": 4})
    after, events = decide(state, walk("FF"), stand(), [])
    assert where(after) == ("0404", "0504")
    blocked = next(event for event in events if isinstance(event, ev.UnitMoved) and event.side == "A")
    assert (blocked.stopped, blocked.left_out, blocked.hexes) == ("occupied", 2, 0)


def test_turning_on_the_spot_does_not_give_the_hex_up() -> None:
    state = moving(A={"position": "0404", "facing": 1}, B={"position": "0504", "facing": 4})
    after, _ = decide(state, walk("F"), walk("LL"), [])
    assert where(after) == ("0404", "0504")


def test_a_jump_may_cross_but_not_land_on_a_unit_that_stays() -> None:
    state = moving(A={"position": "0404", "facing": 1}, B={"position": "0504", "facing": 4})
    over = order(mode="jump", path=["0504", "0603"], facing=1)
    assert where(decide(state, over, stand(), [])[0]) == ("0603", "0504")
    onto = order(mode="jump", path=["0403", "0504"], facing=1)
    after, events = decide(state, order(mode="jump", path=["0504"], facing=3), stand(), [])
    assert where(after) == ("0404", "0504")
    assert ENGINE.check(state, "A", onto) != []
    flown = next(event for event in events if isinstance(event, ev.UnitMoved) and event.side == "A")
    assert (flown.mode, flown.stopped, flown.hexes) == ("jump", "occupied", 0)


def test_two_jumps_to_one_hex_are_settled_like_walking() -> None:
    state = moving(A={"position": "0404", "facing": 1}, B={"position": "0603", "facing": 4})
    a, b = (order(mode="jump", path=["0504"], facing=1), order(mode="jump", path=["0504"], facing=4))
    after, _ = decide(state, a, b, [6, 6, 1, 1])
    assert where(after) == ("0404", "0504")
    assert after.units["A"].moved.mode == "jump"


def test_who_cannot_leave_keeps_the_hex_and_the_other_steps_back() -> None:
    """B lies and means to get up and away, but fails to: A, who walked into its hex, ends one before."""
    state = moving(A={"position": "0404", "facing": 1}, B={"position": "0504", "facing": 4, "prone": True})
    faces = [1, 1, 3, 3, 3, 6, 6]
    after, events = decide(state, walk("F"), walk("UF"), faces)
    assert where(after) == ("0404", "0504")
    back = next(event for event in events if isinstance(event, ev.UnitSteppedBack))
    assert (back.side, back.kept_by, back.hex, back.hexes) == ("A", "B", "0404", 0)
    assert after.units["A"].moved.hexes == 0


def _random_orders(rng: random.Random, state: State, side: str) -> Orders:
    """Legal movement or none: random steps cut where they stop being legal, or a random jump."""
    unit = state.units[side]
    if rng.random() < 0.2 and not unit.prone:
        path, here = [], unit.position
        for _ in range(rng.randint(1, 6)):
            here = type(here)(here.col + rng.choice((-1, 0, 1)), here.row + rng.choice((-1, 0, 1)))
            path.append(here)
        jump = {"mode": "jump", "path": [str(h) for h in path], "facing": rng.randint(1, 6)}
        if all(len(text) == 4 and text.isdigit() for text in jump["path"]):
            orders = ENGINE.parse_orders({"turn": 1, "movement": jump})
            if not ENGINE.check(state, side, orders):
                return orders
    steps = rng.choices("FBLRUD", (8, 2, 3, 3, 1, 0.3), k=rng.randint(1, 9))
    if unit.prone:
        steps = ["U"] * rng.randint(1, 2) + steps
    mode = rng.choice(("walk", "run"))
    while steps:
        orders = ENGINE.parse_orders({"turn": 1, "movement": {"mode": mode, "steps": steps}})
        wrong = ENGINE.check(state, side, orders)
        if not wrong:
            return orders
        steps = steps[:-1]
    return stand()


def _near(rng: random.Random) -> Iterator[dict]:
    """Two places near each other on the board."""
    col, row = rng.randint(3, 13), rng.randint(3, 14)
    spots = [(col + dc, row + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1)]
    for spot in rng.sample(spots, 2):
        yield {
            "position": f"{spot[0]:02d}{spot[1]:02d}",
            "facing": rng.randint(0, 5),
            "prone": rng.random() < 0.15,
        }


def _towards(rng: random.Random, state: State, side: str, orders: Orders) -> Orders | None:
    """Orders for the other side that end where these mean to end, if it can get there."""
    other = state.rival(side)
    goal = str(lay_way(Play(state, ScriptedDice(())), side, orders.movement).hexes[-1])
    modes = ENGINE.options(state, other)["movement"]["modes"]
    ways = [
        {"mode": mode, "steps": list(entry["steps"])}
        for mode in ("walk", "run")
        for entry in modes.get(mode, {"reach": []})["reach"]
        if entry["hex"] == goal
    ]
    return order(**rng.choice(ways)) if ways else None


@cache
def _opened() -> State:
    return moving()


def _clash(seed: int) -> tuple[State, list[object]]:
    rng = random.Random(seed)
    a, b = _near(rng)
    state = arrange(_opened(), A=a, B=b)
    orders = {side: _random_orders(rng, state, side) for side in "AB"}
    if seed % 2:
        orders["B"] = _towards(rng, state, "A", orders["A"]) or orders["B"]
    for _ in range(20):
        events = ENGINE.decide(state, orders, SeededDice(seed.to_bytes(8, "big")))
        if not isinstance(events, Asked):
            break
        for side in events.questions:
            answer = {"turn": 1, "answers": [{"attempts": rng.randint(0, 1), "steps": []}]}
            orders[side] = ENGINE.add_answer(orders[side], ENGINE.parse_orders(answer))
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def _never_in_one_hex(seeds: range) -> dict[str, int]:
    seen: dict[str, int] = {}
    for seed in seeds:
        state, events = _clash(seed)
        a, b = state.units.values()
        assert a.position != b.position, f"seed {seed}"
        for event in events:
            seen[type(event).__name__] = seen.get(type(event).__name__, 0) + 1
    return seen


def test_sim1_never_two_units_in_one_hex() -> None:
    """SIM1 over random order pairs of units that stand close; the soak test runs 100,000."""
    seen = _never_in_one_hex(range(500))
    assert seen["InitiativeRolled"] > 90
    assert seen["UnitFell"] > 20
    assert seen["UnitSteppedBack"] > 0


@pytest.mark.soak
def test_sim1_never_two_units_in_one_hex_in_100000_pairs() -> None:
    """SIM1, the full count."""
    _never_in_one_hex(range(100_000))
