"""Weapons of the BattleTech cases from their inlined facts, those too that the league's set lacks.

What a kind of weapon does besides its facts comes from its name. Source of the figures: weapons.yaml,
gauss_and_special_weapons.yaml; for Clan weapons, which no rule page has, the program of 2006.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.cluster_hits import ARTEMIS_IV
from solaris_combat.engines.battletech.shooting import Shot
from solaris_combat.engines.battletech.weapons import ARTILLERY, WEAPONS, Weapon

Row = Mapping[str, Any]

_BY_NAME = {weapon.name: weapon for weapon in WEAPONS.values()} | {"Particle Cannon": WEAPONS["ppc"]}
_MISSILE_DAMAGE, _ARTILLERY_DAMAGE = -2, -5
_UNDIRECTED = (
    *("Flamer", "Vehicle Flamer", "Light Machine Gun", "Heavy Machine Gun"),
    *("TAG", "IS TAG", "Clan TAG", "Light TAG", "IS Light TAG", "C3 Master with TAG", "C3 Computer [Master]"),
)
_BEACONS = ("Narc", "iNarc")
_WATER = {
    ("ER Large Laser", 25): (5, 10, 16),
    ("ER Medium Laser", 15): (3, 7, 10),
    ("ER Small Laser", 6): (1, 2, 4),
    ("ER Micro Laser", 4): (1, 2, 2),
    ("Large Pulse Laser", 20): (4, 10, 14),
    ("Medium Pulse Laser", 12): (3, 5, 8),
    ("Small Pulse Laser", 6): (1, 2, 4),
    ("Micro Pulse Laser", 3): (1, 2, 2),
    ("Heavy Large Laser", 15): (3, 6, 9),
    ("Heavy Medium Laser", 9): (2, 4, 6),
    ("Heavy Small Laser", 3): (1, 2, 2),
}
"""Ranges under water of lasers that are not the league's, by name and long range; no row tells them."""
_TORPEDOES = {"LRT": (7, 14, 21), "SRT": (3, 6, 9)}
"""Ranges of torpedoes, which run under water only."""
_ADVANCED = "ATM"
_ADVANCED_ROUNDS = {" ER ": (1, (4, 9, 18, 27)), " HE ": (3, (0, 3, 6, 9))}
"""Points and ranges of the rounds of advanced tactical missiles that are not the usual ones."""
_MISSILES = {
    _ADVANCED: (2, 5),
    "LRM": (1, 5),
    "LRT": (1, 5),
    "MRM": (1, 5),
    "Rocket Launcher": (1, 5),
    "RL": (1, 5),
    "SRM": (2, 1),
    "SRT": (2, 1),
    "Streak SRM": (2, 1),
}
"""Points of a missile, and missiles in a group, by the kind of launcher."""
_HARMLESS = ("Inferno", "Fragmentation", "Smoke", "Flare", "Thunder")
"""Munitions that do no damage to a 'Mech (ammo.yaml special_effects)."""
_BY_RANGE = {"Heavy Gauss Rifle": (25, 20, 10)}
"""Points at short, medium and long range."""
_ROTARY = "Rotary AC"
_SHOTS = {"2-shot": 2, "4-shot": 4, "6-shot": 6}
"""Ways of firing a rotary autocannon, with the shots of each; any other fires one."""
_MODES = {"Ultra": "double", "Heat": "heat"}
_ONE_SHOT = " (OS)"


class Way(NamedTuple):
    """How a weapon of a row is fired: the engine's mode, and rounds for each shot of it."""

    mode: str = ""
    rounds: int = 1


