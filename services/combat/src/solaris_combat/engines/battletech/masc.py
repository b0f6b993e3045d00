"""A run with MASC: the roll that it may fail, and what its failure does (BMR, MASC).

It is rolled before the first step. A failure takes both hips and the MASC itself, and nothing moves.
Source: BMR, MASC; movement.yaml masc (failure_bmr); bmr-vs-total-warfare.md.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events, harm
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.movement import allowance
from solaris_combat.engines.battletech.myomer import masc_number, masc_works, struck_by_failure
from solaris_combat.engines.battletech.play import Play


def masc_holds(play: Play, side: str) -> bool:
    """Use the MASC of a unit that can run, standing or not; True if it does not fail or was never started."""
    unit = play.unit(side)
    if not masc_works(unit) or not allowance(unit).run:
        return True
    number = masc_number(unit)
    roll = play.dice.roll(2, 6, "MASC")
    failed = roll.total <= number
    play.emit(events.MascUsed(play.turn, side, number, failed, (roll,)))
    if failed:
        chain = harm.Chain(play.unit(side))
        for place, slot, kind, item in tuple(struck_by_failure(chain.unit)):
            chain.add(harm.SlotHit(side, place, slot, kind, item, ()))
        go_through(play, chain.harm())
    return not failed
