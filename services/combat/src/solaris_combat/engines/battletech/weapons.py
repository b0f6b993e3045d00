"""Weapons and ammunition of the league's set (tables/weapons.toml; BMR, weapons and equipment table).

Source: BMR weapons and equipment table; weapons.yaml, ammo.yaml (levels 1 and 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.munitions import NORMAL
from solaris_combat.engines.battletech.tables import table

ARTILLERY = "artillery"
"""Strikes hexes from afar, is never fired at a 'Mech; the league's set has none (weapons.yaml league_set)."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A kind of weapon.

    `kind` is "energy", "ballistic", "missile", "streak", "pellets", "beacon" or ARTILLERY.

    Missiles and pellets: `rack` of them with `damage` points each, striking in groups of `group`
    (or of `group_points` points, where that is given); anything
    else does `damage` at once. `water` are the ranges under water, None where it cannot fire there.
    `to_hit` is the weapon's own modifier; `ammunition` is "" for energy weapons; `undirected`: no targeting
    computer helps it (machine guns, flamers). `explosion`: points it does inside when it is hit. `splits`: it
    may lie in two neighbouring locations. `modes`: ways of firing it other than the usual one
    (tables/weapon_modes.toml). `not_played` says why fights refuse it, "" where they do not.
    """

    key: str
    name: str
    kind: str
    heat: int
    damage: int
    minimum: int
    short: int
    medium: int
    long: int
    rack: int = 0
    group: int = 1
    group_points: int = 0
    to_hit: int = 0
    ammunition: str = ""
    water: tuple[int, int, int] | None = None
    half_tons: int = 0
    slots: int = 1
    spanish: str = ""
    undirected: bool = False
    explosion: int = 0
    splits: bool = False
    modes: tuple[str, ...] = ()
    not_played: str = ""


@dataclass(frozen=True, slots=True)
class Ammunition:
    """A kind of ammunition: rounds in a ton and the points one round does when it explodes.

    `base` is the ammunition whose weapons it feeds where that is not its own key ("lrm-15" for
    "lrm-15-narc"), `munition` what a bin of it holds unless something else is loaded. `not_played` says why
    fights refuse it, "" where they do not.
    """

    key: str
    name: str
    shots: int
    damage: int
    base: str = ""
    munition: str = NORMAL
    not_played: str = ""


def weapon_from(key: str, data: Mapping[str, Any]) -> Weapon:
    """A weapon from its section of the table; KeyError or TypeError if the section is not complete."""
    facts = dict(data)
    minimum, short, medium, long = facts.pop("ranges")
    water, modes = facts.pop("water", None), facts.pop("modes", ())
    return Weapon(
        key=key,
        minimum=minimum,
        short=short,
        medium=medium,
        long=long,
        water=None if water is None else tuple(water),
        modes=tuple(modes),
        **facts,
    )


WEAPONS: Mapping[str, Weapon] = {
    key: weapon_from(key, data) for key, data in table("weapons")["weapon"].items()
}
AMMUNITION: Mapping[str, Ammunition] = {
    key: Ammunition(key=key, **data) for key, data in table("weapons")["ammunition"].items()
}
