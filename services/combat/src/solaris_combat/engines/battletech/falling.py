"""Falls: damage in groups, facing, the side that is hit, and the mechwarrior (BMR, falling).

Source: BMR falling; falling.yaml, psr.yaml falling_pilot_damage.
"""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech import pilot
from solaris_combat.engines.battletech.damage import strike
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.harm import Chain, Harm
from solaris_combat.engines.battletech.hex import turned
from solaris_combat.engines.battletech.hit_location import weapon_location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.piloting import PilotingNumber, piloting_number
from solaris_combat.engines.battletech.rules import MASTER_RULES, Rules
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

_TABLE = table("falling")
TONS_PER_POINT: int = _TABLE["damage"]["tons_per_point"]
GROUP: int = _TABLE["damage"]["group"]
WATER_DIVISOR: int = _TABLE["damage"]["water_divisor"]
TURNED: tuple[int, ...] = tuple(_TABLE["facing"]["turned"])
SIDE: tuple[str, ...] = tuple(_TABLE["facing"]["side"])
PER_LEVEL: int = _TABLE["mechwarrior"]["per_level"]
SHUT_DOWN: int = _TABLE["mechwarrior"]["shut_down"]
SHUTDOWN = "reactor_shutdown"
FALL_WOUNDS: int = _TABLE["mechwarrior"]["wounds"]


@dataclass(frozen=True, slots=True)
class Landing:
    """How a 'Mech came down: levels, facing after it, side struck, points in all; `rolls` the facing die."""

    levels: int
    facing: int
    side: str
    damage: int
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class PilotSaved:
    """The mechwarrior's roll not to be wounded by a fall; no rolls when it failed by itself."""

    number: PilotingNumber
    success: bool
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Fall:
    """A whole fall: the landing, the damage in groups, then the mechwarrior's roll and his wound."""

    unit: Unit
    landing: Landing
    damage: Harm
    saved: PilotSaved
    wounds: Harm


def fall_damage(tons: int, levels: int, depth: int = 0) -> int:
    """Points of a fall of so many levels in all, the last `depth` of them through water.

    Tons / 10 (rounded half up) for each level and one more. In water both parts halve, rounded down: the
    fall to the surface and the one from there to the bottom; a fall that starts under water is only that.
    """
    weight = (tons + TONS_PER_POINT // 2) // TONS_PER_POINT
    if depth <= 0:
        return weight * (levels + 1)
    through_air = weight * (levels - depth + 1) // WATER_DIVISOR if levels >= depth else 0
    return through_air + weight * (min(depth, levels) + 1) // WATER_DIVISOR


def damage_groups(points: int) -> tuple[int, ...]:
    """The damage in groups of five, the rest last; each is located on its own."""
    whole, rest = divmod(points, GROUP)
    return (GROUP,) * whole + ((rest,) if rest else ())


def fall(
    unit: Unit,
    levels: int,
    depth: int,
    dice: Dice,
    causes: tuple[str, ...] = (),
    rules: Rules = MASTER_RULES,
    on: str | None = None,
) -> Fall:
    """A 'Mech falls `levels` in all, the last `depth` in water: facing, damage, then the mechwarrior's roll.

    `causes` are those of the roll that failed; they count for the mechwarrior too, with +1 for each level.
    `on`: the side it falls on where a rule says so; then it does not turn.
    """
    points = fall_damage(unit.design.tons, levels, depth)
    landing = Landing(levels, unit.facing, on, points, ()) if on else _landing(unit, levels, points, dice)
    side = landing.side
    chain = Chain(land(unit, landing))
    submerged = submerged_locations(chain.unit, depth)
    for group in damage_groups(points):
        strike(chain, weapon_location(side, dice, rules), group, dice, submerged)
    damage = chain.harm()
    saved = save_pilot(unit, damage.unit, levels, dice, causes)
    hurt = Chain(damage.unit)
    if not saved.success:
        pilot.wound(hurt, FALL_WOUNDS, "fall")
    wounds = hurt.harm()
    return Fall(wounds.unit, landing, damage, saved, wounds)


def _landing(unit: Unit, levels: int, points: int, dice: Dice) -> Landing:
    """The die that says how the 'Mech turns and on which side it falls."""
    die = dice.roll(1, 6, "facing after the fall")
    facing = turned(unit.facing, TURNED[die.total - 1])
    return Landing(levels, facing, SIDE[die.total - 1], points, (die,))


def land(unit: Unit, landing: Landing) -> Unit:
    """The unit on the ground, before the damage: prone, turned, torso untwisted."""
    return replace(unit, prone=True, facing=landing.facing, twist=0, flipped=False)


def save_pilot(before: Unit, after: Unit, levels: int, dice: Dice, causes: tuple[str, ...]) -> PilotSaved:
    """The mechwarrior's roll against a wound, by the state before the fall; none for one out of action."""
    source = _TABLE["mechwarrior"]["source"]
    extra: tuple[Modifier, ...] = (Modifier(PER_LEVEL * levels, "levels fallen", source),) if levels else ()
    if before.shutdown and SHUTDOWN not in causes:
        extra += (Modifier(SHUT_DOWN, "reactor shut down", source),)
    number = replace(piloting_number(before, *causes, extra=extra), fails="")
    if not after.conscious:
        return PilotSaved(replace(number, fails="mechwarrior unconscious"), False, ())
    if number.value > 12:
        return PilotSaved(replace(number, fails="above 12"), False, ())
    roll = dice.roll(2, 6, "mechwarrior in the fall")
    return PilotSaved(number, roll.total >= number.value, (roll,))
