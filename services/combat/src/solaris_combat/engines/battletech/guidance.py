"""What guides a salvo of missiles to its target: Artemis IV, a Narc beacon, and the ECM that denies both.

Narc and Artemis are kinds of missiles, so they never help together.
Source: BMR (level 2); cluster_hits.yaml modifiers, equipment.yaml ecm_guardian; R 4.6.6.1, 4.6.6.2.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.cluster_hits import ARTEMIS_IV as ARTEMIS_BONUS
from solaris_combat.engines.battletech.cluster_hits import NARC as NARC_BONUS
from solaris_combat.engines.battletech.hex import distance, line_hexes
from solaris_combat.engines.battletech.mech import Gear, MechDesign, WeaponMount
from solaris_combat.engines.battletech.munitions import Belt, munition
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, gear_works
from solaris_combat.engines.battletech.weapons import WEAPONS

ARTEMIS, NARC, ECM = "artemis-iv", "narc", "ecm"
RADIUS: int = table("electronics")["ecm"]["radius"]
BONUS = {"": 0, ARTEMIS: ARTEMIS_BONUS, NARC: NARC_BONUS}
"""What each guide adds to the roll on the missile hits table."""
_GUIDED = ("lrm", "srm")


def guide(state: State, side: str, target: str, launcher: WeaponMount, salvos: Belt, direct: bool) -> str:
    """What guides a salvo of these missiles: "artemis-iv", "narc" or "" for nothing.

    `direct`: the launcher sees its target; Artemis IV needs that, Narc does not.
    """
    wanted = munition(salvos[0]) if salvos else ""
    if wanted == "artemis" and direct and artemis_works(state.units[side], launcher):
        return "" if jammed(state, side, target) else ARTEMIS
    if wanted == NARC and beacon_counts(state, side, target):
        return "" if jammed(state, side, target) else NARC
    return ""


def artemis_works(unit: Unit, launcher: WeaponMount) -> bool:
    """Whether the Artemis IV of a launcher works."""
    gear = artemis_of(unit.design, launcher)
    return gear is not None and gear_works(unit, gear)


def artemis_of(design: MechDesign, launcher: WeaponMount) -> Gear | None:
    """The Artemis IV of a launcher, if it has one: the first of a location serves its first launcher."""
    fitted = [gear for gear in design.gear if (gear.key, gear.location) == (ARTEMIS, launcher.location)]
    served = [mount for mount in design.mounts if mount.location is launcher.location and _guided(mount)]
    number = served.index(launcher) if launcher in served else len(fitted)
    return fitted[number] if number < len(fitted) else None


def _guided(mount: WeaponMount) -> bool:
    return WEAPONS[mount.weapon].ammunition.partition("-")[0] in _GUIDED


def artemis_aboard(design: MechDesign, ammunition: str) -> bool:
    """Whether a launcher that fires this ammunition has an Artemis IV (R 4.6.6.2)."""
    launchers = [mount for mount in design.mounts if WEAPONS[mount.weapon].ammunition == ammunition]
    return any(artemis_of(design, mount) for mount in launchers)


def beacon_counts(state: State, side: str, target: str) -> bool:
    """Whether the target carries a beacon of the side's team from an earlier turn (R 4.6.6.1)."""
    attached = state.units[target].beacons.get(state.team(side))
    return attached is not None and attached < state.turn


def jammed(state: State, side: str, target: str) -> bool:
    """Whether a hex of the line from a side to its target lies in the reach of an enemy's working ECM."""
    line = line_hexes(state.units[side].hex, state.units[target].hex)
    suites = [state.units[enemy].hex for enemy in state.foes(side) if ecm_works(state.units[enemy])]
    return any(distance(place, suite) <= RADIUS for suite in suites for place in line)


def ecm_works(unit: Unit) -> bool:
    """Whether an ECM suite works: neither hit nor without power."""
    return not unit.shutdown and any(gear.key == ECM and gear_works(unit, gear) for gear in unit.design.gear)
