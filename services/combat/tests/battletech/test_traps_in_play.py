"""Hidden things in a fight: traps, mines, turrets, quicksand and swamps, and that nothing tells of them."""

import json
from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import arena_lot, events, ground_events
from solaris_combat.engines.battletech.battlefield import Hidden, untouched
from solaris_combat.engines.battletech.board import Board, board_from_texts
from solaris_combat.engines.battletech.events import PUBLISH_NAMES
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mines import Minefield
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.battletech.turret_fire import turret_number
from solaris_combat.engines.battletech.turrets import fresh_turret
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.canonical import canonical
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import SeededDice, dice_key

SEED = bytes(32)
TURN = 2
PRIVATE = tuple(ground_events.PRIVATE.values())
MINES = Minefield(7)


def ground(hexes: dict[str, tuple[int, str]] | None = None) -> Board:
    return board_from_texts(12, 12, hexes or {})


def stand(board: Board | None = None, **hidden: Any) -> State:
    """Both on a bare board before the movement of turn 2; A at 0608 facing north, B far away."""
    state = begin(ENGINE, setup("GRF-1N", "WVR-6R"), SEED).state
    places = {"A": {"position": "0608", "facing": 0}, "B": {"position": "0101", "facing": 3}}
    state = arrange(state, **places)
    board = board or ground()
    wanted = events.Asking(TURN, "movement")
    here = untouched(board)
    return replace(state, ground=here, hidden=Hidden(**hidden), wanted=wanted, turn=TURN - 1)


def at(board: Board, *numbers: str) -> frozenset[int]:
    return frozenset(board.index(Hex.parse(number)) for number in numbers)


def go(state: State, seed: int = 0, mode: str = "walk", **move: Any) -> tuple[Any, ...]:
    """A moves as said, B stands."""
    movement = {"mode": mode, **move}
    orders = {
        "A": ENGINE.parse_orders({"turn": TURN, "movement": movement}),
        "B": ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "stand"}}),
    }
    assert ENGINE.check(state, "A", orders["A"]) == [], ENGINE.check(state, "A", orders["A"])
    while True:
        dice = SeededDice(dice_key(seed.to_bytes(32, "big"), (SEED, SEED)))
        decided = ENGINE.decide(state, orders, dice)
        if not isinstance(decided, Asked):
            return decided
        for side, asked in decided.questions.items():
            answer = ENGINE.default_answer(state, side, asked)
            orders[side] = ENGINE.add_answer(orders[side], answer)


def of(kind: type, happened: tuple[Any, ...]) -> list[Any]:
    return [event for event in happened if isinstance(event, kind)]


def until(wanted, state: State, **move: Any) -> tuple[Any, ...]:
    for seed in range(80):
        happened = go(state, seed, **move)
        if any(wanted(event) for event in happened):
            return happened
    raise AssertionError("none of the seeds shows it")


def shows(what: type, **facts: Any):
    return lambda e: isinstance(e, what) and all(getattr(e, name) == value for name, value in facts.items())


def folded(state: State, happened: tuple[Any, ...]) -> State:
    for event in happened:
        state = evolve(state, event)
    return state


def public(happened: tuple[Any, ...]) -> list[Any]:
    names = {ENGINE.event_types[name] for name in PUBLISH_NAMES}
    return [event for event in happened if type(event) in names]


def test_private_events_are_not_published_and_not_told():
    """MIN3: nothing of them is in the list of public events, in the log or in a view."""
    assert not set(ground_events.PRIVATE) & set(PUBLISH_NAMES)
    hidden = ground_events.TrapsHidden(("0505",), ())
    assert ENGINE.describe(hidden, "es") == ENGINE.describe(hidden, "en") == ""


@pytest.mark.parametrize("seed", range(6))
def test_traps_are_drawn_at_the_beginning_where_they_may_lie(seed: int):
    """A: 2D6 hexes, not on walls, water or taken start places, each once."""
    state = begin(ENGINE, setup(arena="hartford-gardens"), bytes([seed]) * 32).state
    orders = {side: ENGINE.parse_orders({"turn": 0, "initial": {}}) for side in "AB"}
    happened = ENGINE.decide(state, orders, SeededDice(dice_key(bytes([seed]) * 32, (SEED, SEED))))
    (hidden,) = of(ground_events.TrapsHidden, happened)
    after = folded(state, happened)
    assert 2 <= len(hidden.hexes) == len(set(hidden.hexes)) == hidden.rolls[0].total
    for number in hidden.hexes:
        terrain = after.board.ground(Hex.parse(number)).terrain
        assert not terrain.raised
        assert terrain.depth < 0
    assert not {str(unit.position) for unit in after.units.values()} & set(hidden.hexes)


