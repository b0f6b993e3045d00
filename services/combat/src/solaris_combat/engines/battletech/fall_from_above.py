"""An accidental fall from above: a 'Mech that drops two levels or more onto another one (BMR, falling).

A roll against 7, with the target's movement and terrain. A hit does a tenth of the faller's tons (groups of
five, punch table) and drives the target out of the hex with a piloting roll at +2; the faller lands on its
back. After a miss the faller comes down in a free hex beside. Without any room for who must go, he is lost.
Source: falling.yaml accidental_fall_from_above, psr.yaml fallen_on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solaris_combat.engines.battletech import events, harm, to_hit
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.falling import damage_groups
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hex import Hex, direction, neighbours
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import fall, go_through, items
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit

_FIGURES = table("falling")["from_above"]
NUMBER: int = _FIGURES["to_hit"]
TONS_PER_POINT: int = _FIGURES["tons_per_point"]
CAUSE: str = _FIGURES["cause"]
ATTACK = "fall_from_above"
NO_ROOM = "no room"
PushOut = Callable[[Play, str, int, str, str], bool]


def fall_upon(play: Play, side: str, target: str, levels: int, push_out: PushOut) -> None:
    """A unit falls `levels` onto the one in the hex it is driven into."""
    start, place = play.unit(side).hex, play.unit(target).hex
    way = direction(start, place)
    modifiers = tuple(_modifiers(play, play.unit(target)))
    number = sum(one.value for one in modifiers)
    roll = play.dice.roll(2, 6, "to hit")
    hit = to_hit.roll_succeeds(number, roll.total)
    points = play.unit(side).design.tons // TONS_PER_POINT if hit else 0
    play.emit(
        events.PhysicalResolved(
            turn=play.turn,
            side=side,
            target=target,
            attack=ATTACK,
            limb=None,
            struck_side="front",
            table="punch",
            number=number,
            modifiers=items(modifiers),
            hit=hit,
            damage=points,
            rolls=(roll,),
        )
    )
    if not hit:
        _beside(play, side, start, place, levels)
        return
    _strike(play, target, points)
    if not push_out(play, target, way, side, CAUSE):
        _lose(play, target)
    fall(play, side, (), levels, place, on="rear")


def _modifiers(play: Play, target: Unit) -> Iterator[Modifier]:
    """The number of the fall: 7, the target's movement, and what it stands in."""
    there = play.board.index(target.hex)
    found = (
        Modifier(NUMBER, "accidental fall from above", _FIGURES["source"]),
        to_hit.TARGET_MOVED[min(target.moved.hexes, to_hit.FASTEST)],
        to_hit.TARGET_JUMPED if target.moved.mode == "jump" else None,
        to_hit.TARGET_IN_WATER if play.board.depths[there] > 0 else None,
        to_hit.TARGET_WOODS[play.board.woods[there]],
    )
    return (one for one in found if one)


def _strike(play: Play, target: str, points: int) -> None:
    for group in damage_groups(points):
        unit = play.unit(target)
        depth = play.board.depths[play.board.index(unit.hex)]
        hit = locate("front", "punch", play.dice, ruleset().rules)
        go_through(play, take_hit(unit, hit, group, play.dice, submerged_locations(unit, depth)))


def _beside(play: Play, side: str, start: Hex, place: Hex, levels: int) -> None:
    """The faller comes down in a hex beside the one it missed, the first free one clockwise."""
    taken = {play.unit(other).hex for other in play.state.active}
    free = [hex_ for hex_ in neighbours(place) if hex_ in play.board and hex_ not in taken and hex_ != start]
    if free:
        fall(play, side, (), levels, free[0])
    else:
        _lose(play, side)


def _lose(play: Play, side: str) -> None:
    """There is no room for a unit: it is destroyed."""
    if play.unit(side).destroyed is None:
        play.emit(harm.Destroyed(side, NO_ROOM))
