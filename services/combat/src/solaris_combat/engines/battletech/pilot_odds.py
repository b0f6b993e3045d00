"""What an attack is worth on average: chances of 2D6 and expected points, for house pilots.

Estimates of a player; nothing here decides anything in a fight. Every figure is read through the rules.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from solaris_combat.engines.battletech import salvo as salvoes
from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.cluster_hits import columns, hits
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.weapons import Weapon

Json = dict[str, Any]

FACES = range(1, 7)
ROLLS = len(FACES) ** 2
HIGHEST = 2 * FACES[-1]
ODDS = tuple(sum(a + b >= number for a, b in product(FACES, FACES)) for number in range(HIGHEST + 1))
"""Ways out of 36 to roll this number or more on 2D6 (index is the number)."""


def odds(number: int, automatic: bool = True) -> int:
    """Ways out of 36 to reach a number; with weapons 12 always hits and 2 always misses (R 4.5.5)."""
    if automatic:
        return ODDS[min(max(number, 3), HIGHEST)]
    return ODDS[max(number, 0)] if number <= HIGHEST else 0


def total_of(modifier: Modifier | None) -> int:
    """The value of a modifier of the rules; none is 0."""
    return modifier.value if modifier else 0


@cache
def missiles(size: int, dice: int) -> int:
    """Missiles of a salvo that hit on average, in hundredths; of more than two dice the two lowest count."""
    rolls = [sum(sorted(faces)[: salvoes.TWO_DICE]) for faces in product(FACES, repeat=dice)]
    return 100 * sum(hits(column, roll) for roll in rolls for column in columns(size)) // len(rolls)


@cache
def points(weapon: Weapon, salvo: str = "") -> int:
    """Expected points of one hit in hundredths, with what is loaded."""
    loaded = as_loaded(weapon, (salvo,)) if salvo else weapon
    if not loaded.rack:
        return loaded.damage * 100
    return loaded.damage * missiles(loaded.rack, salvoes.cluster_dice(salvo))


def reach(minimum: int, short: int, medium: int, long: int, far: int) -> int | None:
    """Range modifier with minimum range; None beyond long range."""
    if far > long:
        return None
    bands = ((short, to_hit.SHORT), (medium, to_hit.MEDIUM), (long, to_hit.LONG))
    band = next(total_of(modifier) for limit, modifier in bands if far <= limit)
    return band + (total_of(to_hit.MINIMUM_RANGE[minimum - far]) if far <= minimum else 0)


def fired_after(mode: str) -> int:
    """What moving so does to the mover's own fire."""
    return total_of(to_hit.ATTACKER_MOVED[mode])


def fired_at(mode: str, hexes: int) -> int:
    """What moving so, so many hexes, does to fire at the mover."""
    jumped = total_of(to_hit.TARGET_JUMPED) if mode == "jump" else 0
    return total_of(to_hit.TARGET_MOVED[min(hexes, to_hit.FASTEST)]) + jumped
