"""A fight that cannot go on stands still by itself: its ruleset is not the one it began with.

It takes no orders and does not resolve until the tables are back or the league voids it; no other fight waits
for it. What was sealed before still counts.
"""

from datetime import datetime, timedelta

from solaris_combat.domain.events import FightParked, FightResumed
from solaris_combat.domain.fight import RULESET_CHANGED, Fight, rules_fit
from solaris_combat.domain.resolution import bound


def park(fight: Fight, now: datetime) -> tuple[FightParked, ...]:
    """Says once why the present request is not carried out; nothing for a fight that can go on."""
    if fight.parked is not None or rules_fit(fight):
        return ()
    return (FightParked(RULESET_CHANGED, fight.ruleset_hash, fight.playing.ruleset_hash, now),)


def resume(fight: Fight, now: datetime) -> tuple[FightResumed, ...]:
    """Goes on once the rules fit again: who could not order in time has a full turn from now."""
    if fight.parked is None or fight.request is None or not rules_fit(fight):
        return ()
    late = now + timedelta(seconds=fight.terms.turn_seconds)
    again = fight.expired and not bound(fight)
    return (FightResumed(fight.request, late if again else fight.deadline, now),)