def weapon_of(facts: Row, ammo: str) -> Weapon:
    """A weapon from its inlined facts; what a kind of missile does comes from its name.

    A kind of missile that the league's set lacks has no damage here: its number to hit does not ask for it.
    """
    missiles = facts["damage"] == _MISSILE_DAMAGE
    family = facts["name"].removesuffix(_ONE_SHOT).rpartition(" ")[0]
    points, group = _MISSILES.get(family, (max(facts["damage"], 0), 1))
    pellets = "Cluster" in ammo
    known = _BY_NAME.get(facts["name"])
    water = _WATER.get((facts["name"], facts["long"]), known.water if known else None)
    minimum, short, medium, long = _ranges(facts, family, ammo)
    return Weapon(
        key=facts["name"],
        name=facts["name"],
        kind=_kind(facts, family, missiles, pellets),
        heat=facts["heat"],
        damage=_points(1 if pellets else points, family, ammo),
        minimum=minimum,
        short=short,
        medium=medium,
        long=long,
        rack=facts["rack"] if (missiles or pellets) and not _is_beacon(facts) else 0,
        group=group,
        to_hit=facts["to_hit_mod"] - pellets + ("Armor-Piercing" in ammo),
        water=_TORPEDOES.get(family, water),
        undirected=known.undirected if known else facts["name"] in _UNDIRECTED,
    )


def _special(family: str, ammo: str) -> tuple[int, tuple[int, int, int, int]] | None:
    """Points and ranges of advanced tactical missiles with rounds of their own; None for anything else."""
    found = (rounds for word, rounds in _ADVANCED_ROUNDS.items() if word in ammo)
    return next(found, None) if family == _ADVANCED else None


def _ranges(facts: Row, family: str, ammo: str) -> tuple[int, int, int, int]:
    """Minimum, short, medium and long range on land; torpedoes have none."""
    if special := _special(family, ammo):
        return special[1]
    if family in _TORPEDOES:
        return facts["min"], 0, 0, 0
    return facts["min"], facts["short"], facts["medium"], facts["long"]


def _points(points: int, family: str, ammo: str) -> int:
    """Points of one hit with this ammunition (ammo.yaml special_effects)."""
    if special := _special(family, ammo):
        return special[0]
    if is_harmless(ammo):
        return 0
    return points // 2 if "Flechette" in ammo else points


def is_harmless(ammo: str) -> bool:
    """Whether this ammunition does no damage to a 'Mech."""
    return any(word in ammo for word in _HARMLESS)


def cluster_bonus(weapon: Weapon, ammo: str) -> int:
    """What is added to the roll for missile hits: for Artemis IV, which some launchers have built in."""
    guided = "Artemis-capable" in ammo or weapon.name.startswith(f"{_ADVANCED} ")
    return ARTEMIS_IV if guided else 0


def _is_beacon(facts: Row) -> bool:
    return facts["name"].removesuffix(_ONE_SHOT) in _BEACONS


def _kind(facts: Row, family: str, missiles: bool, pellets: bool) -> str:
    if facts["damage"] == _ARTILLERY_DAMAGE:
        return ARTILLERY
    if _is_beacon(facts):
        return "beacon"
    if family.startswith("Streak"):
        return "streak"
    return "missile" if missiles else "pellets" if pellets else "energy"


def fired_so(weapon: Weapon, mode: str, distance: int) -> tuple[Weapon, Way]:
    """The weapon as it is at this distance and fired in this mode of the row, and the way of firing it.

    A rotary autocannon strikes with the shots that the missile hits table gives, each on its own.
    """
    if weapon.name in _BY_RANGE:
        band = (distance > weapon.short) + (distance > weapon.medium)
        return replace(weapon, damage=_BY_RANGE[weapon.name][band]), Way()
    if not weapon.name.startswith(_ROTARY):
        return weapon, Way(_MODES.get(mode, ""))
    shots = _SHOTS.get(mode, 1)
    if shots == 1:
        return weapon, Way()
    return replace(weapon, kind="pellets", rack=shots, heat=weapon.heat * shots), Way(rounds=shots)


def missed() -> Shot:
    """The shot of an attack that is not possible: nothing is fired."""
    return Shot(False, (), (), spent=False)
