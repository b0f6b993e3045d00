"""Where the 'Mechs begin: a numbered place by lot for each team, its 'Mechs side by side (PROPOSED).

In a duel each side is a team. The first 'Mech of a team stands on the place itself, the others on the nearest
dry hexes around it that nobody has, clockwise from the north, ring by ring; all look the same way.
Source: solaris7-tables 6.1; tables/rulesets [start_positions], [macro_fights].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, league_facing, neighbour
from solaris_combat.engines.battletech.movement import MAX_LEVELS
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.dice import Roll


def draw_places(play: Play) -> events.StartPositionsDrawn:
    """1D6 for each team; whoever draws a place already taken draws again (solaris7-tables 6.1)."""
    starts = play.state.arena.starts
    teams: dict[str, list[str]] = {}
    for side in play.state.units:
        teams.setdefault(play.state.team(side), []).append(side)
    rolls: list[Roll] = []
    taken: dict[int, list[str]] = {}
    for name, sides in teams.items():
        what = f"side {sides[0]}" if len(teams) == len(play.state.units) else f"team {name}"
        while True:
            rolls.append(play.dice.roll(1, len(starts), f"start place of {what}"))
            if rolls[-1].total not in taken:
                break
        taken[rolls[-1].total] = sides
    return events.StartPositionsDrawn(_places(play.board, starts, taken), tuple(rolls))


def _places(
    board: Board, starts: Sequence[tuple[Hex, int]], taken: Mapping[int, Sequence[str]]
) -> tuple[events.Placed, ...]:
    """Everybody's hex: first those on the drawn places, then, team by team, those beside them."""
    free = {starts[place - 1][0] for place in taken}
    placed: dict[str, events.Placed] = {}
    for place, sides in taken.items():
        start, facing = starts[place - 1]
        around = (hex_ for hex_ in nearest(board, start) if hex_ not in free)
        for number, side in enumerate(sides):
            hex_ = next(around) if number else start
            free.add(hex_)
            placed[side] = events.Placed(side, place, str(hex_), league_facing(facing))
    return tuple(placed.values())


def nearest(board: Board, start: Hex) -> Iterator[Hex]:
    """The hexes around a start that can be walked to from it on dry ground, the nearest first."""
    seen, ring = {start}, [start]
    while ring:
        further: list[Hex] = []
        for here in ring:
            for there in (neighbour(here, way) for way in DIRECTIONS):
                if there not in seen and there in board and _walkable(board, here, there):
                    seen.add(there)
                    further.append(there)
        yield from further
        ring = further


def _walkable(board: Board, here: Hex, there: Hex) -> bool:
    start, to = board.index(here), board.index(there)
    ground = board.ground(there)
    dry = board.depths[to] <= 0 and not ground.terrain.building
    return dry and abs(board.floors[to] - board.floors[start]) <= MAX_LEVELS
