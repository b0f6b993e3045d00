"""Permanence fights: who fights them, and what becomes of two who are still level at the end (R 3, R 4.3)."""

from collections.abc import Mapping, Sequence

from solaris_league.domain.fight_length import fight_length
from solaris_league.domain.lot import Lot
from solaris_league.domain.mechwarrior import (
    Mechwarrior,
    PermanenceCalled,
    PermanenceEnded,
    Promoted,
    Relegated,
)
from solaris_league.domain.pairing import Seat
from solaris_league.domain.ranking import PERMANENCE
from solaris_league.domain.round import FightScheduled, Round, RoundTerms, check_terms, seat_side
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import Forbidden, Rejected


def places(points: Mapping[str, int], count: int, lot: Sequence[str]) -> tuple[str, ...]:
    """The first `count` of the quarter by points; those level are taken in the order of the lot (R 3)."""
    drawn = {who: place for place, who in enumerate(lot)}
    ranked = sorted(points, key=lambda who: (-points[who], drawn.get(who, len(drawn)), who))
    return tuple(ranked[:count])


def goes_down_to(rules: LeagueRules, for_class: int) -> str:
    """Where both go who are still level: a class lower, from the entry class to the waiting list (R 4.3)."""
    return "waiting_list" if for_class == rules.entry_class else f"class_{for_class - 1}"


def check_class(rules: LeagueRules, class_: int) -> None:
    """Raises Rejected for the entry class: its challengers would come from a waiting list."""
    if class_ == rules.entry_class:
        raise Rejected("waiting-list-not-built", "There is no waiting list to come from yet.", "R 3")


def check_interest(fighters: Sequence[Mechwarrior], person_id: str) -> None:
    """Forbidden `conflict-of-interest` for one of the Commission who would fight himself."""
    if person_id in {one.person_id for one in fighters}:
        raise Forbidden("conflict-of-interest", "Nobody calls a fight of his own.")


def call(
    rules: LeagueRules,
    round_: Round,
    terms: RoundTerms,
    fight_id: str,
    defender: Mechwarrior,
    challenger: Mechwarrior,
) -> tuple[FightScheduled, PermanenceCalled, PermanenceCalled]:
    """R 3: one who would leave the class fights one who would enter it; two of the class below fight for a
    place that is free (PROPOSED). `round_` is the last one drawn of the class below: arena and 'Mechs come
    from its opened seed, so that anybody can repeat it (docs/reference/lot.md). Raises Rejected, and what
    `check_terms` raises."""
    check_terms(rules, terms)
    if challenger.class_ != terms.class_ - 1 or defender.class_ not in (terms.class_, terms.class_ - 1):
        detail = "One of the class, or of the class below, meets one of the class below."
        raise Rejected("permanence-class", detail, "R 3")
    if defender == challenger:
        raise Rejected("permanence-self", "Nobody fights himself.", "R 3")
    if not (defender.fights_in(round_.number) and challenger.fights_in(round_.number)):
        raise Rejected("mechwarrior-out", "One of the two cannot fight now.", "R 4.7")
    if len(terms.pool) < 2:
        raise Rejected("lending-pool-too-small", "Every mechwarrior needs a lent 'Mech.", "R 3")
    assert round_.drawn is not None
    who = (defender.mechwarrior_id, challenger.mechwarrior_id)
    lot = Lot(round_.drawn.seed, f"permanence {' '.join(who)}")
    mechs = lot.shuffled(sorted(terms.pool, key=lambda mech: mech.instance_id))
    arena, purse = terms.arenas[lot.below(len(terms.arenas))], rules.purses[terms.class_]
    fighters = {one.mechwarrior_id: one for one in (defender, challenger)}
    sides = tuple(
        seat_side(side, Seat(one, mech), fighters) for side, one, mech in zip("AB", who, mechs, strict=False)
    )
    fight = FightScheduled(
        fight_id,
        round_.round_id,
        round_.number,
        terms.ruleset,
        terms.class_,
        arena,
        fight_length(rules, terms.class_, (rules.turns, rules.turns)),
        terms.turn_seconds,
        {"win": purse.win, "draw": purse.draw, "loss": purse.loss},
        sides,
        PERMANENCE,
    )
    return fight, PermanenceCalled(who[0], fight_id), PermanenceCalled(who[1], fight_id)


def decided(
    rules: LeagueRules, fight: FightScheduled, who: Mechwarrior, result: str, drawn: Mapping[int, int]
) -> Promoted | Relegated | None:
    """R 3, R 4.3: who wins is in the class, who loses is in the one below; level, both are below. None for
    who stays where he is. `drawn`: number of the last round drawn in each class."""
    below = int(goes_down_to(rules, fight.class_).removeprefix("class_"))
    to = fight.class_ if result == "win" else below
    if to == who.class_:
        return None
    kind = Promoted if to > who.class_ else Relegated
    out = out_in(who, drawn.get(who.class_, 0), drawn.get(to, 0))
    return kind(who.mechwarrior_id, who.person_id, who.name, fight.fight_id, who.class_, to, out)


def out_in(who: Mechwarrior, here: int, there: int) -> int:
    """R 4.7: he misses as many rounds of the new class as he would have missed of the old one; each class
    counts its own. `here` and `there` are the last rounds drawn."""
    left = who.out_until - here
    return there + left if left > 0 else 0


def ended(who: Mechwarrior, fight_id: str) -> tuple[PermanenceEnded, ...]:
    """He may be drawn again; nothing if he was not waiting for this fight."""
    return (PermanenceEnded(who.mechwarrior_id, fight_id),) if who.called == fight_id else ()
