"""Shots at hexes and into the air, fires, smoke and walls, as a fight plays them."""

from dataclasses import replace
from typing import Any

from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events, ground_events, heat_events
from solaris_combat.engines.battletech.battlefield import Fire, untouched
from solaris_combat.engines.battletech.board import board_from_texts
from solaris_combat.engines.battletech.collapse import tread
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.contract import OrdersInvalid
from solaris_combat.engines.dice import ScriptedDice, SeededDice, dice_key

SEED = bytes(32)
TURN = 3


def stand(hexes: dict[str, tuple[int, str]], left: str = "GRF-1N", **sides: Any) -> State:
    """Both sides on a bare board of 12 x 12 in the fire phase of turn 3, A facing north."""
    state = begin(ENGINE, setup(left, "WVR-6R"), SEED).state
    places = {"A": {"position": "0608", "facing": 0}, "B": {"position": "0102", "facing": 3}}
    facts = {side: places[side] | sides.get(side, {}) for side in "AB"}
    state = arrange(state, **facts)
    board = board_from_texts(12, 12, hexes)
    wanted = events.Asking(TURN, "fire")
    return replace(state, ground=untouched(board), wanted=wanted, turn=TURN, phase="movement")


def orders(*shots: dict[str, Any], turn: int = TURN) -> Any:
    return ENGINE.parse_orders({"turn": turn, "fire": {"shots": list(shots)}})


def at(weapon: str, where: str, intent: str, **more: Any) -> dict[str, Any]:
    return {"weapon": weapon, "hex": where, "intent": intent, **more}


PPC, LRM = "ra-ppc-1", "rt-lrm-10-1"


def volley(state: State, *shots: dict[str, Any], seed: int = 0) -> tuple[Any, ...]:
    fire = orders(*shots)
    assert ENGINE.check(state, "A", fire) == [], ENGINE.check(state, "A", fire)
    dice = SeededDice(dice_key(seed.to_bytes(32, "big"), (SEED, SEED)))
    return ENGINE.decide(state, {"A": fire, "B": orders()}, dice)


def folded(state: State, happened: tuple[Any, ...]) -> State:
    for event in happened:
        state = evolve(state, event)
    return state


def of(kind: type, happened: tuple[Any, ...]) -> list[Any]:
    return [event for event in happened if isinstance(event, kind)]


def refused(state: State, *shots: dict[str, Any]) -> list[str]:
    return [one.detail for one in ENGINE.check(state, "A", orders(*shots))]


def until(wanted, state: State, *shots: dict[str, Any]) -> tuple[Any, ...]:
    """The first of some seeds whose volley has an event as wanted."""
    for seed in range(60):
        happened = volley(state, *shots, seed=seed)
        if any(wanted(event) for event in happened):
            return happened
    raise AssertionError("none of the seeds shows it")


def test_no_shot_goes_beyond_the_board() -> None:
    """C-37: the ground that is fired at is a hex of the arena."""
    state = stand({})
    for intent in ("ground", "clear", "building", "ignite"):
        (refused,) = ENGINE.check(state, "A", orders(at(PPC, "9901", intent)))
        assert refused.detail == f"{PPC} cannot hit 9901: hex not on the board"
    assert ENGINE.check(state, "A", orders(at(PPC, "0101", "ground"))) == []


def test_woods_are_set_on_fire_on_purpose():
    """D: -4 for the hex, which stands still; its own woods do not count; then the Fire Table."""
    state = stand({"0605": (0, "woods:2")})
    happened = until(lambda e: isinstance(e, ground_events.FireLit), state, at(PPC, "0605", "ignite"))
    (shot,) = of(events.ShotResolved, happened)
    assert (shot.target, shot.hex, shot.intent) == ("", "0605", "ignite")
    assert [(m.value, m.reason) for m in shot.modifiers] == [
        (4, "gunnery skill"),
        (1, "minimum range"),
        (-4, "target immobile"),
    ]
    (rolled,) = [e for e in of(ground_events.IgnitionRolled, happened) if e.cause == "intent"]
    assert (rolled.number, rolled.success) == (7, True)
    after = folded(state, happened)
    index = after.board.index(Hex(6, 5))
    assert after.ground.fires[index] == Fire(TURN)
    assert after.board.woods[after.board.step(index, after.ground.wind)] == 3


def test_a_missed_shot_at_a_hex_does_nothing():
    """FIR4: neither one that was to set woods on fire nor one that was to clear them."""
    state = stand({"0605": (0, "woods:2")}, A={"gunnery": 7, "heat": 24})

    def missed(event):
        return isinstance(event, events.ShotResolved) and not event.hit

    happened = until(missed, state, at(PPC, "0605", "ignite"))
    assert not of(ground_events.IgnitionRolled, happened)
    tried = [volley(state, at(PPC, "0605", "clear"), seed=seed) for seed in range(30)]
    quiet = [one for one in tried if all(map(missed, of(events.ShotResolved, one)))]
    assert quiet and not [e for one in quiet for e in of(ground_events.ClearingRolled, one)]


