"""Fire in play: 'Mechs with any weapons face each other, and orders are carried out with given dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.catalogue import design_from
from solaris_combat.engines.battletech.equipment import EQUIPMENT, pieces_slots
from solaris_combat.engines.battletech.mech import Location, MechDesign
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice

Json = dict[str, Any]


def armed(model: str = "PNT-9R", **entries: list[str]) -> MechDesign:
    """The design of a model with other things in the locations named: weapons once, ammunition "ammo KEY".

    What stands there of arms and legs stays; the construction rules are not asked.
    """
    sheet = table(f"mechs/{model.lower()}")
    slots = {name: list(held) for name, held in sheet["slots"].items()}
    for name, things in entries.items():
        kept = [entry for entry in slots.get(name, []) if entry in SYSTEMS]
        slots[name] = kept + [entry for entry in things for _ in range(length(entry, sheet["tons"]))]
    return design_from({**sheet, "slots": slots})


SYSTEMS = (
    *("shoulder", "upper-arm", "lower-arm", "hand", "hip", "upper-leg", "lower-leg", "foot"),
    *("engine", "gyro", "sensors", "life-support", "cockpit"),
)


def length(entry: str, tons: int) -> int:
    """Slots of an entry in a 'Mech of some tons."""
    key = entry.removesuffix(" rear")
    if key in WEAPONS:
        return WEAPONS[key].slots
    return max(1, pieces_slots(EQUIPMENT[key], tons)) if key in EQUIPMENT else 1


def standoff(span: int = 3, kind: str = "fire", turn: int = 8, **sides: Any) -> State:
    """A in 0404 looks south at B `span` hexes away on open ground, which looks back; fire is wanted.

    `a`, `b`: facts of the units, with `design` for another 'Mech.
    """
    state = begin(ENGINE, setup(), bytes(32)).state
    state = ENGINE.evolve(ENGINE.evolve(state, ev.PhaseBegan(turn, "movement")), ev.Asking(turn, kind))
    placed = {"A": {"position": "0404", "facing": 3}, "B": {"position": f"04{4 + span:02}", "facing": 0}}
    for side in "AB":
        facts = placed[side] | sides.get(side.lower(), {})
        if "design" in facts:
            state = with_unit(state, side, fresh_unit(side, facts.pop("design")))
        state = arrange(state, **{side: facts})
    return state


def with_unit(state: State, side: str, unit: Unit) -> State:
    return replace(state, units={**state.units, side: unit})


def shot(weapon: str, target: str = "B", **more: Any) -> Json:
    return {"weapon": weapon, "target": target, **more}


def volley(*shots: Json, turn: int = 8, **more: Any) -> Orders:
    """Orders of fire of the last turn; `more` are other parts of it."""
    return ENGINE.parse_orders({"turn": turn, "fire": {"shots": list(shots), **more}})


def resolve(state: State, a: Orders, b: Orders, *faces: int) -> tuple[State, list[Any]]:
    """Carry out legal orders with exactly these faces; every face stands in an event, in order."""
    for side, orders in (("A", a), ("B", b)):
        assert ENGINE.check(state, side, orders) == []
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": a, "B": b}, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    told = [face for event in events for roll in getattr(event, "rolls", ()) for face in roll.faces]
    assert told == list(faces)
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def only(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def codes(state: State, orders: Orders, side: str = "A") -> list[tuple[str, str]]:
    """(pointer, code) of everything illegal about orders."""
    return [(found.pointer, found.code) for found in ENGINE.check(state, side, orders)]


def offered(state: State, weapon: str, twist: int = 0, side: str = "A") -> Json:
    """What the options say of a weapon with a twist."""
    twists = ENGINE.options(state, side)["fire"]["twists"]
    weapons = next(one["weapons"] for one in twists if one["twist"] == twist)
    return next(one for one in weapons if one["weapon"] == weapon)


def hit(location: Location | str, unit: Unit, item: str) -> tuple[Location, int]:
    """The first slot of an item, as a critical hit."""
    place = Location(location)
    numbers = [n for n, slot in enumerate(unit.design.slots[place], 1) if item in (slot.item, slot.kind)]
    return place, numbers[0]
