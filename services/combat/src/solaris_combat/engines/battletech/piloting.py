"""Piloting rolls: what asks for them and what makes them harder (BMR, piloting skill rolls).

Source: BMR piloting skill rolls; psr.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, legs, legs_lost, lost, pilot_dead, slots_hit
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

_TABLE = table("piloting")
_STANDING = _TABLE["standing"]
CAUSES: Mapping[str, int] = {
    cause: value for cause, value in _TABLE["cause"].items() if cause not in ("mark", "source")
}
AUTOMATIC = frozenset(_TABLE["automatic"]["causes"])
ALONE = frozenset(_TABLE["alone"]["causes"])
DAMAGE_CAUSE = "damage_20_in_one_phase"
DAMAGE_POINTS: int = _TABLE["damage"]["points"]
GYRO_DESTROYED_AT: int = table("critical_hits")["gyro"]["destroyed_at"]
IMPOSSIBLE = 12
LEG_ACTUATORS = ("upper_leg", "lower_leg", "foot")


@dataclass(frozen=True, slots=True)
class PilotingNumber:
    """What a piloting roll needs on 2D6; `fails` says why it fails without a roll, else ""."""

    value: int
    modifiers: tuple[Modifier, ...]
    fails: str = ""


@dataclass(frozen=True, slots=True)
class PilotingCheck:
    """A piloting roll made for a cause; no rolls when it failed by itself."""

    cause: str
    number: PilotingNumber
    success: bool
    rolls: tuple[Roll, ...]


def _each(key: str, times: int, reason: str) -> tuple[Modifier, ...]:
    """The same modifier once for each damaged part."""
    return (Modifier(_STANDING[key], reason, _STANDING["source"]),) * times


def standing_modifiers(unit: Unit) -> tuple[Modifier, ...]:
    """What damage from before this phase adds to every roll of the unit.

    Leg and foot actuators, hips (which stand for the whole leg), the gyro, legs that are gone. What was hit
    in this phase counts by its own cause.
    """
    before = replace(unit, hits=unit.hits - unit.fresh_hits) if unit.fresh_hits else unit
    hips = actuators = 0
    for leg in legs(unit.design):
        if lost(unit, leg):
            continue
        if slots_hit(before, leg, "hip"):
            hips += 1
        else:
            actuators += sum(slots_hit(before, leg, kind) for kind in LEG_ACTUATORS)
    gone = legs_lost(unit) - unit.causes.count("leg_destroyed")
    return (
        *_each("leg_or_foot_actuator", actuators, "leg or foot actuator destroyed"),
        *_each("hip", hips, "hip destroyed"),
        *_gyro_modifier(before),
        *_each("each_leg_destroyed", gone, "leg destroyed"),
        *_each("quad_on_four_legs", int(unit.design.quad and not legs_lost(unit)), "four legs"),
    )


def counted(cause: str, causes: tuple[str, ...]) -> tuple[str, ...]:
    """Of the causes of a phase those that count in the roll for one of them: all, or for a push it alone."""
    return (cause,) if cause in ALONE else tuple(one for one in causes if one not in ALONE)


def _gyro_modifier(before: Unit) -> tuple[Modifier, ...]:
    hit = slots_hit(before, Location.CT, "gyro")
    if hit >= GYRO_DESTROYED_AT:
        return _each("gyro_destroyed", 1, "gyro destroyed")
    return _each("gyro", min(hit, 1), "gyro damaged")


def piloting_number(unit: Unit, *causes: str, extra: tuple[Modifier, ...] = ()) -> PilotingNumber:
    """The number for a roll: piloting skill, standing damage, every cause given, and `extra`.

    All causes of a phase count in each of its rolls, so they are all given here (see `counted`).
    """
    skill = Modifier(unit.piloting, "piloting skill", "BMR, piloting skill rolls")
    found = [Modifier(CAUSES[cause], cause, _TABLE["cause"]["source"]) for cause in causes if CAUSES[cause]]
    modifiers = (skill, *standing_modifiers(unit), *found, *extra)
    return PilotingNumber(sum(one.value for one in modifiers), modifiers, fails_by_itself(unit))


def fails_by_itself(unit: Unit) -> str:
    """Why any piloting roll of the unit fails without dice, or "" (BMR, piloting skill rolls)."""
    if pilot_dead(unit):
        return "mechwarrior dead"
    if not unit.conscious:
        return "mechwarrior unconscious"
    if unit.shutdown:
        return "reactor shut down"
    if slots_hit(unit, Location.CT, "gyro") >= GYRO_DESTROYED_AT:
        return "gyro destroyed"
    return "legs destroyed" if legs_lost(unit) >= len(legs(unit.design)) else ""


def roll_piloting(unit: Unit, cause: str, number: PilotingNumber, dice: Dice) -> PilotingCheck:
    """Make a roll; above 12 it fails, and so it does for an automatic cause, without dice."""
    if number.fails or number.value > IMPOSSIBLE or cause in AUTOMATIC:
        return PilotingCheck(cause, number, False, ())
    roll = dice.roll(2, 6, f"piloting: {cause}")
    return PilotingCheck(cause, number, roll.total >= number.value, (roll,))


def phase_causes(unit: Unit) -> tuple[str, ...]:
    """Causes of this phase, each its own roll at its end; none for a prone 'Mech, which cannot fall.

    A cause that lets the 'Mech fall without a roll comes first; 20 points of damage are one more cause.
    """
    if unit.prone:
        return ()
    causes = unit.causes
    if unit.damage_this_phase >= DAMAGE_POINTS:
        causes = (*causes, DAMAGE_CAUSE)
    return tuple(sorted(causes, key=lambda cause: cause not in AUTOMATIC))
