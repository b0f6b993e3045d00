"""How many missiles or pellets of a salvo hit, and in which groups (BMR, missile hits table).

Source: BMR missile hits table; cluster_hits.yaml, league tables 6.5.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon

_TABLE = table("cluster_hits")
HITS: Mapping[int, tuple[int, ...]] = {
    int(size): tuple(row) for size, row in _TABLE["hits"].items() if size.isdigit()
}
TWICE: Mapping[int, int] = {int(size): half for size, half in _TABLE["twice"].items() if size.isdigit()}
ARTEMIS_IV: int = _TABLE["bonus"]["artemis_iv"]
NARC: int = _TABLE["bonus"]["narc"]
HIGHEST_ROLL: int = _TABLE["bonus"]["highest_roll"]


def hits(size: int, total: int, bonus: int = 0) -> int:
    """Missiles of a salvo that hit with this 2D6 total; a bonus cannot take it above 12.

    KeyError for a size without a column: no weapon of the Master Rules has one.
    """
    return HITS[size][min(total + bonus, HIGHEST_ROLL) - 2]


def columns(size: int) -> tuple[int, ...]:
    """The columns a salvo rolls on: its own, or that of half its size twice (BMR, MRM launchers)."""
    return (TWICE[size],) * 2 if size in TWICE else (size,)


def groups(weapon: Weapon, missiles: int) -> tuple[int, ...]:
    """Points of each group that is located on its own, for so many missiles that hit (BMR, missile hits)."""
    if weapon.group_points:
        whole, rest = divmod(missiles * weapon.damage, weapon.group_points)
        return (weapon.group_points,) * whole + ((rest,) if rest else ())
    if not weapon.damage:
        return ()
    whole, rest = divmod(missiles, weapon.group)
    return (weapon.group * weapon.damage,) * whole + ((rest * weapon.damage,) if rest else ())
