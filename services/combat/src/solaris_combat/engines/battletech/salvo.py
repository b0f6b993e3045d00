"""What is special about a salvo: to hit, on the missile hits table, and when it goes up aboard (R 4.6.6).

Source: R 4.6.6, R 4.5.3; solaris7-tables 2.3, C-13.
"""

from __future__ import annotations

from collections.abc import Iterator

from solaris_combat.engines.battletech import (
    dead_fire,
    heap,
    heat_seeking,
    hot_loading,
    inferno,
    precision,
    tandem_charge,
)
from solaris_combat.engines.battletech.mech import AmmoBin
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.munitions import is_hot, munition
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Roll

TWO_DICE = 2


def modifiers(
    salvo: str, target_movement: int, target_heat: int, *, fire_in_line: bool = False
) -> Iterator[Modifier]:
    """What a salvo itself adds to the number to hit a target that moved so and is so hot."""
    kind = munition(salvo)
    if kind == dead_fire.KEY and is_hot(salvo):
        yield hot_loading.DEAD_FIRE
    if kind == heap.KEY:
        yield heap.TO_HIT
    if kind == heat_seeking.KEY and (found := heat_seeking.modifier(target_heat, fire_in_line)).value:
        yield found
    if kind == precision.KEY and (less := precision.modifier(target_movement)) is not None:
        yield less


def cluster_dice(salvo: str) -> int:
    """Dice rolled on the missile hits table: three for hot-loaded missiles and Dead-Fire."""
    if munition(salvo) == dead_fire.KEY:
        return dead_fire.CLUSTER_DICE
    return hot_loading.CLUSTER_DICE if is_hot(salvo) else TWO_DICE


def cluster_total(salvo: str, roll: Roll) -> int:
    """The total that counts of a roll on the missile hits table: the lowest two of three dice (C-13)."""
    kept = dead_fire.DICE_KEPT if munition(salvo) == dead_fire.KEY else hot_loading.DICE_KEPT
    return sum(sorted(roll.faces)[:kept]) if len(roll.faces) > TWO_DICE else roll.total


def missiles_in(ammo: AmmoBin) -> int:
    """Missiles of one salvo of a bin; 0 where it holds none."""
    launcher = WEAPONS.get(ammo.ammunition)
    return launcher.rack if launcher else 0


def points_inside(ammo: AmmoBin, salvo: str) -> int:
    """Points of one salvo that explodes in its bin (Dead-Fire and tandem charges do more than others)."""
    kind = munition(salvo)
    if kind == tandem_charge.KEY:
        return missiles_in(ammo) * tandem_charge.IN_EXPLODING_BIN
    if kind == dead_fire.KEY:
        return missiles_in(ammo) * dead_fire.as_loaded(WEAPONS[ammo.ammunition]).damage
    return ammo.damage


def explodes_in_launcher(salvo: str) -> bool:
    """Does a loaded salvo go up when its launcher is hit? Hot-loaded, or Dead-Fire (R 4.5.3, 4.6.6.5)."""
    return is_hot(salvo) or munition(salvo) == dead_fire.KEY


def heat_inside(salvoes: tuple[str, ...]) -> int:
    """Heat of an explosion with Inferno among the salvoes (D: once for all of them)."""
    return inferno.EXPLOSION_HEAT if any(munition(one) == inferno.KEY for one in salvoes) else 0
