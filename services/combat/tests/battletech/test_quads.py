"""Four-legged 'Mechs: steps aside, legs, falls and standing up, arcs, twist, kicks (BMR; movement.yaml)."""

from dataclasses import replace

import pytest
from duels import ENGINE
from sheets import dice, field, quad
from test_physical_phase import close, fire, resolve

from solaris_combat.engines.battletech import construction, harm, mtf
from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.arcs import Arc, in_arc
from solaris_combat.engines.battletech.catalogue import SHEETS
from solaris_combat.engines.battletech.falling import fall
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.hit_location import weapon_location
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mech import ARMS, LEGS, Location, mount, slot_numbers
from solaris_combat.engines.battletech.mobility import can_run, run_mp, walk_mp
from solaris_combat.engines.battletech.movement import allowance, begin, follow
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.physical import Blow, blows, cannot_strike
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.spread import spread
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import cannot_fire, in_weapon_arc, to_hit_number
from solaris_combat.engines.battletech.unit import Moved, Unit, legs_lost
from solaris_combat.engines.battletech.weapons import WEAPONS

FOUR = quad(position=Hex(5, 5), facing=0)


def without(*gone: Location) -> Unit:
    return replace(FOUR, structure={**FOUR.structure, **dict.fromkeys(gone, 0)})


def hit(*places: tuple[Location, str]) -> Unit:
    return replace(FOUR, hits=frozenset((at, slot_numbers(FOUR.design, at, kind)[0]) for at, kind in places))


@pytest.mark.parametrize(
    ("step", "mode", "end"),
    [("Q", "walk", "0404"), ("E", "run", "0604"), ("Z", "walk", "0405"), ("C", "walk", "0605")],
)
def test_a_step_aside_costs_one_more_and_keeps_the_facing(step: str, mode: str, end: str) -> None:
    """movement.yaml sideways_step: one MP more than the hex."""
    board = field(**{f"h{name}": (0, "woods:1") for name in ("0404", "0604", "0405", "0605")})
    track = follow(board, allowance(FOUR), begin(board, FOUR, mode), step)
    assert track.violation is None
    assert (str(board.hex_at(track.end.index)), track.end.facing, track.end.mp) == (end, 0, 3)


def test_bipeds_and_lame_quads_do_not_step_aside() -> None:
    board = field()
    biped = replace(FOUR, design=replace(FOUR.design, quad=False))
    for unit in (biped, without(Location.RA)):
        track = follow(board, allowance(unit), begin(board, unit, "walk"), "Q")
        assert track.violation is not None
        assert track.violation.code == "no-lateral-steps"


def test_no_step_aside_backward_at_a_run() -> None:
    board = field()
    for step in "ZC":
        track = follow(board, allowance(FOUR), begin(board, FOUR, "run"), step)
        assert track.violation is not None


def test_what_can_be_reached_holds_the_steps_aside() -> None:
    board = field()
    found = {arrival.steps for arrival in spread(board, allowance(FOUR), begin(board, FOUR, "walk"))}
    assert {"Q", "E", "Z", "C"} <= found
    for arrival in spread(board, allowance(FOUR), begin(board, FOUR, "run")):
        track = follow(board, allowance(FOUR), begin(board, FOUR, "run"), arrival.steps)
        assert (track.violation, track.end.index, track.end.facing) == (
            None,
            arrival.at.index,
            arrival.at.facing,
        )


def test_legs_that_are_gone() -> None:
    """One of four slows by one, two leave one MP as one does a biped, three none."""
    assert [walk_mp(without(*gone)) for gone in ((), ARMS[:1], ARMS, (*ARMS, *LEGS[:1]))] == [4, 3, 1, 0]
    assert [can_run(without(*gone)) for gone in ((), ARMS[:1], ARMS)] == [True, True, False]
    assert run_mp(without(Location.LL)) == 5
    assert [allowance(without(*gone)).can_stand_up for gone in (ARMS[:1], ARMS, (*ARMS, Location.RL))] == [
        True,
        True,
        False,
    ]
    assert legs_lost(without(*ARMS, *LEGS)) == 4


def test_leg_actuators_of_all_four_legs_count() -> None:
    assert walk_mp(hit((Location.RA, "upper_leg"), (Location.LL, "foot"))) == 2
    assert walk_mp(hit((Location.LA, "hip"))) == 2
    assert walk_mp(hit((Location.LA, "hip"), (Location.RL, "hip"))) == 0


def test_four_legs_make_piloting_easier() -> None:
    """psr.yaml quad_all_legs: -2 on four legs; each leg that is gone +5."""
    assert piloting_number(FOUR).value == 3
    assert piloting_number(without(Location.RA)).value == 10


def test_falls_and_hit_locations_are_those_of_a_biped() -> None:
    """hit_locations.yaml quad_locations: the same table with legs in place of arms."""
    assert weapon_location("front", dice(1, 2)).location is Location.RA
    fell = fall(FOUR, 0, 0, dice(1, 1, 2, 6, 6))
    assert (fell.unit.prone, fell.unit.armor[Location.RA][0]) == (True, 6)
    gone = harm.Chain(replace(FOUR, armor={**FOUR.armor, Location.RA: (0, 0)}))
    gone.add(harm.DamageStep("A", Location.RA, False, 0, 8, (Location.RA,)))
    assert gone.unit.causes == ("leg_destroyed",)


