"""Checks of the families CRT, FAL, GYR, HEAT, HIP, HT, PHY, PIL and SIM, each by its id in the docstring.

They come from faults that players of comparable programs reported. Those that stand in another module carry
their id there: PHY4 in test_charges and test_deaths_from_above, SIM1 in test_simultaneous_movement and
test_macro_fights, SIM2 in the tests of the service.
"""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange
from sheets import dice, field, unit
from test_deaths_from_above import LEAP, leaping
from test_physical_phase import close, fire, only, resolve

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm, heat_events
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.falling import fall, fall_damage
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.injury import settle_phase
from solaris_combat.engines.battletech.mech import Location, Slot, slot_numbers
from solaris_combat.engines.battletech.mobility import walk_mp
from solaris_combat.engines.battletech.physical import (
    BASE,
    Blow,
    PhysicalNumber,
    damage_points,
    physical_number,
)
from solaris_combat.engines.battletech.pilot import check_consciousness
from solaris_combat.engines.battletech.piloting import phase_causes, piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Moved, Unit, fresh_unit
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice

RL, LL, CT, HD = Location.RL, Location.LL, Location.CT, Location.HD


def hit_in_order(*kinds: tuple[Location, str]) -> Unit:
    """A 'Mech that walks 6 with these critical hits, one after the other."""
    made = replace(unit("PNT-9R"), design=replace(unit("PNT-9R").design, walk=6))
    for location, kind in kinds:
        slot = next(n for n in slot_numbers(made.design, location, kind) if (location, n) not in made.hits)
        made = harm.suffer(made, harm.SlotHit("A", location, slot, kind, "", ()))
    return made


def test_a_hip_halves_what_is_left_when_it_is_hit() -> None:
    """HIP1: hip then foot 6 -> 3 -> 2, foot then hip 6 -> 5 -> 3; a second hip stops; a foot is +1."""
    assert walk_mp(hit_in_order((RL, "hip"), (LL, "foot"))) == 2
    assert walk_mp(hit_in_order((LL, "foot"), (RL, "hip"))) == 3
    assert (
        walk_mp(hit_in_order((RL, "hip"), (RL, "foot")))
        == walk_mp(hit_in_order((RL, "foot"), (RL, "hip")))
        == 3
    )
    assert walk_mp(hit_in_order((RL, "hip"), (LL, "hip"))) == 0
    assert piloting_number(replace(hit_in_order((RL, "foot")), fresh_hits=frozenset())).value == 6
    state = close()
    state = replace(state, units={**state.units, "A": replace(state.units["A"], leg_hits=((LL, 4), (RL, 1)))})
    assert [one["kind"] for one in ENGINE.view(state, None)["sides"]["A"]["leg_hits"]] == ["foot", "hip"]


def test_actuators_halve_the_damage_of_kicks() -> None:
    """HIP1: half damage for each damaged leg actuator."""
    hurt = replace(hit_in_order((RL, "upper_leg")), position=Hex(5, 1), facing=3)
    target = unit("JVN-10N", side="B", position=Hex(5, 2))
    assert physical_number(Blow("kick", RL), hurt, target, field()).damage == 3


def gyro_shot(*more: int) -> tuple[State, Any]:
    """B has an open centre torso; A's laser hits it there, and the critical hit strikes the gyro."""
    state = close(b={"armor": {**close().units["B"].armor, CT: (0, 0)}, "position": "0206"})
    gyro = slot_numbers(state.units["B"].design, CT, "gyro")[0]
    laser = fire(shots=({"weapon": "ra-medium-laser-1", "target": "B"},))
    walk = ENGINE.parse_orders({"turn": 3, "fire": {}, "movement": {"mode": "walk", "steps": ["F"]}})
    faces = (6, 6, 3, 4, 4, 4, gyro, *more)
    return state, ENGINE.decide(state, {"A": laser, "B": walk}, ScriptedDice(faces))


def test_a_gyro_hit_asks_for_its_roll_in_the_phase_and_drops_both_movements() -> None:
    """GYR1: the roll is made at the end of the fire phase; a fall voids both movements."""
    _, events = gyro_shot(1, 1, 1, 3, 3, 6, 6)
    assert not isinstance(events, Asked)
    roll = only(list(events), ev.PilotingRollMade)[0]
    assert (roll.side, roll.cause, roll.number, roll.success) == ("B", "gyro_hit", 8, False)
    order = [type(event) for event in events]
    assert order.index(ev.PilotingRollMade) < order.index(ev.UnitFell) < order.index(ev.MovementVoided)
    assert only(list(events), ev.Asking) == [ev.Asking(4, "movement")]
    assert not only(list(events), ev.UnitMoved)