def everything_seen(state: State) -> bytes:
    seen = [ENGINE.view(state, viewer) for viewer in ("A", "B", None)]
    seen += [ENGINE.options(state, side) for side in "AB"]
    walk = ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "walk", "steps": ["F", "F"]}})
    seen += [ENGINE.preview(state, "A", walk)]
    return canonical(seen)


def test_nothing_that_anybody_sees_depends_on_what_is_hidden():
    """MIN3: views, options, previews and refusals are the same bytes with and without hidden things."""
    board = ground()
    bare = stand(board)
    trapped = stand(
        board,
        traps=at(board, "0607", "0606"),
        mines=dict.fromkeys(at(board, "0605"), MINES),
        quicksand=at(board, "0604"),
    )
    assert everything_seen(bare) == everything_seen(trapped)
    far = ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "walk", "steps": ["F"] * 9}})
    assert ENGINE.check(bare, "A", far) == ENGINE.check(trapped, "A", far)


def test_a_field_that_does_not_go_off_leaves_no_trace():
    """D: the roll is secret; the public events are those of a walk over bare ground (MIN3)."""
    board = ground()
    mined = stand(board, mines=dict.fromkeys(at(board, "0607"), MINES))
    quiet = until(shows(ground_events.MinesTested, success=False), mined, steps=["F", "F"])
    assert public(quiet) == public(go(stand(board), steps=["F", "F"]))
    assert folded(mined, quiet).hidden == mined.hidden


def test_who_treads_on_a_mine_is_hurt_before_he_goes_on():
    """D; C-23: 7 points in that arena, on a leg, in front; the field stays and is known (MIN2)."""
    board = ground()
    mined = stand(board, mines=dict.fromkeys(at(board, "0607", "0606"), MINES))
    happened = until(shows(ground_events.MineExploded, hex="0607"), mined, steps=["F", "F"])
    first = next(n for n, e in enumerate(happened) if isinstance(e, ground_events.MineExploded))
    moved = happened[first - 1]
    assert isinstance(moved, events.UnitMoved)
    assert moved.hex == "0607"
    hurt = happened[first + 1]
    assert (hurt.side, str(hurt.location) in ("LL", "RL"), hurt.armor) == ("A", True, 7)
    after = folded(mined, happened)
    assert after.hidden == mined.hidden
    assert len(of(ground_events.MinesTested, happened)) == 2
    assert "0607" in ENGINE.view(after, None)["ground"]["mines"]


def test_a_trap_is_rolled_for_once():
    board = ground()
    state = stand(board, traps=at(board, "0607"))
    happened = until(shows(ground_events.TrapRolled, kind="nothing"), state, steps=["F", "F"])
    assert public(happened) == public(go(stand(board), steps=["F", "F"]))
    assert folded(state, happened).hidden == Hidden()


def test_faq_1_a_jump_wakes_the_turret_it_flies_over():
    """FAQ 1; MIN3: what else it flies over stays hidden."""
    board = ground()
    state = stand(board, traps=at(board, "0607"))
    path = {"mode": "jump", "path": ["0607", "0606", "0605"], "facing": 1}
    happened = until(lambda e: isinstance(e, ground_events.TurretRose), state, **path)
    (rose,) = of(ground_events.TurretRose, happened)
    assert rose.trap == "0607"
    after = folded(state, happened)
    index = after.board.index(Hex.parse(rose.hex))
    assert index in after.board.closed
    assert rose.hex not in {str(unit.position) for unit in after.units.values()}
    for kind in ("mines", "quicksand"):
        silent = until(shows(ground_events.TrapRolled, kind=kind), state, **path)
        assert public(silent) == public(go(stand(board), **path))
        assert folded(state, silent).hidden != Hidden()


def test_a_turret_fires_at_the_nearest_in_the_weapon_phase():
    """FAQ 3, FAQ 4: gunnery 5; the missile turret once."""
    board = ground()
    for kind, shots in (("laser", 2), ("missiles", 1)):
        state = stand(board)
        turrets = {next(iter(at(board, "0607"))): fresh_turret(kind)}
        state = replace(
            state, ground=replace(state.ground, turrets=turrets), wanted=events.Asking(TURN, "fire")
        )
        number = turret_number(state, Hex(6, 7), "A", WEAPONS["small-laser"])
        assert next(m.value for m in number.modifiers) == 5
        seen = 0
        for turn in (TURN, TURN + 1):
            state = replace(state, wanted=events.Asking(turn, "fire"), turn=turn)
            fire = {side: ENGINE.parse_orders({"turn": turn, "fire": {}}) for side in "AB"}
            happened = ENGINE.decide(state, fire, SeededDice(dice_key(SEED, (SEED, SEED))))
            fired = of(ground_events.TurretFired, happened)
            assert all(shot.target == "A" for shot in fired)
            seen += len(fired)
            state = replace(folded(state, happened), ended=None)
        assert seen == shots


