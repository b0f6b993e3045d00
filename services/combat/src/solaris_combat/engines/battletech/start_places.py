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
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.dice import Roll


def draw_places(play: Play) -> events.StartPositionsDrawn:
    """1D6 for each team; whoever draws a place already taken draws again (solaris7-tables 6.1; A).

    Where the arena asks for initiative first, the teams draw in its order: who lost it draws again (A).
    """
    starts = play.state.arena.starts
    teams: dict[str, list[str]] = {}
    for side in play.state.units:
        teams.setdefault(play.state.team(side), []).append(side)
    alone = len(teams) == len(play.state.units)
    names = {team: f"side {sides[0]}" if alone else f"team {team}" for team, sides in teams.items()}
    order, rolls = _by_initiative(play, names) if play.state.arena.initiative else (list(teams), [])
    die = min(ruleset().table["start_positions"]["die"], len(starts))
    taken: dict[int, list[str]] = {}
    for team in order:
        while True:
            rolls.append(play.dice.roll(1, die, f"start place of {names[team]}"))
            if rolls[-1].total not in taken:
                break
        taken[rolls[-1].total] = teams[team]
    return events.StartPositionsDrawn(_places(play.board, starts, taken), tuple(rolls))


def _by_initiative(play: Play, names: Mapping[str, str]) -> tuple[list[str], list[Roll]]:
    """The teams by initiative, the winner first; all roll again while two are level (A; C-03)."""
    dice = ruleset().table["same_hex"]["dice"]
    rolls: list[Roll] = []
    totals: dict[str, int] = {}
    while len(set(totals.values())) < len(names):
        made = {
            team: play.dice.roll(dice["count"], dice["sides"], f"initiative of {name}")
            for team, name in names.items()
        }
        rolls += made.values()
        totals = {team: roll.total for team, roll in made.items()}
    return sorted(totals, key=lambda team: -totals[team]), rolls


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
