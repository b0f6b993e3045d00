"""What changes a fight beside the orders: an agreed length, a side that gives up, a correction.

An act comes before the next resolution or not at all. A correction, and a side that leaves a fight that goes
on, reopen the present request for every side, whoever had sealed: what is shown tells nothing about that.
Source: R 4.2 (length), solaris7-tables 1.7 (giving up), R 3 and users.md (the referee's corrections).
"""

from datetime import datetime, timedelta

from solaris_combat.domain import record
from solaris_combat.domain.events import ActTaken, FightConcluded, RequestRenewed
from solaris_combat.domain.fight import Fight, check_rules
from solaris_combat.domain.resolution import next_request
from solaris_combat.domain.sealing import refuse
from solaris_combat.engines.contract import OrdersInvalid
from solaris_shared.errors import Rejected

REOPENING = ("correct", "yield")
"""Acts after which everybody is asked anew."""


def take(fight: Fight, act: ActTaken, seed: bytes, now: datetime | None) -> tuple[object, ...]:
    """The act and what follows from it; Rejected once the fight is over, Unprocessable where it is not
    allowed. `now` dates the new deadline; None (off-line) sets none."""
    if fight.request is None:
        raise Rejected("fight-over", "this fight is over", state=fight.ended)
    check_rules(fight)
    engine, game = fight.playing, fight.game
    try:
        events = engine.act(game, act.name, act.data)
    except OrdersInvalid as invalid:
        refuse(invalid.violations, "act-refused")
    for event in events:
        game = engine.evolve(game, event)
    outcome = engine.outcome(game)
    reopened = act.name in REOPENING
    request = None if outcome else next_request(engine, game)
    deadline = _deadline(fight, now, reopened) if request else None
    happened = (act, *events, RequestRenewed(request, deadline, reopened))
    if outcome is None:
        return happened
    added = tuple(line for event in happened if (line := record.line_of(engine, event)))
    digest = record.digest(fight.lines + added, outcome, seed.hex())
    return (*happened, FightConcluded(fight.terms, outcome, seed.hex(), digest))


def _deadline(fight: Fight, now: datetime | None, reopened: bool) -> datetime | None:
    """As it was, or a full turn from now where everybody is asked anew and has less left."""
    if not reopened or now is None or fight.deadline is None:
        return fight.deadline
    return max(fight.deadline, now + timedelta(seconds=fight.terms.turn_seconds))