def test_woods_may_burn_before_any_attempt_to_clear_them():
    """D, accidental fires: rolled before the shot, so whether it hits or not; what burns is not cleared."""
    state = stand({"0605": (0, "woods:2")}, A={"gunnery": 7, "heat": 24})
    seen = set()
    for seed in range(60):
        happened = volley(state, at(PPC, "0605", "clear"), seed=seed)
        rolled, shot = (
            next(n for n, event in enumerate(happened) if isinstance(event, kind))
            for kind in (ground_events.IgnitionRolled, events.ShotResolved)
        )
        assert rolled < shot and happened[rolled].cause == "clearing"
        burnt = happened[rolled].rolls[0].total <= 5
        assert bool(of(ground_events.FireLit, happened)) == burnt == happened[rolled].success
        assert bool(of(ground_events.ClearingRolled, happened)) == (happened[shot].hit and not burnt)
        seen.add((burnt, happened[shot].hit))
    assert len(seen) == 4


def test_woods_are_cleared_step_by_step():
    state = stand({"0605": (0, "woods:2")})
    happened = until(lambda e: isinstance(e, ground_events.TerrainChanged), state, at(PPC, "0605", "clear"))
    (changed,) = of(ground_events.TerrainChanged, happened)
    assert (changed.before, changed.after) == ("heavy_woods", "light_woods")
    after = folded(state, happened)
    assert after.board.woods[after.board.index(Hex(6, 5))] == 1
    assert after.board.costs[after.board.index(Hex(6, 5))] == 2
    burnt = until(lambda e: isinstance(e, ground_events.FireLit), state, at(PPC, "0605", "clear"))
    assert not of(ground_events.ClearingRolled, burnt)


def test_what_hexes_cannot_be_fired_at_for():
    state = stand({"0605": (0, "woods:2"), "0604": (0, "rough:1"), "0505": (3, "")})
    assert "no woods to clear" in refused(state, at(PPC, "0604", "clear"))[0]
    assert "nothing there that it can set on fire" in refused(state, at(PPC, "0604", "ignite"))[0]
    assert "no wall" in refused(state, at(PPC, "0604", "building"))[0]
    assert "cannot clear mines" in refused(state, at(LRM, "0604", "mines"))[0]
    assert "not on the board" in refused(state, at(PPC, "4040", "clear"))[0]
    behind = stand({"0607": (3, ""), "0605": (0, "woods:2")})
    assert "line of sight" in refused(behind, at(PPC, "0605", "clear"))[0]


def test_shots_into_the_air_and_at_the_ground_advance_the_belt():
    """C-37: no roll, but the heat and the round."""
    state = stand({})
    for shot in ({"weapon": LRM}, at(LRM, "0912", "ground")):
        happened = volley(state, shot)
        (event,) = of(events.ShotResolved, happened)
        assert (event.number, event.hit, event.rolls, event.heat) == (None, False, (), 4)
        before, after = (sum(one.units["A"].shots.values()) for one in (state, folded(state, happened)))
        assert after == before - 1
    assert ENGINE.preview(state, "A", orders({"weapon": LRM}))["legal"]


def test_a_shot_at_the_ground_beside_one_at_the_rival_is_no_second_target():
    """C-37: what advances a belt makes nobody a secondary target."""
    state = stand({}, B={"position": "0603", "facing": 3})
    both = ({"weapon": PPC, "target": "B"}, at(LRM, "0912", "ground"))
    (alone,) = of(events.ShotResolved, volley(state, both[0]))
    for shots in (both, both[::-1]):
        happened = of(events.ShotResolved, volley(state, *shots))
        assert {shot.number for shot in happened if shot.target} == {alone.number}


def test_forms_of_shots_that_are_refused():
    for bad in (
        {"weapon": PPC, "hex": "0605"},
        {"weapon": PPC, "intent": "clear"},
        {"weapon": PPC, "hex": "0605", "intent": "smash"},
        {"weapon": PPC, "hex": "0605", "intent": "clear", "target": "B"},
    ):
        try:
            orders(bad)
        except OrdersInvalid:
            continue
        raise AssertionError(bad)
    for good in ({"weapon": PPC}, at(PPC, "0605", "clear"), {"weapon": PPC, "target": "B"}):
        parsed = orders(good)
        assert ENGINE.parse_orders(ENGINE.orders_json(parsed)) == parsed


