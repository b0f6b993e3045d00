"""Skidding: who fails his roll when he runs around a corner on pavement falls and slides straight on.

He slides half the hexes he has moved, rounded up, and what rises, closes the way or is the arena's edge stops
him; so does a unit in the way, which is charged with the usual number (BMR, skidding).
Source: BMR skidding; movement.yaml skid. What stops a slide, but for units, is PROPOSED.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events, ground_events
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.falling import damage_groups
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hex import Hex, neighbour
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import fall, go_through, roll_piloting
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.movement import SKID_RULE, SKIDDING, Check
from solaris_combat.engines.battletech.physical import physical_number
from solaris_combat.engines.battletech.physical_legality import CHARGE
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import roll_succeeds
from solaris_combat.engines.frozen import replace

_SLIDE = table("movement")["slide"]
SIDE: str = _SLIDE["side"]
WAS_CHARGED = "was_charged"


def slide_length(hexes: int) -> int:
    """Hexes of a slide after so many hexes moved: half of them, rounded up."""
    return -(-hexes // int(_SLIDE["divisor"]))


def slide_damage(tons: int, slid: int) -> int:
    """Points of a slide: for each hex half a tenth of the tons, both rounded (movement.yaml skid)."""
    tenth = (tons + _SLIDE["tons_per_point"] // 2) // _SLIDE["tons_per_point"]
    return int(slid * -(-tenth // _SLIDE["damage_divisor"]))


def holds_the_road(play: Play, side: str, check: Check) -> bool:
    """The roll not to skid, with what the hexes moved add."""
    unit = play.unit(side)
    value = check.modifier or 0
    extra = (Modifier(value, "hexes moved", SKID_RULE),) if value else ()
    return roll_piloting(play, unit, SKIDDING, piloting_number(unit, SKIDDING, extra=extra))


def slide(play: Play, side: str, heading: int, hexes: int) -> tuple[Hex, ...]:
    """Fall, and slide on the way that was run before the turn; the hexes slid through."""
    start = play.unit(side).hex
    fall(play, side, (SKIDDING,))
    way, stopped, struck = _way(play, side, start, heading, slide_length(hexes))
    points = slide_damage(play.unit(side).design.tons, len(way))
    where = way[-1] if way else start
    play.emit(
        ground_events.UnitSkidded(
            play.turn, side, str(start), tuple(map(str, way)), str(where), points, stopped
        )
    )
    _hurt(play, side, SIDE, "normal", points)
    if struck is not None:
        _run_into(play, side, struck, heading)
    return way


def _way(
    play: Play, side: str, start: Hex, heading: int, length: int
) -> tuple[tuple[Hex, ...], str, str | None]:
    """The hexes of a slide, what stops it ("", "unit" or "ground"), and the unit in the way."""
    way: list[Hex] = []
    here = start
    for _ in range(length):
        there = neighbour(here, heading)
        if _barred(play.board, here, there):
            return tuple(way), "ground", None
        struck = next((one for one in play.state.active if one != side and play.unit(one).hex == there), None)
        if struck is not None:
            return tuple(way), "unit", struck
        way.append(there)
        here = there
    return tuple(way), "", None


def _barred(board: Board, here: Hex, there: Hex) -> bool:
    """The edge, a closed hex, and ground that rises or drops away hold a slide."""
    if there not in board or board.index(there) in board.closed:
        return True
    return board.floors[board.index(there)] != board.floors[board.index(here)]


def _run_into(play: Play, side: str, struck: str, heading: int) -> None:
    """A unit in the way is charged, with the usual number; the slide ends before it (movement.yaml skid)."""
    unit = play.unit(side)
    upright = replace(unit, prone=False, facing=heading)
    found = physical_number(CHARGE, upright, play.unit(struck), play.board)
    number = found.number
    roll = play.dice.roll(2, 6, "to hit") if number.possible else None
    hit = roll is not None and roll_succeeds(number.value, roll.total)
    play.emit(
        events.PhysicalResolved(
            turn=play.turn,
            side=side,
            target=struck,
            attack=CHARGE.kind,
            limb=None,
            struck_side=number.side,
            table=number.table,
            number=number.value if number.possible else None,
            modifiers=items(number.modifiers),
            impossible=number.reason,
            hit=hit,
            damage=found.damage if hit else 0,
            own_damage=found.own_damage if hit else 0,
            target_cause=WAS_CHARGED if hit else "",
            rolls=(roll,) if roll else (),
        )
    )
    if hit:
        _hurt(play, struck, number.side, number.table, found.damage)
        _hurt(play, side, SIDE, "normal", found.own_damage)


def _hurt(play: Play, side: str, struck_side: str, hit_table: str, points: int) -> None:
    for group in damage_groups(points):
        unit = play.unit(side)
        hit = locate(struck_side, hit_table, play.dice, ruleset().rules)
        submerged = submerged_locations(unit, play.board.depths[play.board.index(unit.hex)])
        go_through(play, take_hit(unit, hit, group, play.dice, submerged))
