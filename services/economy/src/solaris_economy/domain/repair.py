"""Repair of a 'Mech after a fight (R 4.7): a fixed part of its price, whatever the damage; a destroyed one
is lost."""

from dataclasses import dataclass

from solaris_shared.money import check_amount, percent


@dataclass(frozen=True, slots=True)
class RepairTerms:
    """Figures of the repair table. `without_damage`: charge also if nothing was lost (C-18 reads R 4.7 as
    no)."""

    rate_percent: int
    without_damage: bool


@dataclass(frozen=True, slots=True)
class Repair:
    """`repairable` False: destroyed, nothing to pay, nothing left. `cost` in BC, rounded down once."""

    repairable: bool
    cost: int


def quote(terms: RepairTerms, price: int, damaged: bool, destroyed: bool) -> Repair:
    """What the repair of a 'Mech of list price `price` costs."""
    check_amount(price)
    if destroyed:
        return Repair(repairable=False, cost=0)
    if not damaged and not terms.without_damage:
        return Repair(repairable=True, cost=0)
    return Repair(repairable=True, cost=percent(price, terms.rate_percent))
