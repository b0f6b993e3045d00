"""Buildings: walls walked through, roofs, cover, collapse (BMR, buildings; buildings.yaml)."""

from dataclasses import replace
from typing import Any

from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import buildings, events, ground_events
from solaris_combat.engines.battletech.battlefield import untouched
from solaris_combat.engines.battletech.board import board_from_texts
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.battletech.terrain import ground_from_text
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import SeededDice, dice_key

SEED = bytes(32)
TURN = 2


def house(kind: int, levels: int, factor: int) -> tuple[int, str]:
    return 0, f"building:{kind};bldg_elev:{levels};bldg_cf:{factor}"


def stand(hexes: dict[str, tuple[int, str]], asked: str = "movement", **sides: Any) -> State:
    """A, 55 tons, at 0608 facing north; B far away."""
    state = begin(ENGINE, setup("GRF-1N", "WVR-6R"), SEED).state
    places = {"A": {"position": "0608", "facing": 0}, "B": {"position": "0101", "facing": 3}}
    state = arrange(state, **{side: places[side] | sides.get(side, {}) for side in "AB"})
    turn = TURN - 1 if asked == "movement" else TURN
    ground = untouched(board_from_texts(12, 12, hexes))
    return replace(state, ground=ground, wanted=events.Asking(TURN, asked), turn=turn)


def play(state: State, seed: int, a: dict[str, Any], b: dict[str, Any]) -> tuple[Any, ...]:
    orders = {side: ENGINE.parse_orders({"turn": TURN, **said}) for side, said in (("A", a), ("B", b))}
    for side in "AB":
        assert ENGINE.check(state, side, orders[side]) == []
    while True:
        dice = SeededDice(dice_key(seed.to_bytes(32, "big"), (SEED, SEED)))
        decided = ENGINE.decide(state, orders, dice)
        if not isinstance(decided, Asked):
            return decided
        for side, asked in decided.questions.items():
            orders[side] = ENGINE.add_answer(orders[side], ENGINE.default_answer(state, side, asked))


def move(state: State, seed: int = 0, mode: str = "walk", **way: Any) -> tuple[Any, ...]:
    return play(state, seed, {"movement": {"mode": mode, **way}}, {"movement": {"mode": "stand"}})


def shoot(state: State, seed: int, **shot: Any) -> tuple[Any, ...]:
    return play(state, seed, {"fire": {"shots": [shot]}}, {"fire": {}})


def of(kind: Any, happened: tuple[Any, ...]) -> list[Any]:
    names = (kind,) if isinstance(kind, str) else (kind.__name__,)
    return [event for event in happened if type(event).__name__ in names]


def folded(state: State, happened: tuple[Any, ...]) -> State:
    for event in happened:
        state = evolve(state, event)
    return state


def test_figures_of_a_wall_passed():
    """buildings.yaml enter_or_leave: type and hexes moved; a tenth of the factor; a tenth of the tons."""
    kinds = [ground_from_text(*house(kind, 1, 15)) for kind in (1, 2, 3, 4)]
    assert [buildings.passage_modifier(kind, 1) for kind in kinds] == [0, 1, 2, 5]
    by_hexes = [buildings.passage_modifier(kinds[0], n) for n in (0, 2, 3, 4, 5, 6, 7, 9, 10, 15)]
    assert by_hexes == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [buildings.passage_damage(factor) for factor in (15, 40, 41, 120)] == [2, 4, 5, 12]
    assert [buildings.passage_loss(tons) for tons in (20, 55, 60)] == [2, 6, 6]
    assert (buildings.absorbed(40, 10), buildings.absorbed(41, 10), buildings.absorbed(90, 5)) == (4, 5, 5)
    assert buildings.SIDE == "front"


