"""Coherent private events for the generated contracts, where annotations alone do not say what is inside."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from solaris_combat.domain.events import FightConcluded, Seat, Terms
from solaris_combat.engines.contract import Outcome, Setup, SideOutcome, UnitSetup

FIGHT = "5f1a4c0e-7d3b-4e6a-9b2c-3062c0ffee07"
UNITS = (UnitSetup("A", "Halcón", "PNT-9R", 4, 5), UnitSetup("B", "Loba", "JVN-10N", 4, 5))


def _seat(unit: UnitSetup, number: int) -> Seat:
    ids = [f"{number}f1a4c0e-7d3b-4e6a-9b2c-3062c0ffee{kind}" for kind in ("0a", "0b", "0c")]
    return Seat(unit, ids[0], ids[1], ids[2], "organisers")


def _side(side: str, result: str, points: int, *, lost: bool) -> SideOutcome:
    mech = {"damaged": True, "destroyed": lost, "reason": "engine" if lost else ""}
    pilot = {"wounds": int(lost), "conscious": True, "dead": False, "ejected": lost}
    return SideOutcome(side, result, points, {"mech": mech, "pilot": pilot, "kills": int(not lost)})


TERMS = Terms(
    fight_id=FIGHT,
    round=1,
    kind="ranking",
    setup=Setup("solaris7/1", 3, "la-cantera", 8, UNITS),
    seats=tuple(_seat(unit, number) for number, unit in enumerate(UNITS, 1)),
    turn_seconds=172_800,
    referee=None,
    purse={"win": 300_000, "draw": 200_000, "loss": 100_000},
)
OUTCOME = Outcome(6, "destruction", (_side("A", "win", 79, lost=False), _side("B", "loss", 20, lost=True)))

EXAMPLES: Mapping[str, Sequence[object]] = {
    "fight-concluded": (
        FightConcluded(TERMS, OUTCOME, "00" * 32, "00" * 32),
        FightConcluded(replace(TERMS, referee=TERMS.seats[0].person_id), OUTCOME, "00" * 32, "00" * 32),
    ),
}
"""Stored name -> events from which the contract's schema and example are drawn."""