def test_weapons_look_ahead_and_no_torso_turns() -> None:
    gun = mount(FOUR.design, "rt-ppc-1")
    assert in_weapon_arc(FOUR, gun, Hex(5, 1))
    assert not in_weapon_arc(FOUR, gun, Hex(5, 9))
    assert in_arc(Arc.FORWARD, FOUR.hex, 0, Hex(5, 1))
    state = four_against_one()
    assert [twist["twist"] for twist in ENGINE.options(state, "A")["fire"]["twists"]] == [0]
    turned = ENGINE.parse_orders({"turn": 3, "fire": {"twist": 1}, "movement": {"mode": "stand"}})
    assert [violation.code for violation in ENGINE.check(state, "A", turned)] == ["quad-no-twist"]


def test_a_prone_quad_leans_on_a_front_leg() -> None:
    torso = mount(FOUR.design, "rt-ppc-1")
    front, rear = replace(torso, location=Location.LA), replace(torso, location=Location.RL)
    whole, lame = replace(FOUR, prone=True), replace(without(Location.RA), prone=True)
    assert [cannot_fire(whole, one) for one in (torso, front, rear)] == ["", "", ""]
    assert [cannot_fire(lame, one) for one in (torso, front)] == ["", ""]
    assert cannot_fire(lame, rear) == "leg weapon of a prone 'Mech"
    for gone in ((Location.RA, Location.LA), (Location.RA, Location.RL, Location.LL)):
        fallen = replace(without(*gone), prone=True)
        assert cannot_fire(fallen, torso) == "prone without a front leg to lean on"
    assert cannot_fire(replace(without(Location.RL, Location.LL), prone=True), torso) == ""


def test_only_a_quad_that_lost_a_leg_shoots_worse_when_prone() -> None:
    board, target = field(), replace(FOUR, side="B", position=Hex(5, 2))
    los, weapon = line_of_sight(board, Hex(5, 5), Hex(5, 2)), WEAPONS["ppc"]
    fired = mount(FOUR.design, "rt-ppc-1")
    numbers = [
        to_hit_number(replace(unit, prone=True), target, fired, weapon, board, los).value
        for unit in (FOUR, without(Location.RA))
    ]
    assert numbers[1] - numbers[0] == 2


def test_a_quad_leaps_on_others_but_pushes_nobody() -> None:
    leaping = replace(FOUR, moved=Moved("jump", 3, 3))
    assert cannot_strike(Blow("death_from_above"), leaping) == ""
    assert cannot_strike(Blow("push"), FOUR) == "four-legged 'Mech"


def four_against_one() -> State:
    state = close()
    four = quad(position=state.units["A"].position, facing=3)
    return replace(state, units={**state.units, "A": four})


def test_it_kicks_with_its_front_legs_and_strikes_no_other_blow() -> None:
    assert {blow.kind for blow in blows(FOUR)} == {"kick"}
    kick = {"attack": "kick", "limb": "RA", "target": "B"}
    _, events = resolve(four_against_one(), fire(kick), fire(), 5, 5, 1, 5, 5)
    hits = [event for event in events if isinstance(event, ev.PhysicalResolved)]
    assert [(one.hit, one.damage, one.limb) for one in hits] == [(True, 7, "RA")]


def test_it_plays_a_movement_with_steps_aside() -> None:
    state = ENGINE.evolve(four_against_one(), ev.Asking(3, "movement"))
    orders: dict[str, Orders] = {
        "A": ENGINE.parse_orders({"turn": 3, "movement": {"mode": "walk", "steps": ["Z", "Q"]}}),
        "B": ENGINE.parse_orders({"turn": 3, "movement": {"mode": "stand"}}),
    }
    assert ENGINE.check(state, "A", orders["A"]) == []
    for event in ENGINE.decide(state, orders, dice()):
        state = ENGINE.evolve(state, event)
    assert state.units["A"].facing == 3
    assert "A" in state.backed


def test_front_legs_hold_jump_jets_as_rear_ones_do() -> None:
    leg = ("hip", "upper-leg", "lower-leg", "foot", "jump-jet", "empty")
    torso = ("heat-sink",) * 6 + ("empty",) * 6
    wasp = SHEETS["WSP-1A"]
    center = tuple("empty" if entry == "jump-jet" else entry for entry in wasp.slots[Location.CT])
    slots = {**wasp.slots, **dict.fromkeys((*ARMS, *LEGS), leg), Location.CT: center}
    slots |= {Location.RT: torso, Location.LT: ("empty",) * 12}
    four = replace(wasp, quad=True, jump=4, slots=slots)
    assert construction.faults(four) == ()
    assert mtf.read(mtf.write(four).encode()).sheet == four
