"""Who plays the sides of a fight besides those it was scheduled for.

A substitute takes over a side when its mechwarrior stays away; both have an interest in the fight from then
on: both may appeal for the side, and neither rules on it.
Source: R 3 (referees: substitutes); R 2 (nobody rules on a fight of his own).
"""

from dataclasses import dataclass

from solaris_league.domain.round import FightScheduled

Seated = frozenset[tuple[str, str]]
"""Side and person of every substitute."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """`person_id` plays or played `side` without having been scheduled for it."""

    side: str
    person_id: str


@dataclass(frozen=True, slots=True)
class SubstituteSeated:
    """`person_id` plays `side` from here on. Stands in the stream of the fight's substitutes."""

    fight_id: str
    side: str
    person_id: str


def evolve(state: Seated | None, event: object) -> Seated:
    if not isinstance(event, SubstituteSeated):
        raise TypeError(f"not an event of substitutes: {event!r}")
    return (state or frozenset()) | {(event.side, event.person_id)}


def substitutes(seated: Seated) -> tuple[Substitute, ...]:
    """The substitutes of a fight as facts about it name them."""
    return tuple(Substitute(*one) for one in sorted(seated))


def everybody(fight: FightScheduled, seated: Seated) -> Seated:
    """Side and person of all who play or played in the fight."""
    return seated | {(one.side, one.person_id) for one in fight.sides}
