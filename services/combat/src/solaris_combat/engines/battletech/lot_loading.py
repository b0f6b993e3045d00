"""What a pilot of level 0 loads: of each bin whether it says anything, and then any load that it may hold.

Source: R 4.6.5, R 4.6.6, R 4.5.3; the limits are those of `loading`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from solaris_combat.engines.battletech.chance import heads, number, one_of
from solaris_combat.engines.battletech.events import DuelOpened
from solaris_combat.engines.battletech.loading import allowance, holds, is_special, offered
from solaris_combat.engines.battletech.mech import AmmoBin, MechDesign
from solaris_combat.engines.battletech.munitions import HOT, MUNITIONS, Belt, family, mixes
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.dice import Dice


def bins_by_lot(design: MechDesign, terms: DuelOpened, dice: Dice) -> Mapping[str, Belt]:
    """The belts of the bins that the orders name; the others are filled by the rule."""
    left = {ammo.ammunition: allowance(design, ammo.ammunition, terms) for ammo in design.bins}
    belts: dict[str, Belt] = {}
    for ammo in design.bins:
        kinds = offered(design, ammo, terms.fight_class)
        if kinds and heads(dice):
            belts[ammo.id] = tuple(_belt(ammo, kinds, left[ammo.ammunition], terms.fight_class, dice))
            left[ammo.ammunition] -= len(belts[ammo.id])
    return belts


def _belt(ammo: AmmoBin, kinds: Sequence[str], most: int, fight_class: int, dice: Dice) -> Iterator[str]:
    """Any number of salvoes, each of any kind where the bin may hold several, hot or not."""
    rules = ruleset()
    mixed = mixes(ammo.ammunition) and rules.plays("mixed_bins", fight_class)
    chosen = kinds if mixed else (one_of(kinds, dice),)
    room = min(most, *(holds(ammo, MUNITIONS[kind]) for kind in chosen))
    hot = rules.plays("hot_loading", fight_class)
    loaded: Counter[str] = Counter()
    for _ in range(number(room + 1, dice)):
        key = one_of(chosen, dice)
        kind = MUNITIONS[key]
        if is_special(kind, rules) and mixes(ammo.ammunition) and loaded[key] == rules.special_salvoes:
            continue
        loaded[key] += 1
        may_be_hot = hot and family(ammo.ammunition) in kind.hot
        yield key + HOT if may_be_hot and heads(dice) else key
