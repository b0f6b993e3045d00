"""One 'Mech of metal: its model, price, owner and condition.

Damage of a fight may be reported before the commission has registered the instance; it then waits in the
stream, for all to see, and is settled on registration. Damage is settled once: repaired (R 4.7) or written
off.
"""

from dataclasses import dataclass, replace
from uuid import UUID

from solaris_economy.domain.repair import RepairTerms, quote
from solaris_shared.errors import Conflict


@dataclass(frozen=True, slots=True)
class MechRegistered:
    """The instance exists, at the list price of its model (BC), and belongs to `owner` (an account)."""

    instance_id: UUID
    model: str
    price: int
    owner: str


@dataclass(frozen=True, slots=True)
class DamageReported:
    """A fight left the instance damaged or destroyed; open until repaired or written off."""

    fight_id: UUID
    destroyed: bool


@dataclass(frozen=True, slots=True)
class MechRepaired:
    """The damage of `fight_id` is repaired; `cost` BC were charged to `owner`."""

    fight_id: UUID
    owner: str
    cost: int


@dataclass(frozen=True, slots=True)
class MechWrittenOff:
    """The instance was destroyed in `fight_id`: irreparable (R 4.7)."""

    instance_id: UUID
    fight_id: UUID
    model: str
    owner: str
    price: int


@dataclass(frozen=True, slots=True)
class MechInstance:
    """State folded from the stream; `model` None while damage waits for the registration."""

    model: str | None = None
    price: int = 0
    owner: str = ""
    written_off: bool = False
    open_damage: tuple[DamageReported, ...] = ()
    settled_fights: frozenset[UUID] = frozenset()


def register(
    mech: MechInstance | None, instance_id: UUID, model: str, price: int, owner: str
) -> tuple[object, ...]:
    """Enter the instance into the books; Conflict if it is in them."""
    if mech is not None and mech.model is not None:
        raise Conflict("mech-already-registered", f"'Mech instance {instance_id} is registered")
    return (MechRegistered(instance_id, model, price, owner),)


def report_damage(mech: MechInstance | None, fight_id: UUID, destroyed: bool) -> tuple[object, ...]:
    """Note the damage of a fight, once per fight."""
    known = mech or MechInstance()
    if fight_id in known.settled_fights or any(damage.fight_id == fight_id for damage in known.open_damage):
        return ()
    return (DamageReported(fight_id, destroyed),)


def settle(
    mech: MechInstance, instance_id: UUID, terms: RepairTerms
) -> tuple[MechRepaired | MechWrittenOff, ...]:
    """Settle open damage in the order it came, until the instance is written off; damage after that stays
    open."""
    settled: list[MechRepaired | MechWrittenOff] = []
    for damage in mech.open_damage:
        if mech.written_off or (settled and isinstance(settled[-1], MechWrittenOff)):
            break
        repair = quote(terms, mech.price, damaged=True, destroyed=damage.destroyed)
        if repair.repairable:
            settled.append(MechRepaired(damage.fight_id, mech.owner, repair.cost))
        else:
            settled.append(MechWrittenOff(instance_id, damage.fight_id, mech.model, mech.owner, mech.price))
    return tuple(settled)


def evolve(mech: MechInstance | None, event: object) -> MechInstance:
    """Fold one event of the instance's stream."""
    known = mech or MechInstance()
    match event:
        case MechRegistered(_, model, price, owner):
            return replace(known, model=model, price=price, owner=owner)
        case DamageReported():
            return replace(known, open_damage=(*known.open_damage, event))
        case MechRepaired(fight_id):
            return close_damage(known, fight_id)
        case MechWrittenOff(_, fight_id):
            return replace(close_damage(known, fight_id), written_off=True)
        case _:
            return known


def close_damage(mech: MechInstance, fight_id: UUID) -> MechInstance:
    """The damage of `fight_id` is no longer open."""
    rest = tuple(damage for damage in mech.open_damage if damage.fight_id != fight_id)
    return replace(mech, open_damage=rest, settled_fights=mech.settled_fights | {fight_id})