def test_a_turret_is_shot_down_and_leaves_rubble():
    board = ground()
    state = stand(board)
    index = next(iter(at(board, "0605")))
    turned = replace(state.ground, turrets={index: fresh_turret("laser")})
    state = replace(state, ground=turned, wanted=events.Asking(TURN, "fire"))
    shot = {"weapon": "ra-ppc-1", "hex": "0605", "intent": "building"}
    orders = {
        "A": ENGINE.parse_orders({"turn": TURN, "fire": {"shots": [shot]}}),
        "B": ENGINE.parse_orders({"turn": TURN, "fire": {}}),
    }
    assert ENGINE.check(state, "A", orders["A"]) == []
    for seed in range(30):
        happened = ENGINE.decide(state, orders, SeededDice(dice_key(bytes([seed]) * 32, (SEED, SEED))))
        if of(ground_events.TurretDamaged, happened):
            break
    after = folded(state, happened)
    assert after.ground.turrets == {}
    assert after.board.ground_at(index).terrain.key == "rubble"


def test_faq_7_blows_at_turrets_and_walls():
    """FAQ 7: a kick on the level of the turret hits without a roll; none from a wall; no push."""
    board = ground({"0508": (0, "building:5;bldg_elev:2;bldg_cf:75")})
    index = next(iter(at(board, "0607")))
    state = stand(board)
    turned = replace(state.ground, turrets={index: fresh_turret("laser")})
    state = replace(state, ground=turned, wanted=events.Asking(TURN, "fire"), turn=TURN)

    def strike(attack: str, target: str, limb: str | None = None) -> Any:
        blow = {"attack": attack, "target": target, "limb": limb}
        return ENGINE.parse_orders({"turn": TURN, "fire": {"physical": [blow]}})

    kick = strike("kick", "0607", "RL")
    assert ENGINE.check(state, "A", kick) == []
    assert ENGINE.preview(state, "A", kick)["fire"]["physical"][0]["damage"] == 11
    offered = ENGINE.options(state, "A")["fire"]["twists"][0]["ground_blows"]
    assert {"target": "0607", "attack": "kick", "limb": "RL", "holds_fire": []} in offered
    assert ENGINE.check(state, "A", strike("punch", "0607", "RA")) == []
    for bad in (strike("push", "0607"), strike("kick", "0609", "RL")):
        assert [v.code for v in ENGINE.check(state, "A", bad)] == ["attack-impossible"]
    nobody = ENGINE.parse_orders({"turn": TURN, "fire": {}})
    happened = ENGINE.decide(state, {"A": kick, "B": nobody}, SeededDice(dice_key(SEED, (SEED, SEED))))
    (struck,) = of(events.PhysicalResolved, happened)
    assert (struck.hex, struck.hit, struck.damage, struck.rolls) == ("0607", True, 11, ())
    assert folded(state, happened).ground.turrets == {}
    assert any("0607" in ENGINE.describe(event, "en") for event in happened if event is struck)
    high = arrange(state, A={"position": "0508", "facing": 1})
    assert [v.code for v in ENGINE.check(high, "A", kick)] == ["attack-impossible"]
    punch = strike("kick", "0508", "LL")
    happened = ENGINE.decide(
        arrange(state, A={"facing": 5}), {"A": punch, "B": nobody}, SeededDice(dice_key(SEED, (SEED, SEED)))
    )
    (weaker,) = of(ground_events.FactorReduced, happened)
    assert weaker.after == 64


