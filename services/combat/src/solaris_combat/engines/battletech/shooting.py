"""One shot: the roll to hit and, for salvos, how many strike in which groups (BMR, weapon attacks).

Source: BMR weapon attacks; to_hit.yaml roll, gauss_and_special_weapons.yaml streak, ultra_ac; R 4.5.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech import double_rate
from solaris_combat.engines.battletech.cluster_hits import columns, groups, hits
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.rules import MASTER_RULES, Rules
from solaris_combat.engines.battletech.salvo import cluster_dice, cluster_total
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import TargetNumber, roll_succeeds
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

DOUBLE, HEAT = "double", "heat"
"""Ways of firing: two rounds at once, and heat for the target instead of damage."""
_MODES = table("weapon_modes")
SHELLS: int = _MODES[DOUBLE]["shots"]
JAMS_ON: int = _MODES[DOUBLE]["jams_on"]
TARGET_HEAT: int = _MODES[HEAT]["target_heat"]


@dataclass(frozen=True, slots=True)
class Shot:
    """How a shot came out. `groups` are the points of each hit that is located on its own.

    `automatic` is "hit" or "miss" where only the dice decided (R 4.5.5), else ""; `missiles` (or shells, or
    pellets) is None for anything but a salvo; `spent`: heat was made and a round used, even by a miss;
    `jammed`: the weapon is of no more use in this fight, `bursts` the points of a round that goes off inside
    it; `target_heat` is what the target gets warmer by; `shot_down` of the missiles that hit never arrive.
    """

    hit: bool
    groups: tuple[int, ...]
    rolls: tuple[Roll, ...]
    automatic: str = ""
    missiles: int | None = None
    spent: bool = True
    jammed: bool = False
    target_heat: int = 0
    bursts: int = 0
    shot_down: int = 0

    @property
    def missiles_left(self) -> int:
        """Missiles that hit and were not shot down."""
        return (self.missiles or 0) - self.shot_down


def rounds_of(mode: str) -> int:
    """Rounds that a shot fired so takes."""
    return SHELLS if mode == DOUBLE else 1


def heat_of(weapon: Weapon, mode: str = "") -> int:
    """Heat that a shot fired so makes: its own for each round (BMR, Ultra autocannon)."""
    return weapon.heat * rounds_of(mode)


def fire(
    number: TargetNumber,
    weapon: Weapon,
    dice: Dice,
    rules: Rules = MASTER_RULES,
    cluster_bonus: int = 0,
    mode: str = "",
    salvos: Belt = (),
) -> Shot:
    """Roll for a shot with a possible number. A streak launcher that does not lock on does not fire."""
    roll = dice.roll(2, 6, "to hit")
    hit = roll_succeeds(number.value, roll.total, rules.automatic_rolls)
    automatic = "" if hit == roll_succeeds(number.value, roll.total) else ("hit" if hit else "miss")
    shot = Shot(hit, (), (roll,), automatic, spent=hit or weapon.kind != "streak")
    if mode == DOUBLE:
        shot = _twice(shot, weapon, roll.total)
    return _struck(shot, weapon, dice, cluster_bonus, mode, salvos) if shot.hit else shot


def thinned(shot: Shot, weapon: Weapon, shot_down: int) -> Shot:
    """A salvo without the missiles that anti-missile systems took down."""
    if not shot_down:
        return shot
    thinner = replace(shot, shot_down=shot_down)
    return replace(thinner, groups=groups(weapon, thinner.missiles_left) if weapon.rack else ())


def _twice(shot: Shot, weapon: Weapon, total: int) -> Shot:
    """What firing twice does to the gun: an Ultra jams on its number, a standard one by R 4.5.2."""
    if not double_rate.allowed(weapon):
        return replace(shot, jammed=total <= JAMS_ON)
    feed = double_rate.feed(weapon, total, shot.hit)
    return replace(shot, hit=shot.hit and not feed.explodes, jammed=feed.jammed, bursts=feed.damage)


def _struck(shot: Shot, weapon: Weapon, dice: Dice, cluster_bonus: int, mode: str, salvos: Belt) -> Shot:
    """The shot with what its hit does."""
    if mode == HEAT:
        return replace(shot, target_heat=TARGET_HEAT)
    if mode == DOUBLE:
        roll = dice.roll(2, 6, "shells that hit")
        shells = hits(SHELLS, roll.total)
        return replace(shot, groups=(weapon.damage,) * shells, missiles=shells, rolls=(*shot.rolls, roll))
    if weapon.kind == "streak":
        return replace(shot, groups=groups(weapon, weapon.rack), missiles=weapon.rack)
    if weapon.kind == "beacon":
        return replace(shot, missiles=1)
    if not weapon.rack:
        return replace(shot, groups=(weapon.damage,) if weapon.damage else ())
    return _salvo(shot, weapon, dice, cluster_bonus, salvos)


def _salvo(shot: Shot, weapon: Weapon, dice: Dice, cluster_bonus: int, salvos: Belt) -> Shot:
    """Missiles or pellets that hit, by the missile hits table."""
    salvo = salvos[0] if salvos else ""
    sizes = columns(weapon.rack)
    clusters = tuple(dice.roll(cluster_dice(salvo), 6, "missile hits") for _ in sizes)
    totals = [cluster_total(salvo, roll) for roll in clusters]
    missiles = sum(hits(size, total, cluster_bonus) for size, total in zip(sizes, totals, strict=True))
    return replace(shot, groups=groups(weapon, missiles), missiles=missiles, rolls=(*shot.rolls, *clusters))
