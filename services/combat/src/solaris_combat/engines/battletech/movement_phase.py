"""The movement phase: all sides move at once, without having seen each other's orders (R 4.6; D).

First all ways are laid without dice, to see which end in one hex: then initiative decides (C-03), the loser
keeps it, the others stop one hex before. A unit that does not leave its hex keeps it. Then each way is walked
with its dice, the losers' first: if one falls before he gets there, the hex is free. Whoever falls says
whether he stands up and goes on; only he is asked.
Source: R 4.6, D, solaris7-tables C-03; movement.yaml stacking, turn.yaml end_of_movement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.ejection import eject_by_order
from solaris_combat.engines.battletech.hex import Hex, league_facing
from solaris_combat.engines.battletech.injury import settle_phase
from solaris_combat.engines.battletech.jump_walk import jump
from solaris_combat.engines.battletech.masc import masc_holds
from solaris_combat.engines.battletech.orders import Movement, Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.walk import Bars, Walk, walk
from solaris_combat.engines.battletech.way import Way, lay_way
from solaris_combat.engines.dice import Roll

Track = tuple[Hex, ...]


def play_movement(play: Play, turn: int, orders: Mapping[str, Orders]) -> None:
    """Move every unit in the fight, then make the rolls at the end of the phase."""
    play.emit(events.PhaseBegan(turn, "movement"))
    moves = {side: orders[side].movement or Movement() for side in play.state.active}
    ways = {side: lay_way(play, side, moves[side]) for side in moves}
    _roll_initiative(play, ways)
    contests = play.state.contests
    stopped = {side for contest in contests for side in contest.stopped}
    wanted = stopped | {contest.loser for contest in contests}
    tracks: dict[str, Track] = {}
    for side in sorted(moves, key=lambda side: side in stopped):
        bars = _bars(play, side, ways, tracks, "same-hex" if side in wanted else "occupied")
        tracks[side] = _move(play, side, moves[side], orders[side], bars)
    _part(play, tracks)
    settle_phase(play)


def _roll_initiative(play: Play, ways: Mapping[str, Way]) -> None:
    """Initiative for each hex that several want (C-03); it stays with a unit that does not leave it."""
    goals: dict[Hex, list[str]] = {}
    for side, way in ways.items():
        if way.leaves:
            goals.setdefault(way.hexes[-1], []).append(side)
    stays = ruleset().table["same_hex"]["unmoved_keeps_hex"]
    kept = {way.hexes[-1] for way in ways.values() if not way.leaves} if stays else set()
    for goal, sides in goals.items():
        if len(sides) > 1 and goal not in kept:
            play.emit(_initiative(play, goal, sides))


def _initiative(play: Play, goal: Hex, sides: Sequence[str]) -> events.InitiativeRolled:
    """Everybody rolls, again and again until one alone is lowest; the highest of the others is the winner.

    `loser` is who keeps the hex (D, C-03: the lowest; by the switch the highest).
    """
    rules = ruleset().table["same_hex"]
    dice, keeps = rules["dice"], min if rules["loser_keeps_hex"] else max
    rolls: list[Roll] = []
    totals: list[int] = []
    while not totals or (totals.count(keeps(totals)) != 1 and dice["reroll_ties"]):
        made = [play.dice.roll(dice["count"], dice["sides"], f"initiative of side {side}") for side in sides]
        rolls += made
        totals = [roll.total for roll in made]
    loser = sides[totals.index(keeps(totals))]
    winner, *others = sorted((s for s in sides if s != loser), key=lambda s: -totals[sides.index(s)])
    return events.InitiativeRolled(play.turn, str(goal), loser, winner, tuple(rolls), tuple(others))


def _bars(play: Play, side: str, ways: Mapping[str, Way], tracks: Mapping[str, Track], reason: str) -> Bars:
    """Hexes a unit may not enter, or not end in, because of where all the others are or mean to be.

    The hex of an enemy that stays where it is bars the way; so does one where somebody has come to rest, for
    a unit that means to end there. Where one rests or means to, no fall and no late arrival ends.
    """
    way: set[Hex] = set()
    rest: set[Hex] = set()
    late: set[Hex] = set()
    goal = ways[side].hexes[-1] if ways[side].leaves else None
    for other in ways:
        if other == side:
            continue
        arrived = other in tracks
        rests = play.unit(other).hex if arrived else ways[other].hexes[-1]
        stays = not ways[other].leaves
        enemy = play.state.team(other) != play.state.team(side)
        way |= {rests} if (stays and enemy) or ((stays or arrived) and rests == goal) else set()
        rest |= {rests} if stays or arrived else set()
        late |= {rests} if not stays else set()
    return Bars(frozenset(way), frozenset(rest), frozenset(late), reason)


def _move(play: Play, side: str, move: Movement, orders: Orders, bars: Bars) -> Track:
    """Carry out one side's movement; the hexes it was in, in order."""
    if move.mode == "eject" and eject_by_order(play, side):
        return (play.unit(side).hex,)
    if move.masc and move.mode == "run" and not masc_holds(play, side):
        move = Movement("stand")
    if move.mode == "jump" and not play.unit(side).prone:
        return jump(play, side, move, bars)
    return walk(play, Walk.of(play, side, move, orders.answers, bars))


def _part(play: Play, tracks: Mapping[str, Track]) -> None:
    """Units ended in one hex after all, because one could not leave or fell there: the others step back.

    Whoever did not get away keeps the hex; if all moved, the one that was resolved first does. Who finds the
    hex before taken too goes on backward, to his first one at the furthest.
    """
    left = {side: _stretches(track) for side, track in tracks.items()}
    for hex_, sides in iter(lambda: next(_shared(play, tracks), None), None):
        keeper = next((side for side in sides if len(left[side]) == 1), sides[0])
        back = [side for side in sides if side != keeper and len(left[side]) > 1]
        for other in back:
            _step_back(play, other, keeper, left[other], hex_)
        if not back:
            return


def _shared(play: Play, tracks: Mapping[str, Track]) -> Iterator[tuple[Hex, list[str]]]:
    """The hexes with more than one unit that moved or stayed in this phase, and which."""
    places: dict[Hex, list[str]] = {}
    for side in tracks:
        places.setdefault(play.unit(side).hex, []).append(side)
    return ((hex_, sides) for hex_, sides in places.items() if len(sides) > 1)


def _stretches(track: Track) -> list[Hex]:
    """The hexes of a way, each change of hex once."""
    return [hex_ for n, hex_ in enumerate(track) if n == 0 or hex_ != track[n - 1]]


def _step_back(play: Play, side: str, keeper: str, left: list[Hex], here: Hex) -> None:
    """One hex back along the way of a unit; `left` is what remains of it."""
    while len(left) > 1 and left[-1] == here:
        left.pop()
    facing = league_facing(play.unit(side).facing)
    play.emit(events.UnitSteppedBack(play.turn, side, keeper, str(left[-1]), facing, len(left) - 1))
