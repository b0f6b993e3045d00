"""What the Commission changes in a round that has not been drawn: more 'Mechs to lend, or no round at all.

A round that cannot be drawn (too few 'Mechs, fewer than two who may fight) would hold up its class for ever:
the rules have a 'Mech drawn from the organisers for each who has none, and a round every month.
Source: R 3, R 4.1; solaris7-tables C-30.
"""

from collections.abc import Sequence

from solaris_league.domain.lot import LARGEST
from solaris_league.domain.mechwarrior import Mechwarrior
from solaris_league.domain.pairing import LentMech
from solaris_league.domain.round import PoolExtended, Round, RoundVoided, check_undrawn, fighter_of
from solaris_league.domain.terms import check_pool, invalid


def extend_pool(round_: Round, mechs: Sequence[LentMech], reason: str) -> PoolExtended:
    """More 'Mechs for the lot. Raises Rejected after the draw, Unprocessable for one that is lent already or
    for more than a lot can draw."""
    check_undrawn(round_)
    check_pool(mechs, round_.terms.pool)
    if len(round_.terms.pool) + len(mechs) > LARGEST:
        raise invalid("/pool", f"At most {LARGEST} 'Mechs in a round.")
    return PoolExtended(round_.round_id, round_.number, round_.terms.class_, tuple(mechs), reason)


def void(round_: Round, members: Sequence[Mechwarrior], reason: str) -> RoundVoided:
    """R 4.1: the month goes by without fights. It counts as a round where rounds are counted: in the ranking
    of the last three, and for who recovers from injuries (PROPOSED). Raises Rejected after the draw: then
    its fights are called off one by one."""
    check_undrawn(round_)
    alive = tuple(fighter_of(one) for one in members if not one.dead)
    return RoundVoided(round_.round_id, round_.number, round_.terms.class_, reason, alive)
