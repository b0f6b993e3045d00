"""One shot: the roll to hit and, for salvos, how many strike in which groups (BMR, weapon attacks).

Source: BMR weapon attacks; to_hit.yaml roll, gauss_and_special_weapons.yaml streak; R 4.5.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech.cluster_hits import groups, hits
from solaris_combat.engines.battletech.rules import MASTER_RULES, Rules
from solaris_combat.engines.battletech.to_hit import TargetNumber, roll_succeeds
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.dice import Dice, Roll


@dataclass(frozen=True, slots=True)
class Shot:
    """How a shot came out. `groups` are the points of each hit that is located on its own.

    `automatic` is "hit" or "miss" where only the dice decided (R 4.5.5), else ""; `missiles` is None for
    anything but a salvo; `spent`: heat was made and a round used, even by a miss.
    """

    hit: bool
    groups: tuple[int, ...]
    rolls: tuple[Roll, ...]
    automatic: str = ""
    missiles: int | None = None
    spent: bool = True


def fire(
    number: TargetNumber, weapon: Weapon, dice: Dice, rules: Rules = MASTER_RULES, cluster_bonus: int = 0
) -> Shot:
    """Roll for a shot with a possible number. A streak launcher that does not lock on does not fire."""
    roll = dice.roll(2, 6, "to hit")
    hit = roll_succeeds(number.value, roll.total, rules.automatic_rolls)
    automatic = "" if hit == roll_succeeds(number.value, roll.total) else ("hit" if hit else "miss")
    if not hit:
        return Shot(False, (), (roll,), automatic, spent=weapon.kind != "streak")
    if weapon.kind == "streak":
        return Shot(True, groups(weapon, weapon.rack), (roll,), automatic, weapon.rack)
    if not weapon.rack:
        return Shot(True, (weapon.damage,), (roll,), automatic)
    cluster = dice.roll(2, 6, "missile hits")
    missiles = hits(weapon.rack, cluster.total, cluster_bonus)
    return Shot(True, groups(weapon, missiles), (roll, cluster), automatic, missiles)
