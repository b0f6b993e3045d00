"""The movement phase: both sides move at once, without having seen each other's orders (R 4.6; D).

First both ways are laid without dice, to see whether they end in one hex: then initiative decides (C-03), the
loser keeps it, the winner stops one hex before. A unit that does not leave its hex keeps it. Then each way is
walked with its dice, the loser's first: if he falls before he gets there, the hex is free. Whoever falls says
whether he stands up and goes on; only he is asked.
Source: R 4.6, D, solaris7-tables C-03; movement.yaml stacking, turn.yaml end_of_movement.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.hex import Hex, league_facing
from solaris_combat.engines.battletech.injury import settle_phase
from solaris_combat.engines.battletech.jump_walk import jump
from solaris_combat.engines.battletech.orders import Movement, Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.walk import Bars, Walk, walk
from solaris_combat.engines.battletech.way import Way, lay_way
from solaris_combat.engines.dice import Roll


def play_movement(play: Play, turn: int, orders: Mapping[str, Orders]) -> None:
    """Move both units, then make the rolls at the end of the phase."""
    play.emit(events.PhaseBegan(turn, "movement"))
    moves = {side: orders[side].movement or Movement() for side in play.state.units}
    ways = {side: lay_way(play, side, moves[side]) for side in moves}
    winner = _winner(play, ways)
    tracks: dict[str, tuple[Hex, ...]] = {}
    for side in sorted(moves, key=lambda side: side == winner):
        bars = _bars(play, side, ways, tracks, "same-hex" if winner else "occupied")
        tracks[side] = _move(play, side, moves[side], orders[side], bars)
    _part(play, tracks)
    settle_phase(play)


def _winner(play: Play, ways: Mapping[str, Way]) -> str | None:
    """Winner of initiative, if both units leave their hexes for the same one; ties are rolled again."""
    first, second = ways
    goal = ways[first].hexes[-1]
    if goal != ways[second].hexes[-1] or not (ways[first].leaves and ways[second].leaves):
        return None
    dice = ruleset().table["same_hex"]["dice"]
    rolls: list[Roll] = []
    while not rolls or rolls[-1].total == rolls[-2].total:
        rolls += [play.dice.roll(dice["count"], dice["sides"], f"initiative of side {side}") for side in ways]
    loser, winner = (first, second) if rolls[-2].total < rolls[-1].total else (second, first)
    play.emit(events.InitiativeRolled(play.turn, str(goal), loser, winner, tuple(rolls)))
    return winner


def _bars(
    play: Play, side: str, ways: Mapping[str, Way], tracks: Mapping[str, tuple[Hex, ...]], reason: str
) -> Bars:
    """Hexes a unit may not enter, or not end in.

    The hex of a rival that stays where it is bars the way; so does the one where he has come to rest, for a
    unit that means to end there. Where he rests or means to, no fall and no late arrival ends.
    """
    rival = play.state.rival(side)
    arrived = rival in tracks
    rests = play.unit(rival).position if arrived else ways[rival].hexes[-1]
    assert rests is not None
    if not ways[rival].leaves:
        return Bars(way=rests, rest=rests)
    ends_there = arrived and ways[side].leaves and ways[side].hexes[-1] == rests
    return Bars(way=rests if ends_there else None, rest=rests if arrived else None, late=rests, reason=reason)


def _move(play: Play, side: str, move: Movement, orders: Orders, bars: Bars) -> tuple[Hex, ...]:
    """Carry out one side's movement; the hexes it was in, in order."""
    if move.mode == "jump" and not play.unit(side).prone:
        return jump(play, side, move, bars)
    return walk(play, Walk.of(play, side, move, orders.answers, bars))


def _part(play: Play, tracks: Mapping[str, tuple[Hex, ...]]) -> None:
    """Two units ended in one hex after all, because one could not leave or fell there: the other steps back.

    Whoever did not get away keeps the hex; if both moved, the one that was resolved first does.
    """
    first, second = tracks
    here = play.unit(first).position
    if here is None or here != play.unit(second).position:
        return
    keeper, other = (second, first) if _stayed(tracks[second]) else (first, second)
    before = [n for n, h in enumerate(tracks[other]) if h != here]
    back = tracks[other][before[-1]] if before else tracks[other][0]
    entered = sum(1 for a, b in zip(tracks[other][: before[-1]], tracks[other][1:], strict=False) if a != b)
    facing = league_facing(play.unit(other).facing)
    play.emit(events.UnitSteppedBack(play.turn, other, keeper, str(back), facing, entered))


def _stayed(track: tuple[Hex, ...]) -> bool:
    return len(set(track)) == 1
