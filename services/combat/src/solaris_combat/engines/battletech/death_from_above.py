"""Deaths from above: a leap onto the 'Mech that initiative gave the hex both wanted (R 4.6; D; BMR).

One that hits drives the target out of the hex, with a piloting roll at +2, and lands the attacker there, with
one at +4. One that misses throws the attacker on its back in that hex, two levels down, and the target goes
to a neighbouring hex of its choice without a roll: its side is asked, unless there is only one. Without a hex
to go to, the target of a hit, or the attacker that missed, is lost.
Source: R 4.6; D (initiative, C-03, C-04); BMR, death from above; physical.yaml dfa, movement.yaml
displacement_order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solaris_combat.engines.battletech import harm
from solaris_combat.engines.battletech.displacement import displace, follow, push_out, ways_out
from solaris_combat.engines.battletech.hex import Hex, direction
from solaris_combat.engines.battletech.injury import fall
from solaris_combat.engines.battletech.orders import Orders, WayOut
from solaris_combat.engines.battletech.play import AnswerNeeded, Play
from solaris_combat.engines.battletech.question import way_out_question
from solaris_combat.engines.battletech.tables import table

_FIGURES = table("physical")["death_from_above"]
FALL_LEVELS: int = _FIGURES["fall_levels"]
NO_ROOM = "no room"


def land_upon(play: Play, side: str, target: str, place: Hex, orders: Mapping[str, Orders]) -> None:
    """A hit: the target is driven out of its hex, straight away if it can be; the attacker lands in it."""
    if play.unit(target).hex == place and play.unit(target).destroyed is None:
        way = direction(play.unit(side).hex, place)
        if not push_out(play, target, way, side, ""):
            play.emit(harm.Destroyed(target, NO_ROOM))
    follow(play, side, place, jumped=True)


def miss(play: Play, side: str, target: str, place: Hex, orders: Mapping[str, Orders]) -> None:
    """A miss: the target goes where it likes, the attacker falls on its back in the hex."""
    unit = play.unit(side)
    here = unit.hex
    gone = play.unit(target).hex != place or play.unit(target).destroyed is not None
    if gone:
        follow(play, side, place, jumped=True)
        return
    ways = list(ways_out(play, target, direction(here, place), side))
    if not ways:
        play.emit(harm.Destroyed(side, NO_ROOM))
        return
    goal = _chosen(play, target, ways, orders[target])
    displace(play, target, goal, side, rolled=False)
    depth = max(play.board.depths[play.board.index(place)], 0)
    fall(play, side, (), FALL_LEVELS + depth, place, on="rear")


def _chosen(play: Play, target: str, ways: Sequence[Hex], orders: Orders) -> Hex:
    """Where the target goes: the only way, what it answered, or the question goes out to its side alone.

    A 'Mech that nobody steers goes straight away.
    """
    unit = play.unit(target)
    if len(ways) == 1 or not unit.conscious or unit.shutdown:
        return ways[0]
    answers = [answer for answer in orders.answers if isinstance(answer, WayOut)]
    used = play.answered.get(target, 0)
    if used >= len(answers):
        raise AnswerNeeded(target, way_out_question(play, target, ways))
    play.answered[target] = used + 1
    return answers[used].hex
