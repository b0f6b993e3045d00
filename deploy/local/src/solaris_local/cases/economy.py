"""Worked examples of economy's rules through the functions used in play."""

from collections.abc import Callable, Mapping
from typing import Any

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.domain.repair import quote


def repair(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 4.7: cost of repairing a 'Mech after a fight."""
    damaged = given["damage_points"] > 0
    answer = quote(load_repair_terms(), given["price"], damaged=damaged, destroyed=given["destroyed"])
    return {"repairable": answer.repairable, "cost": answer.cost}


OPS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"economy.repair": repair}
