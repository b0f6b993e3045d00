"""Builders for tests of the rules: units of the catalogue on a board, dice that show given faces."""

from dataclasses import replace
from typing import Any

from solaris_combat.engines.battletech.board import Board, board_from_texts
from solaris_combat.engines.battletech.catalogue import CATALOGUE, design_from
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mech import Location, mount, slot_numbers
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import TargetNumber, to_hit_number
from solaris_combat.engines.battletech.unit import Moved, Unit, fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Roll, ScriptedDice


def dice(*faces: int) -> ScriptedDice:
    """Dice that show these faces and no more."""
    return ScriptedDice(faces)


def unit(model: str = "PNT-9R", hits: tuple[tuple[str, str], ...] = (), **changes: Any) -> Unit:
    """A fresh unit with changes; `hits` are (location, kind), each on the first such slot not hit yet."""
    made = fresh_unit(changes.pop("side", "A"), CATALOGUE[model])
    found: set[tuple[Location, int]] = set()
    for place, kind in hits:
        location = Location(place)
        numbers = slot_numbers(made.design, location, kind)
        found.add(next((location, n) for n in numbers if (location, n) not in found))
    return replace(made, hits=frozenset(found), **changes)


def quad(**changes: Any) -> Unit:
    """A four-legged 'Mech with the engine, weapons and armour of a Panther; its PPC sits in the torso."""
    leg = ["hip", "upper-leg", "lower-leg", "foot"]
    sheet = table("mechs/pnt-9r")
    slots = {**sheet["slots"], "RT": ["ppc"] * 3, "RA": leg, "LA": leg, "RL": leg, "LL": leg}
    return replace(fresh_unit("A", design_from({**sheet, "quad": True, "slots": slots})), **changes)


def worn(made: Unit, **points: tuple[int, ...]) -> Unit:
    """The unit with (armour, structure[, rear armour]) of the locations named."""
    armor = {
        Location(n): (v[0], v[2] if len(v) > 2 else made.armor[Location(n)][1]) for n, v in points.items()
    }
    structure = {Location(n): v[1] for n, v in points.items()}
    return replace(made, armor={**made.armor, **armor}, structure={**made.structure, **structure})


def field(**terrain: tuple[int, str]) -> Board:
    """A board of 16 by 17 hexes, clear but for h0101=(level, terrain)."""
    return board_from_texts(16, 17, {name[1:]: value for name, value in terrain.items()})


def number(
    attacker: Unit, target: Unit, weapon: str, board: Board | None = None, **more: Any
) -> TargetNumber:
    """What the attacker's mounted weapon needs, with the line of sight of the board."""
    board = board or field()
    los = line_of_sight(board, attacker.position, target.position, attacker.prone, target.prone)
    mounted = mount(attacker.design, weapon)
    return to_hit_number(attacker, target, mounted, WEAPONS[mounted.weapon], board, los, **more)


def facing_each_other(span: int, model: str = "PNT-9R") -> tuple[Unit, Unit]:
    """Two standing units in one column, the attacker north of the target and looking at it."""
    attacker = unit(model, position=Hex(5, 1), facing=3)
    return attacker, unit("JVN-10N", side="B", position=Hex(5, 1 + span), facing=0)


def parts(target: TargetNumber) -> list[int]:
    """The modifiers without their texts, but for the gunnery skill."""
    return [modifier.value for modifier in target.modifiers[1:]]


def total(made: Unit) -> int:
    """All armour and structure left."""
    return sum(map(sum, made.armor.values())) + sum(made.structure.values())


def faces(rolls: tuple[Roll, ...]) -> tuple[int, ...]:
    """All faces of some rolls in order."""
    return tuple(face for roll in rolls for face in roll.faces)


MOVED = {mode: Moved(mode, hexes, mp) for mode, hexes, mp in (("walk", 3, 3), ("run", 5, 6), ("jump", 4, 4))}
