"""Heat: what builds up, what the sinks take, and what the heat scale does (BMR, heat; tables/heat.toml).

The heat phase of a unit goes in the order of its functions here: `settle_heat`, `check_reactor`,
`ammunition_checks`, `heat_wounds`. A shutdown adds its cause for a piloting roll; the roll is the caller's.
Source: BMR heat; heat.yaml, league tables 6.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solaris_combat.engines.battletech import inferno, pilot
from solaris_combat.engines.battletech.ammunition import OTHER, explode_worst_bin, worst_bin
from solaris_combat.engines.battletech.harm import Chain, Harm
from solaris_combat.engines.battletech.mech import Location, MechDesign
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import (
    Moved,
    Unit,
    engine_hits,
    legs,
    life_support_hits,
    slot_working,
)
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

_TABLE = table("heat")
_BUILD_UP = _TABLE["build_up"]
_SINK = _TABLE["dissipation"]
_SHUTDOWN = _TABLE["shutdown"]
_AMMUNITION = _TABLE["ammunition"]
_LIFE_SUPPORT = _TABLE["life_support"]
HEAT_PER_ENGINE_HIT: int = table("critical_hits")["engine"]["heat_per_hit"]
AUTOMATIC_SHUTDOWN: int = _SHUTDOWN["automatic_at"]


@dataclass(frozen=True, slots=True)
class HeatSettled:
    """The heat of a turn: before, what came in by item, what the sinks could take, and after."""

    before: int
    items: tuple[Modifier, ...]
    capacity: int
    after: int


@dataclass(frozen=True, slots=True)
class ReactorCheck:
    """Reactor at this heat: `kind` "shutdown" or "restart"; `number` None when no roll decides it.

    `running` is how it ends.
    """

    kind: str
    heat: int
    number: int | None
    running: bool
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class AmmunitionCheck:
    """The roll against an explosion by heat of "inferno" or "other" ammunition."""

    kind: str
    heat: int
    number: int
    success: bool
    rolls: tuple[Roll, ...]


def _at(section: dict[str, Sequence[int]], key: str, heat: int) -> int | None:
    """The last entry of a table that begins at or below this heat; None below the first."""
    reached = [value for start, value in zip(section["heat"], section[key], strict=True) if heat >= start]
    return reached[-1] if reached else None


def movement_heat(moved: Moved) -> tuple[Modifier, ...]:
    """Heat of the movement: by mode (a jump by its hexes, but three at least) and of attempts to stand up.

    A jump counts the hexes jumped over, `moved.mp`.
    """
    source = _BUILD_UP["source"]
    if moved.mode == "jump":
        value = max(moved.mp * _BUILD_UP["jump_per_hex"], _BUILD_UP["jump_at_least"])
    else:
        value = _BUILD_UP[moved.mode]
    attempts = moved.attempts * _BUILD_UP["stand_up_attempt"]
    items = (Modifier(value, moved.mode, source), Modifier(attempts, "attempts to stand up", source))
    return tuple(item for item in items if item.value)


def engine_heat(unit: Unit) -> tuple[Modifier, ...]:
    """Five points for each engine hit; a reactor that is shut down makes none."""
    hits = 0 if unit.shutdown else engine_hits(unit)
    source = table("critical_hits")["engine"]["source"]
    return (Modifier(hits * HEAT_PER_ENGINE_HIT, "engine hits", source),) if hits else ()


def inferno_heat(unit: Unit, turn: int) -> tuple[Modifier, ...]:
    """What Inferno that sticks to the unit adds in a turn (D)."""
    value = inferno.heat_in(turn, unit.inferno_until)
    return (Modifier(value, "inferno", "D, Inferno"),) if value else ()


def sinks(unit: Unit) -> int:
    """Working heat sinks: a sink is lost with its first slot hit, or with its location."""
    if not unit.hits and min(unit.structure.values()) > 0:
        return unit.design.heat_sinks
    broken: set[tuple[Location, str | int]] = set()
    for location, slots in unit.design.slots.items():
        for number, slot in enumerate(slots, 1):
            if slot.kind == "heat_sink" and not slot_working(unit, location, number):
                broken.add((location, slot.item or number))
    return unit.design.heat_sinks - len(broken)


def _worth(unit: Unit) -> int:
    return _SINK["double"] if unit.design.double_heat_sinks else _SINK["single"]


def as_built(design: MechDesign) -> int:
    """Heat the sinks of a whole 'Mech take in a turn on dry ground."""
    return design.heat_sinks * (_SINK["double"] if design.double_heat_sinks else _SINK["single"])


