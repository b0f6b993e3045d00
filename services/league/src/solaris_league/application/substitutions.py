"""Substitutes as combat tells of them."""

from solaris_league.domain import substitution
from solaris_league.domain.substitution import Seated, SubstituteSeated
from solaris_league.foreign_events import SideSubstituted
from solaris_shared.log.unit_of_work import Loaded, Transaction


def stream(fight_id: str) -> str:
    return f"substitutes-{fight_id}"


async def seat(tx: Transaction, event: SideSubstituted) -> None:
    """Remember who plays a side of a fight of ours now."""
    loaded = await _load(tx, event.fight_id)
    seated = SubstituteSeated(event.fight_id, event.side, event.person_id)
    await tx.append(loaded.stream, loaded.version, seated)


async def seated(tx: Transaction, fight_id: str) -> Seated:
    """Side and person of every substitute of a fight."""
    return (await _load(tx, fight_id)).state or frozenset()


async def _load(tx: Transaction, fight_id: str) -> Loaded[Seated]:
    return await tx.load(stream(fight_id), substitution.evolve)
