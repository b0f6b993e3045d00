"""What follows fire: reactor, ammunition, ejection, waking up (heat.yaml order_in_phase, pilot.yaml)."""

from dataclasses import replace
from typing import Any

from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm, heat_events
from solaris_combat.engines.battletech.orders import Fire, Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice

ROUND = {"lt-srm-4-ammo-1": 1}


def hot(heat: int, auto_eject: bool = True, **facts: Any) -> State:
    """Turn 7, fire and movement are wanted; the Panther A has this much heat and one round of SRM aboard."""
    state = begin(ENGINE, setup(), b"").state
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", ROUND, auto_eject))
    state = ENGINE.evolve(state, ev.PhaseBegan(7, "movement"))
    a = {"position": "0104", "facing": 2, "heat": heat, "belts": {"lt-srm-4-ammo-1": ("normal",)}}
    state = arrange(state, A=a | facts, B={"position": "1514", "facing": 5})
    return ENGINE.evolve(state, ev.Asking(7, "fire_and_movement"))


def hold(state: State, faces: list[int]) -> tuple[State, list[Any]]:
    """Both hold fire and stand still; the faces must be used up."""
    still = ENGINE.default_orders(state, "A")
    assert still == Orders(7, fire=Fire(), movement=still.movement)
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": still, "B": still}, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def kinds(events: list[Any], side: str = "A") -> list[str]:
    return [type(event).__name__ for event in events if getattr(event, "side", "") == side]


def test_the_reactor_shuts_down_and_the_mech_falls_of_it() -> None:
    """40 - 13 = 27: avoided on 10+; the roll not to fall has +3, the reactor counting as still running."""
    faces = [1, 1, 1, 1, 1, 4, 4, 6, 6, 6, 6]
    state, events = hold(hot(40), faces)
    assert kinds(events)[1:8] == [
        "HeatApplied",
        "HeatCheckMade",
        "ReactorShutDown",
        "PilotingRollMade",
        "UnitFell",
        "DamageStep",
        "PilotingRollMade",
    ]
    check = next(event for event in events if isinstance(event, heat_events.HeatCheckMade))
    assert (check.kind, check.heat, check.number, check.success) == ("shutdown", 27, 10, False)
    roll = next(event for event in events if isinstance(event, ev.PilotingRollMade))
    assert [(item.value, item.reason) for item in roll.modifiers] == [
        (5, "piloting skill"),
        (3, "reactor_shutdown"),
    ]
    assert state.units["A"].shutdown
    assert state.units["A"].prone
    assert events[-2:] == [ev.MovementVoided(8, ("A",)), ev.Asking(8, "movement")]


def test_a_cool_reactor_starts_again_without_a_roll() -> None:
    state, events = hold(hot(20, shutdown=True), [])
    assert [event.heat for event in events if isinstance(event, heat_events.ReactorRestarted)] == [7]
    assert not state.units["A"].shutdown


def test_an_explosion_by_heat_throws_the_mechwarrior_out() -> None:
    """Ejection: piloting 5, automatic +1, clear -2 = 4; the fight is lost, the 'Mech itself is not."""
    state, events = hold(hot(40), [6, 6, 1, 1, 6, 6])
    assert "Explosion" in kinds(events)
    ejected = next(event for event in events if isinstance(event, ev.PilotEjected))
    assert (ejected.number, ejected.safe) == (4, True)
    assert [(item.value, item.reason) for item in ejected.modifiers] == [
        (5, "piloting skill"),
        (1, "automatic ejection"),
        (-2, "lands in clear"),
    ]
    assert state.units["A"].destroyed == "ejected"
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    a, b = outcome.sides
    assert (a.result, b.result, outcome.ended_by) == ("loss", "win", "out-of-action")
    assert a.facts["mech"] == {"damaged": True, "destroyed": False, "reason": "ejected"}
    assert a.facts["pilot"]["ejected"]
    assert b.facts["kills"] == 0


def test_a_mechwarrior_killed_by_an_explosion_is_told_which_table_he_rolls_on() -> None:
    """AMM6: the wounds of the explosion kill; the log names R 4.7, the outcome tells the league."""
    begun = arrange(hot(40, auto_eject=False), A={"pilot_hits": 4})
    state, events = hold(begun, [6, 6, 1, 1])
    wound = next(event for event in events if isinstance(event, harm.Wound))
    assert (wound.total, wound.cause) == (6, "explosion")
    for language, table_name in (("es", "tabla de Lesiones"), ("en", "Injuries table")):
        told = ENGINE.describe(wound, language)
        assert table_name in told and "R 4.7" in told and ENGINE.words(language)["wound.ammunition"] in told
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    assert outcome.sides[0].facts["pilot"]["dead"]


def test_ejection_can_be_switched_off_for_the_fight() -> None:
    """Then the two wounds of the feedback stay, and each asks for a roll: 3 and 5."""
    state, events = hold(hot(40, auto_eject=False), [6, 6, 1, 1, 6, 6, 6, 6])
    assert not [event for event in events if isinstance(event, ev.PilotEjected)]
    numbers = [event.number for event in events if isinstance(event, harm.Consciousness)]
    assert (state.units["A"].pilot_hits, numbers) == (2, [3, 5])
    assert state.ended is None


def test_the_unconscious_wake_up_in_a_later_turn_only() -> None:
    out = hot(0, conscious=False, pilot_hits=1)
    earlier = replace(out, passed_out={"A": 6})
    state, events = hold(earlier, [1, 2])
    woke = next(event for event in events if isinstance(event, harm.Consciousness))
    assert (woke.purpose, woke.number, woke.conscious) == ("wake", 3, True)
    assert state.units["A"].conscious
    now = replace(out, passed_out={"A": 7})
    state, events = hold(now, [])
    assert not state.units["A"].conscious
