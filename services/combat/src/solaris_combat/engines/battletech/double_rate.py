"""Double rate: a standard autocannon fired twice in a turn, at the risk of jamming or bursting (R 4.5.2).

Source: R 4.5.2; solaris7-tables 2.1, C-05; tables/level3.toml [double_rate].
"""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon

_TABLE = table("level3")["double_rate"]
_JAMS = _TABLE["jams"]
ROUNDS: int = _TABLE["rounds"]
COLUMN: int = _TABLE["cluster_column"]
EXPLODES_ON: int = _TABLE["explodes_on"]
HIGHER_COUNTS: bool = _TABLE["mixed_munitions"]["higher_number_counts"]
FIRST_HITS: bool = _TABLE["mixed_munitions"]["first_hits"]


@dataclass(frozen=True, slots=True)
class Feed:
    """What the feed of the gun does: `explodes` inside with `damage` points, or is `jammed` for good."""

    explodes: bool
    jammed: bool
    damage: int


def allowed(weapon: Weapon) -> bool:
    """Whether a weapon may fire at double rate: conventional autocannon, neither LB-X nor Ultra."""
    return weapon.key in _JAMS


def feed(weapon: Weapon, total: int, hit: bool) -> Feed:
    """What the dice of the roll to hit do to the gun: a natural 2 bursts it; a miss may jam it."""
    if total <= EXPLODES_ON:
        return Feed(True, False, weapon.damage)
    return Feed(False, not hit and _JAMS["from"] <= total <= _JAMS[weapon.key], 0)


def hitting(salvos: Belt, hits: int) -> Belt:
    """The rounds of a volley that hit, the first ones or the last (PROPOSED)."""
    return salvos[:hits] if FIRST_HITS else salvos[max(len(salvos) - hits, 0) :]


def heat(weapon: Weapon) -> int:
    """Heat of a volley: that of each round."""
    return weapon.heat * ROUNDS