def test_quicksand_opens_and_holds_who_fails_his_roll():
    """A: +3 on entering; stuck, he ends his movement; then +4 to get free (FAQ 13), and moves as ordered."""
    board = ground()
    state = stand(board, quicksand=at(board, "0607"))
    happened = until(shows(ground_events.UnitStuck, mire="quicksand"), state, steps=["F", "F"])
    (opened,) = of(ground_events.TerrainChanged, happened)
    assert (opened.hex, opened.after, opened.cause) == ("0607", "quicksand", "trap")
    roll = next(e for e in of(events.PilotingRollMade, happened) if e.cause == "entered_quicksand")
    assert [m.value for m in roll.modifiers] == [5, 3]
    stuck = folded(state, happened)
    assert (str(stuck.units["A"].position), stuck.units["A"].stuck) == ("0607", "quicksand")
    assert ENGINE.view(stuck, None)["sides"]["A"]["stuck"] == "quicksand"
    again = replace(stuck, wanted=events.Asking(TURN, "movement"))
    held = until(shows(events.PilotingRollMade, cause="escaped_quicksand", success=False), again, steps=["F"])
    assert folded(again, held).units["A"].position == Hex(6, 7)
    free = until(lambda e: isinstance(e, ground_events.UnitFreed), again, steps=["F"])
    out = folded(again, free).units["A"]
    assert (out.position, out.stuck) == (Hex(6, 6), "")
    jump = ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "jump", "path": ["0606"]}})
    assert [v.code for v in ENGINE.check(again, "A", jump)] == ["stuck"]


def test_a_swamp_holds_who_fails_and_everybody_who_jumps_in():
    """movement.yaml swamp."""
    board = ground({"0607": (0, "swamp:1")})
    state = stand(board)
    walked = until(shows(ground_events.UnitStuck, mire="swamp"), state, steps=["F", "F"])
    assert folded(state, walked).units["A"].position == Hex(6, 7)
    jumped = go(state, mode="jump", path=["0607"])
    assert len(of(ground_events.UnitStuck, jumped)) == 1
    assert not of(events.PilotingRollMade, jumped)
    out = replace(folded(state, jumped), wanted=events.Asking(TURN, "movement"))
    freed = go(out, mode="jump", path=["0606"])
    assert folded(out, freed).units["A"].stuck == ""


def test_a_vibrabomb_goes_off_once_and_hurts_who_stands_on_it():
    """D; C-24: 55 tons on a setting of 20 from three hexes away; the bomb is gone then."""
    board = ground()
    bomb = dict.fromkeys(at(board, "0604"), Minefield(10, 20))
    state = stand(board, mines=bomb)
    happened = go(state, steps=["F", "F"])
    (boom,) = of(ground_events.MineExploded, happened)
    assert (boom.vibrabomb, boom.hex, boom.side) == (True, "0604", "A")
    assert not [e for e in happened if type(e).__name__ == "DamageStep"]
    assert folded(state, happened).hidden == Hidden()
    near = stand(board, mines=dict.fromkeys(at(board, "0607"), Minefield(10, 50)))
    happened = go(near, steps=["F"])
    assert [e.armor for e in happened if type(e).__name__ == "DamageStep"] == [5, 5]


def test_mines_and_vibrabombs_of_an_arena_are_laid_in_secret():
    state = stand()
    place = replace(state.arena, traps=False, mines=3, vibrabombs=2, setting=40)
    play = Play(replace(state, arena=place), SeededDice(dice_key(SEED, (SEED, SEED))))
    arena_lot.hide_things(play)
    fields = play.state.hidden.mines.values()
    assert sorted(str(field.setting) for field in fields) == ["40", "40", "None", "None", "None"]
    assert all(isinstance(event, PRIVATE) for event in play.events)


def test_a_mech_on_a_wall_is_on_its_top():
    """LOS2: level of the ground and two more, in sight and movement; and back down for 3 MP (LVL1)."""
    board = ground({"0607": (0, "building:5;bldg_elev:2;bldg_cf:75")})
    happened = go(stand(board), steps=["F"])
    (moved,) = [e for e in of(events.UnitMoved, happened) if e.side == "A"]
    assert moved.mp == 3
    assert board.floors[board.index(Hex(6, 7))] == 2


def test_a_wall_comes_down_under_who_is_too_heavy():
    """A, FAQ 27, in a movement: it falls two levels, is hurt by the collapse, and lies in rubble."""
    board = ground({"0607": (0, "building:5;bldg_elev:2;bldg_cf:50")})
    state = stand(board)
    happened = go(state, steps=["F"])
    (fallen,) = of(events.UnitFell, happened)
    assert (fallen.levels, fallen.hex) == (2, "0607")
    after = folded(state, happened)
    assert after.board.ground(Hex(6, 7)).terrain.key == "rubble"
    assert after.units["A"].prone
    points = sum(e.armor + e.structure for e in happened if type(e).__name__ == "DamageStep")
    assert points == fallen.damage + 10


def test_the_record_keeps_hidden_events():
    state = stand(traps=at(ground(), "0607"))
    happened = go(state, steps=["F"])
    (rolled,) = of(ground_events.TrapRolled, happened)
    name = next(name for name, kind in ENGINE.event_types.items() if kind is type(rolled))
    assert json.loads(canonical({"event": name}))["event"] == "trap-rolled"
