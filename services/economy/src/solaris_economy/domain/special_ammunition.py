"""Special ammunition of a fight: each kind in each bin is paid for, spent or not (R 4.6.6; C-06)."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from solaris_shared.money import check_amount


@dataclass(frozen=True, slots=True)
class SpecialLoad:
    """One kind of special ammunition in one bin, with its price in BC by the fight's ruleset."""

    bin: str
    munition: str
    price: int


@dataclass(frozen=True, slots=True)
class Seat:
    """Who fights on a side."""

    side: str
    mechwarrior_id: UUID
    person_id: str


@dataclass(frozen=True, slots=True)
class FightSeated:
    """The seats of a fight, noted because load-outs name sides only."""

    fight_id: UUID
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SpecialAmmoCharged:
    """A mechwarrior paid the organisers for the special ammunition of a fight (R 4.6.6)."""

    fight_id: UUID
    mechwarrior_id: str
    loads: tuple[SpecialLoad, ...]
    amount: int


def charge(loads: Iterable[SpecialLoad]) -> int:
    """What the special ammunition of one 'Mech costs."""
    amount = sum(load.price for load in loads)
    check_amount(amount)
    return amount