def test_a_mech_walks_in_through_the_wall_and_out_again():
    state = stand({"0607": house(2, 2, 40)})
    seen = set()
    for seed in range(30):
        happened = move(state, seed, steps=["F", "F"])
        rolls = [e for e in of(events.PilotingRollMade, happened) if e.cause.endswith("building")]
        assert [roll.cause for roll in rolls] == ["entered_building", "left_building"]
        assert [m.value for m in rolls[0].modifiers] == [5, 1]
        losses = [e.after for e in of(ground_events.FactorReduced, happened)]
        assert losses == [34, 28]
        hurt = [e.armor for e in of("DamageStep", happened)]
        wanted = [4 for roll in rolls if not roll.success]
        assert hurt == wanted
        seen |= {roll.success for roll in rolls}
        assert not of(events.UnitFell, happened)
        assert folded(state, happened).units["A"].position == Hex(6, 6)
    assert seen == {True, False}


def test_a_wall_that_gives_way_buries_who_walks_in():
    state = stand({"0607": house(1, 3, 5)})
    happened = move(state, steps=["F"])
    (down,) = of(ground_events.Collapsed, happened)
    assert (down.hex, down.cause) == ("0607", "factor")
    after = folded(state, happened)
    assert after.board.ground(Hex(6, 7)).terrain.key == "rubble"
    assert sum(e.armor for e in of("DamageStep", happened)) >= 2


def test_a_jump_lands_on_the_roof_and_the_roof_bears_it_or_not():
    state = stand({"0606": house(3, 2, 60)})
    after = folded(state, move(state, mode="jump", path=["0607", "0606"]))
    unit = after.units["A"]
    assert (unit.roof, after.board.floors[after.board.index(Hex(6, 6))]) == (True, 2)
    assert ENGINE.view(after, None)["sides"]["A"]["roof"]
    down = replace(after, wanted=events.Asking(TURN, "movement"))
    happened = move(down, steps=["F"])
    (moved,) = [e for e in of(events.UnitMoved, happened) if e.side == "A"]
    assert moved.mp == 3
    left = folded(down, happened)
    assert (left.units["A"].roof, left.board.floors[left.board.index(Hex(6, 6))]) == (False, 0)
    weak = stand({"0606": house(2, 2, 40)})
    happened = move(weak, mode="jump", path=["0607", "0606"])
    (fallen,) = of(events.UnitFell, happened)
    assert fallen.levels == 2
    assert not folded(weak, happened).units["A"].roof


def test_no_jump_from_inside_and_no_step_from_a_roof_into_a_building():
    state = stand({"0608": house(2, 2, 40), "0607": house(2, 2, 40)})
    jump = ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "jump", "path": ["0707"]}})
    assert [v.code for v in ENGINE.check(state, "A", jump)] == ["too-few-mp"]
    beside = stand({"0606": house(3, 2, 90), "0605": house(3, 2, 90)})
    roof = folded(beside, move(beside, mode="jump", path=["0607", "0606"]))
    roof = replace(roof, wanted=events.Asking(TURN, "movement"))
    walk = ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "walk", "steps": ["F"]}})
    assert [v.code for v in ENGINE.check(roof, "A", walk)] == ["roof-to-building"]


def test_a_building_takes_its_part_of_every_hit_on_who_is_inside():
    state = stand({"0605": house(2, 2, 31)}, "fire", B={"position": "0605"})
    for seed in range(20):
        happened = shoot(state, seed, weapon="ra-ppc-1", target="B")
        (shot,) = of(events.ShotResolved, happened)
        lost = 31 - folded(state, happened).board.ground(Hex(6, 5)).construction_factor
        if shot.hit:
            assert lost == 4
            assert sum(e.armor + e.structure for e in of("DamageStep", happened)) == 6
        else:
            assert lost == 10


def test_a_building_is_shot_down_over_who_is_inside():
    state = stand({"0605": house(2, 3, 10)}, "fire", B={"position": "0605"})
    for seed in range(20):
        happened = shoot(state, seed, weapon="ra-ppc-1", hex="0605", intent="building")
        if of(ground_events.Collapsed, happened):
            break
    assert sum(e.armor + e.structure for e in of("DamageStep", happened)) == 3
    assert not of(events.UnitFell, happened)
    assert folded(state, happened).board.ground(Hex(6, 5)).terrain.key == "rubble"