def test_no_heat_counts_for_physical_attacks() -> None:
    """HT1: a kick at heat 20 has no heat line."""
    attacker = unit("HBK-4G", position=Hex(5, 1), facing=3, heat=20)
    target = unit("HBK-4G", side="B", position=Hex(5, 2))
    found = physical_number(Blow("kick", RL), attacker, target, field())
    assert [one.reason for one in found.number.modifiers] == ["physical attack"]


def test_water_halves_a_fall_and_breaches_only_under_it() -> None:
    """FAL2: depth 1 against the ground; no breach check on land."""
    assert (fall_damage(50, 0), fall_damage(50, 0, depth=1)) == (5, 2)
    dry = fall(unit("HBK-4G"), 0, 0, dice(1, 3, 4, 6, 6))
    assert not [fact for fact in dry.damage.facts if isinstance(fact, harm.FloodCheck)]
    wet = fall(unit("HBK-4G"), 0, 1, dice(1, 3, 4, 6, 6, 6, 6))
    assert [type(fact) for fact in wet.damage.facts].count(harm.FloodCheck) == 1


def test_two_causes_of_one_phase_are_one_fall() -> None:
    """FAL3: who has fallen rolls for nothing more in the phase."""
    state = close(b={"causes": (), "position": "0206"})
    state = ENGINE.evolve(state, ev.PhaseBegan(3, "weapon_fire"))
    b = replace(state.units["B"], causes=("gyro_hit", "hip_actuator_destroyed"), damage_this_phase=30)
    play = Play(replace(state, units={**state.units, "B": b}), dice(1, 1, 1, 3, 4, 6, 6))
    settle_phase(play)
    assert len(only(play.events, ev.UnitFell)) == 1
    assert len([one for one in only(play.events, ev.PilotingRollMade) if one.cause != "fall"]) == 1


@pytest.mark.parametrize(
    ("facts", "rolls"), [({}, 1), ({"twist": 1}, 1), ({"moved": Moved("run", 5, 6)}, 1), ({"prone": True}, 0)]
)
def test_no_posture_but_lying_cancels_a_roll(facts: dict[str, Any], rolls: int) -> None:
    """FAL4: 20 points of damage ask for a roll in any posture except prone."""
    assert len(phase_causes(unit("HBK-4G", damage_this_phase=20, **facts))) == rolls


def test_every_head_hit_hurts() -> None:
    """PIL1: any damage to the head wounds, and asks for a roll."""
    hurt = take_hit(unit("HBK-4G"), HitLocation(HD, False, False, ()), 1, dice()).unit
    assert (hurt.pilot_hits, hurt.unchecked_wounds) == (1, 1)
    assert [fact.number for fact in check_consciousness(hurt, dice(2, 2)).facts] == [3]


def test_each_wound_has_its_own_roll() -> None:
    """PIL2: two hits in a phase are two rolls, at 3 and 5; the table is 3, 5, 7, 10, 11."""
    hurt = unit("HBK-4G", pilot_hits=2, unchecked_wounds=2)
    assert [fact.number for fact in check_consciousness(hurt, dice(2, 2, 3, 3)).facts] == [3, 5]
    worse = unit("HBK-4G", pilot_hits=5, unchecked_wounds=3)
    assert [fact.number for fact in check_consciousness(worse, dice(4, 4, 6, 6, 6, 6)).facts] == [7, 10, 11]


def test_the_order_of_heat_effects() -> None:
    """HEAT1: first all heat comes in and the sinks take theirs, then shutdown, ammunition, mechwarrior."""
    hot = {"heat": 40, "hits": frozenset({(HD, 1)}), "position": "0206"}
    state = arrange(close("fire"), B=hot)
    orders = {side: ENGINE.parse_orders({"turn": 3, "fire": {}}) for side in "AB"}
    faces = [1, 1, 1, 3, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6]
    events = ENGINE.decide(state, orders, _Lavish(faces))
    assert not isinstance(events, Asked)
    told = [event for event in events if getattr(event, "side", "") == "B"]
    order = [type(event) for event in told]
    heat, down = order.index(heat_events.HeatApplied), order.index(heat_events.ReactorShutDown)
    check = next(n for n, event in enumerate(told) if getattr(event, "kind", "") == "ammunition")
    wound = next(n for n, event in enumerate(told) if isinstance(event, harm.Wound) and event.cause == "heat")
    assert heat < down < check < wound


