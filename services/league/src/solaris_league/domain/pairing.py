"""Who fights whom, where and in which lent 'Mech (R 3, R 4.1: fights, arenas and lent 'Mechs are drawn)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solaris_league.domain.lot import LARGEST, Lot
from solaris_shared.errors import Rejected


@dataclass(frozen=True, slots=True)
class LentMech:
    """A 'Mech of the organisers; `instance_id` is the machine, `model` its record sheet."""

    instance_id: str
    model: str


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a drawn fight."""

    mechwarrior_id: str
    mech: LentMech


@dataclass(frozen=True, slots=True)
class Pairing:
    """One drawn fight, sides A and B."""

    arena: str
    a: Seat
    b: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """The outcome of the lot; `resting` has no fight this round (odd number of entrants)."""

    pairings: tuple[Pairing, ...]
    resting: str | None


def draw_round(
    lot: Lot,
    entrants: Sequence[str],
    arenas: Sequence[str],
    pool: Sequence[LentMech],
    met: Mapping[frozenset[str], int],
    rested: Sequence[str] = (),
    fixed: Sequence[tuple[str, str]] = (),
) -> Draw:
    """Draw in this order: entrants (sorted by id), 'Mechs (sorted by instance), then an arena per fight.

    `fixed` are the pairs of accepted challenges: they fight first, and none of them rests (R 4.4).
    With an odd number the last drawn who has not rested yet rests. Each first drawn meets the earliest
    drawn of those he has met least often (`met`, by pair). Raises Rejected without two entrants or with
    too few 'Mechs.
    """
    if len(entrants) < 2:
        raise Rejected("too-few-entrants", "A round needs two mechwarriors.", "R 3")
    if len(entrants) > LARGEST:
        raise Rejected("too-many-entrants", f"At most {LARGEST} mechwarriors in a class.", "R 3")
    if len(pool) < len(entrants) - len(entrants) % 2:
        raise Rejected("lending-pool-too-small", "Every mechwarrior needs a lent 'Mech.", "R 3")
    order = list(lot.shuffled(sorted(entrants)))
    mechs = lot.shuffled(sorted(pool, key=lambda mech: mech.instance_id))
    free = [who for who in order if who not in {one for pair in fixed for one in pair}]
    resting = _resting(free, rested)
    pairs = [*fixed, *_pairs([who for who in free if who != resting], met)]
    return Draw(
        tuple(
            Pairing(arenas[lot.below(len(arenas))], Seat(a, mechs[2 * n]), Seat(b, mechs[2 * n + 1]))
            for n, (a, b) in enumerate(pairs)
        ),
        resting,
    )


def _resting(order: Sequence[str], rested: Sequence[str]) -> str | None:
    if len(order) % 2 == 0:
        return None
    fresh = [who for who in order if who not in rested]
    return (fresh or order)[-1]


def _pairs(order: list[str], met: Mapping[frozenset[str], int]) -> list[tuple[str, str]]:
    pairs = []
    while order:
        first = order.pop(0)
        second = min(order, key=lambda other: met.get(frozenset((first, other)), 0))
        order.remove(second)
        pairs.append((first, second))
    return pairs