def test_buildings_burn_and_weaken():
    state = stand({"0605": house(2, 3, 3)}, "fire")
    fires = {state.board.index(Hex(6, 5)): ground_events.FireLit(1, "0605", "intent")}
    for event in fires.values():
        state = evolve(state, event)
    happened = play(state, 0, {"fire": {}}, {"fire": {}})
    (reduced,) = of(ground_events.FactorReduced, happened)
    assert (reduced.after, reduced.cause) == (1, "fire")


def joined(factor: int, **other: int) -> dict[str, tuple[int, str]]:
    """A building of two hexes, 0607 and 0606, two levels high."""
    sides = {"0607": 1, "0606": 8} | other
    return {at: (0, f"building:2:{mask};bldg_elev:2;bldg_cf:{factor}") for at, mask in sides.items()}


def test_within_a_building_of_several_hexes_there_is_no_wall():
    state = stand(joined(40))
    happened = move(state, steps=["F", "F", "F"], mode="run")
    rolls = [e.cause for e in of(events.PilotingRollMade, happened) if e.cause.endswith("building")]
    assert rolls[:2] == ["entered_building", "left_building"]
    factors = {e.hex: e.after for e in of(ground_events.FactorReduced, happened)}
    assert factors == {"0606": 28, "0607": 28}


def test_hexes_are_one_building_only_where_both_lead_on():
    apart = stand(joined(40, **{"0606": 0}))
    board = stand(joined(40)).board
    here, there = board.index(Hex(6, 7)), board.index(Hex(6, 6))
    assert board.house(here) == board.house(there) == tuple(sorted((here, there)))
    assert apart.board.house(here) == (here,)
    assert board.house(1) == (1,)


def test_a_building_of_several_hexes_comes_down_as_one():
    state = stand(joined(5), "fire", B={"position": "0606"})
    for seed in range(20):
        happened = shoot(state, seed, weapon="ra-ppc-1", hex="0607", intent="building")
        if of(ground_events.Collapsed, happened):
            break
    assert {e.hex for e in of(ground_events.Collapsed, happened)} == {"0606", "0607"}
    after = folded(state, happened)
    assert {after.board.ground(Hex(6, row)).terrain.key for row in (6, 7)} == {"rubble"}


def test_its_own_hexes_hide_nothing_from_those_inside():
    """los.yaml L23; another building between them does."""
    row = {f"06{n:02}": 9 for n in range(3, 8)} | {"0603": 8, "0607": 1}
    inside = stand({at: (0, f"building:2:{mask};bldg_elev:2;bldg_cf:40") for at, mask in row.items()}).board
    assert line_of_sight(inside, Hex(6, 7), Hex(6, 3)) == line_of_sight(inside, Hex(6, 3), Hex(6, 7))
    assert line_of_sight(inside, Hex(6, 7), Hex(6, 3)).possible
    assert not line_of_sight(inside, Hex(6, 8), Hex(6, 3)).possible
    alone = stand({at: (0, "building:2;bldg_elev:2;bldg_cf:40") for at in row}).board
    assert not line_of_sight(alone, Hex(6, 7), Hex(6, 3)).possible


def test_a_house_that_burns_in_two_hexes_weakens_once():
    state = stand(joined(40), "fire")
    for at in ("0606", "0607"):
        state = evolve(state, ground_events.FireLit(1, at, "intent"))
    happened = play(state, 0, {"fire": {}}, {"fire": {}})
    burnt = [e for e in of(ground_events.FactorReduced, happened) if e.cause == "fire"]
    assert [(e.hex, e.after) for e in burnt] == [("0606", 38), ("0607", 38)]