class _Lavish:
    """Dice that show a script and then sixes."""

    def __init__(self, faces: list[int]) -> None:
        self.script = ScriptedDice(faces + [6] * 60)

    def roll(self, count: int, sides: int, purpose: str) -> Any:
        return self.script.roll(count, sides, purpose)


def test_a_mech_always_stands_in_one_hex_on_the_ground() -> None:
    """PHY2: after a death from above that misses nobody is left in the air or in another's hex."""
    answer = ENGINE.parse_orders({"turn": 3, "answers": [{"hex": "0306"}]})
    after, _ = resolve(leaping(), fire(LEAP), ENGINE.add_answer(fire(), answer), 1, 2, 4, 5, 4, 1, 4, 6, 6, 6)
    places = [one.hex for one in after.units.values()]
    assert len(set(places)) == 2
    assert all(place in after.board for place in places)


TABLES = {
    ("punch", False): {1: "kick", 0: "punch"},
    ("kick", False): {0: "kick", -1: "punch"},
    ("push", False): {0: "normal"},
    ("club", False): {1: "kick", 0: "normal", -1: "punch"},
    ("hatchet", False): {1: "kick", 0: "normal", -1: "punch"},
    ("charge", False): {1: "normal", 0: "normal", -1: "normal"},
    ("punch", True): {1: "normal"},
    ("kick", True): {0: "normal"},
    ("push", True): {},
    ("club", True): {1: "normal", 0: "normal"},
    ("hatchet", True): {1: "normal", 0: "normal"},
    ("charge", True): {},
}
LIMBS = {"punch": Location.RA, "kick": RL, "hatchet": Location.RA}


@pytest.mark.parametrize("level", range(-2, 3))
@pytest.mark.parametrize(("kind", "prone"), TABLES)
def test_elevation_limits(kind: str, prone: bool, level: int) -> None:
    """PHY5: each attack by two levels down to two up, standing and prone (league table 3.2)."""
    attacker = fresh_unit("A", armed())
    attacker = replace(attacker, position=Hex(5, 1), facing=3, moved=Moved("run", 3, 3), club="limb")
    target = unit("HBK-4G", side="B", position=Hex(5, 2), prone=prone)
    blow = Blow(kind, LIMBS.get(kind))
    found: PhysicalNumber = physical_number(blow, attacker, target, field(h0502=(level, "")))
    assert (found.number.table if found.number.possible else None) == TABLES[kind, prone].get(level)


def armed() -> Any:
    """A Hunchback's design with a hatchet in its right arm."""
    design = unit("HBK-4G").design
    slots = {**design.slots, Location.RA: (*design.slots[Location.RA], Slot("hatchet"))}
    return replace(design, slots=slots)


def test_clubs_strike_prone_targets_by_a_cell_of_the_table() -> None:
    """PHY6: allowed, as printed in the book the league plays; a later printing forbids it."""
    assert table("physical")["target"]["clubs_strike_prone"] is True


def test_figures_of_clubs_and_swords() -> None:
    """PHY7: club 4, sword 3; a sword of 55 tons does 7, a club 11."""
    assert (BASE["club"].value, BASE["hatchet"].value, BASE["sword"].value) == (4, 4, 3)
    assert (damage_points("sword", 55), damage_points("club", 55)) == (7, 11)


def test_a_missing_hand_and_lower_arm_have_one_value_everywhere() -> None:
    """PHY8: 2 for the lower arm and 1 for the hand, the same in options, preview and play (physical.toml)."""
    plain = close().units["A"]
    arm = [slot for slot in plain.design.slots[Location.RA] if slot.kind not in ("lower_arm", "hand")]
    design = replace(plain.design, slots={**plain.design.slots, Location.RA: tuple(arm)})
    state = close(a={"design": design})
    punch = {"attack": "punch", "limb": "RA", "target": "B"}
    offered = ENGINE.options(state, "A")["fire"]["twists"][0]["physical"]
    told = next(one for one in offered if one["attack"] == "punch" and one["limb"] == "RA")
    shown = ENGINE.preview(state, "A", fire(punch))["fire"]["physical"][0]
    _, events = resolve(state, fire(punch), fire(), 1, 1)
    played = only(events, ev.PhysicalResolved)[0]
    assert told["number"] == shown["number"] == played.number == 4 + 2 + 1