def test_a_miss_at_a_unit_in_woods_may_burn_them():
    state = stand({"0603": (0, "woods:1")}, B={"position": "0603"})
    shots = [{"weapon": PPC, "target": "B"}]
    happened = until(lambda e: isinstance(e, events.ShotResolved) and not e.hit, state, *shots)
    (rolled,) = [e for e in of(ground_events.IgnitionRolled, happened) if e.cause == "miss"]
    assert rolled.number == 3
    assert rolled.success == (rolled.rolls[0].total <= 3)


def test_heat_of_a_fire_comes_from_the_next_turn_on():
    """FIR7: in the hex that burns since before +5, lit this turn nothing; each burning hex left +2."""
    cases = {(TURN - 1, 0): 5, (TURN, 0): 0, (None, 2): 4, (TURN - 1, 1): 7}
    for (since, left), heat in cases.items():
        state = stand({"0608": (0, "woods:1")})
        index = state.board.index(Hex(6, 8))
        fires = {} if since is None else {index: Fire(since)}
        moved = replace(state.units["A"].moved, fires=left)
        state = arrange(replace(state, ground=replace(state.ground, fires=fires)), A={"moved": moved})
        applied = next(e for e in volley(state) if isinstance(e, heat_events.HeatApplied) and e.side == "A")
        reasons = {"standing in fire", "left burning hexes"}
        assert sum(item.value for item in applied.items if item.reason in reasons) == heat


def test_burning_hexes_left_are_counted_by_the_movement():
    state = stand({"0608": (0, "woods:1"), "0607": (0, "woods:1")})
    fires = {state.board.index(Hex(6, row)): Fire(1) for row in (8, 7)}
    state = replace(state, ground=replace(state.ground, fires=fires))
    steps = tuple(events.Stepped("F", f"060{row}", 1, 2) for row in (7, 6))
    walked = events.UnitMoved(TURN, "A", "walk", "0608", steps, "0606", 1, 2, 4, 5)
    assert evolve(state, walked).units["A"].moved.fires == 2
    jumped = replace(walked, mode="jump")
    assert evolve(state, jumped).units["A"].moved.fires == 1


def wall_of(state: State) -> Any:
    return state.board.ground(Hex(6, 5))


def test_a_wall_loses_factor_and_comes_down():
    """BLD1: the factor after the hit is that before less the damage, and is kept."""
    state = stand({"0605": (0, "building:5;bldg_elev:2;bldg_cf:25")})
    happened = until(lambda e: isinstance(e, ground_events.FactorReduced), state, at(PPC, "0605", "building"))
    after = folded(state, happened)
    assert wall_of(after).construction_factor == 15
    weak = stand({"0605": (0, "building:5;bldg_elev:2;bldg_cf:9")})
    happened = until(lambda e: isinstance(e, ground_events.Collapsed), weak, at(PPC, "0605", "building"))
    assert wall_of(folded(weak, happened)).terrain.key == "rubble"


def test_who_stands_on_a_wall_that_comes_down_falls_with_it():
    state = stand({"0605": (0, "building:5;bldg_elev:2;bldg_cf:60")}, B={"position": "0605"})
    happened = until(lambda e: isinstance(e, ground_events.Collapsed), state, at(PPC, "0605", "building"))
    (fallen,) = of(events.UnitFell, happened)
    assert (fallen.side, fallen.levels, fallen.hex) == ("B", 2, "0605")
    (collapsed,) = of(ground_events.Collapsed, happened)
    assert collapsed.cause == "weight"


def test_a_wall_that_cannot_bear_the_mech_comes_down_under_it():
    """A, FAQ 27."""
    heavy = stand({"0608": (0, "building:5;bldg_elev:2;bldg_cf:50")})
    play = Play(heavy, SeededDice(dice_key(SEED, (SEED, SEED))))
    assert tread(play, "A")
    assert [e.cause for e in of(ground_events.Collapsed, tuple(play.events))] == ["weight"]
    held = Play(stand({"0608": (0, "building:5;bldg_elev:2;bldg_cf:75")}), ScriptedDice(()))
    assert not tread(held, "A")


def test_a_wall_next_to_the_mech_is_hit_without_fail():
    state = stand({"0607": (0, "building:5;bldg_elev:2;bldg_cf:75")}, A={"gunnery": 7, "heat": 24})
    for seed in range(8):
        (shot,) = of(events.ShotResolved, volley(state, at(PPC, "0607", "building"), seed=seed))
        assert shot.hit


def test_events_of_the_ground_are_told_in_both_languages():
    state = stand({"0605": (0, "woods:2")})
    happened = until(
        lambda e: isinstance(e, ground_events.FireLit), state, at(PPC, "0605", "ignite"), {"weapon": LRM}
    )
    for language in ("es", "en"):
        told = [ENGINE.describe(event, language) for event in happened]
        assert all(told[n] for n, e in enumerate(happened) if type(e) in ground_events.PUBLIC.values())
        assert any("0605" in line for line in told)