def submerged_sinks(unit: Unit, depth: int) -> int:
    """Working sinks under water: all in depth 2 or prone in depth 1, those of the legs in depth 1."""
    if depth < 1:
        return 0
    if depth >= 2 or unit.prone:
        return sinks(unit)
    found = {
        (leg, slot.item or number)
        for leg in legs(unit.design)
        for number, slot in enumerate(unit.design.slots[leg], 1)
        if slot.kind == "heat_sink" and slot_working(unit, leg, number)
    }
    return len(found)


def heat_capacity(unit: Unit, depth: int = 0) -> int:
    """Heat the sinks take in a turn; water adds as much as the sinks in it take, six points at most."""
    worth = _worth(unit)
    return sinks(unit) * worth + min(submerged_sinks(unit, depth) * worth, _SINK["water_at_most"])


def settle_heat(unit: Unit, items: tuple[Modifier, ...], depth: int = 0) -> HeatSettled:
    """The heat after a turn: everything built up comes in, then the sinks take what they can."""
    built = unit.heat_built + sum(item.value for item in items)
    capacity = heat_capacity(unit, depth)
    return HeatSettled(unit.heat, items, capacity, max(unit.heat + built - capacity, 0))


def apply_heat(unit: Unit, settled: HeatSettled) -> Unit:
    """The unit with the heat of the turn settled."""
    return replace(unit, heat=settled.after, heat_built=0)


def shutdown_number(heat: int) -> int | None:
    """2D6 needed to keep the reactor running (or restart it) at this heat; None when none is."""
    return _at(_SHUTDOWN, "avoid", heat)


def check_reactor(unit: Unit, dice: Dice) -> ReactorCheck | None:
    """Does the reactor shut down, or one that is down start again? None when nothing is in question.

    Below 14 it runs without a roll, from 30 on it does not. A restarted reactor does not shut down at once.
    """
    kind = "restart" if unit.shutdown else "shutdown"
    number = shutdown_number(unit.heat)
    if number is None:
        return ReactorCheck(kind, unit.heat, None, True, ()) if unit.shutdown else None
    if unit.heat >= AUTOMATIC_SHUTDOWN:
        return ReactorCheck(kind, unit.heat, None, False, ())
    roll = dice.roll(2, 6, kind)
    return ReactorCheck(kind, unit.heat, number, roll.total >= number, (roll,))


def apply_reactor(unit: Unit, check: ReactorCheck) -> Unit:
    """The unit after the check; a shutdown is a cause for a piloting roll."""
    if check.running:
        return replace(unit, shutdown=False)
    causes = unit.causes if unit.shutdown else (*unit.causes, "reactor_shutdown")
    return replace(unit, shutdown=True, causes=causes)


def ammunition_number(heat: int) -> int | None:
    """2D6 needed to keep the ammunition from exploding at this heat; None when none is."""
    return _at(_AMMUNITION, "avoid", heat)


def ammunition_numbers(heat: int, inferno_aboard: bool, other_aboard: bool) -> tuple[tuple[str, int], ...]:
    """The rolls that ammunition aboard asks for at a heat, as (kind, 2D6 to avoid), Inferno first (D)."""
    asked = (
        (inferno.KEY, inferno.explosion_number(heat) if inferno_aboard else None),
        (OTHER, ammunition_number(heat) if other_aboard else None),
    )
    return tuple((kind, number) for kind, number in asked if number is not None)


def ammunition_checks(unit: Unit) -> tuple[tuple[str, int], ...]:
    """The rolls against explosions that a unit must make at its heat, by what it has aboard."""
    return ammunition_numbers(
        unit.heat, worst_bin(unit, inferno.KEY) is not None, worst_bin(unit, OTHER) is not None
    )


def roll_ammunition(heat: int, kind: str, number: int, dice: Dice) -> AmmunitionCheck:
    """The roll against an explosion of a kind of ammunition."""
    roll = dice.roll(2, 6, "ammunition explosion")
    return AmmunitionCheck(kind, heat, number, roll.total >= number, (roll,))


def check_ammunition(unit: Unit, dice: Dice, kind: str = OTHER) -> AmmunitionCheck | None:
    """The roll for one kind of ammunition; None if none is asked for."""
    number = dict(ammunition_checks(unit)).get(kind)
    return None if number is None else roll_ammunition(unit.heat, kind, number, dice)


def explode_by_heat(unit: Unit, dice: Dice, kind: str = "") -> Harm:
    """The explosion after a failed roll: the worst bin (with a kind of ammunition) goes up."""
    chain = Chain(unit)
    explode_worst_bin(chain, dice, kind)
    return chain.harm()


def heat_wounds(unit: Unit) -> Harm:
    """Wounds of a mechwarrior whose life support is hit, by heat (BMR, heat scale)."""
    chain = Chain(unit)
    wounds = _at(_LIFE_SUPPORT, "wounds", unit.heat) if life_support_hits(unit) else None
    if wounds:
        pilot.wound(chain, wounds, "heat")
    return chain.harm()
