"""Worked examples of economy's rules through the functions used in play."""

from collections.abc import Callable, Mapping
from typing import Any

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.domain.repair import quote
from solaris_economy.domain.special_ammunition import SpecialLoad, charge
from solaris_local.cases import ammunition


def repair(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 4.7: cost of repairing a 'Mech after a fight."""
    damaged = given["damage_points"] > 0
    answer = quote(load_repair_terms(), given["price"], damaged=damaged, destroyed=given["destroyed"])
    return {"repairable": answer.repairable, "cost": answer.cost}


def ammo_charge(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 4.6.6: what a load-out costs, by combat's loading rules and economy's charge; or a refusal."""
    loads = ammunition.special_loads_of(given)
    if loads is None:
        return {"refused": True}
    priced = [SpecialLoad(label, munition, price) for munition, label, price in loads]
    return {"special_pairs": [[one.munition, one.bin] for one in priced], "cost": charge(priced)}


OPS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "economy.repair": repair,
    "economy.ammo_charge": ammo_charge,
}
