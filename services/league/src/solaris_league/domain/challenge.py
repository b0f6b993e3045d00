"""A challenge: one way of coming to a fight, the lot being the other (R 4.4, "retando a un jugador").

It belongs to a round of the class that has not been drawn yet. One who accepts fixes the pairing; arena and
lent 'Mechs are drawn as for every fight of the round, and the fight counts like any other (R says no more).
Source: R 4.4; tables 1.5 (challenges close before the draw).
"""

from collections.abc import Iterable

from solaris_league.domain.mechwarrior import Mechwarrior
from solaris_league.domain.round import ChallengeAnswered, ChallengeIssued, Round, check_undrawn, fighter_of
from solaris_shared.errors import Forbidden, NotFound, Rejected


def issue(round_: Round, challenge_id: str, by: Mechwarrior, against: Mechwarrior) -> ChallengeIssued:
    """Raises Rejected after the draw, across classes, against oneself, twice, where one has a fight, or is
    out of this round."""
    check_undrawn(round_)
    if by.mechwarrior_id == against.mechwarrior_id:
        raise Rejected("challenge-self", "Nobody challenges himself.", "R 4.4")
    if {by.class_, against.class_} != {round_.terms.class_}:
        raise Rejected("challenge-class", "Both fight in the class of the round.", "R 4.4")
    pair = {by.mechwarrior_id, against.mechwarrior_id}
    if any({one.by, one.against} == pair for one in round_.challenges.values()):
        raise Rejected("challenge-stands", "These two have a challenge in this round.", "R 4.4")
    _check_free(round_, pair)
    _check_fit(round_, (by, against))
    return ChallengeIssued(
        round_.round_id,
        challenge_id,
        by.mechwarrior_id,
        against.mechwarrior_id,
        round_.number,
        round_.terms.class_,
        (fighter_of(by), fighter_of(against)),
    )


def answer(
    round_: Round, challenge_id: str, by: Mechwarrior, against: Mechwarrior, accepted: bool
) -> ChallengeAnswered:
    """The answer of `against`, who was challenged by `by`. Raises Rejected after the draw, a second time, or
    where one who accepts, or his challenger, cannot fight any more."""
    check_undrawn(round_)
    if challenge_id in round_.answers:
        raise Rejected("challenge-answered", "This challenge has its answer.", "R 4.4")
    if accepted:
        _check_free(round_, {by.mechwarrior_id, against.mechwarrior_id})
        _check_fit(round_, (by, against))
    fighters = (fighter_of(by), fighter_of(against))
    return ChallengeAnswered(
        round_.round_id, challenge_id, accepted, round_.number, round_.terms.class_, fighters
    )


def challenged(round_: Round, challenge_id: str, mechwarrior_id: str) -> ChallengeIssued:
    """The challenge. Raises NotFound, and Forbidden for anybody but the challenged."""
    found = round_.challenges.get(challenge_id)
    if found is None:
        raise NotFound("not-found")
    if found.against != mechwarrior_id:
        raise Forbidden("not-challenged", "Only who was challenged answers.")
    return found


def _check_free(round_: Round, ids: Iterable[str]) -> None:
    """One fight for each in a round."""
    taken = {one for pair in round_.fixed for one in pair}
    if taken & set(ids):
        raise Rejected("challenge-taken", "One of the two has accepted another fight.", "R 4.4")


def _check_fit(round_: Round, fighters: Iterable[Mechwarrior]) -> None:
    """Nobody fights whom the lot would not draw: the dead, and who recovers from injuries (R 4.7)."""
    if not all(one.fights_in(round_.number) for one in fighters):
        raise Rejected("mechwarrior-out", "One of the two does not fight in this round.", "R 4.7")
