"""Where the rounds of a shot land and what their munition does there (BMR, weapon attacks; R 4.6.6).

Source: BMR weapon attacks; R 4.6.6.6 (tandem charges), R 4.6.6.8 (HEAP).
"""

from __future__ import annotations

from solaris_combat.engines.battletech import double_rate, events, heap, tandem_charge
from solaris_combat.engines.battletech.damage import take_heap, take_hit, take_tandem
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.harm import Harm
from solaris_combat.engines.battletech.hit_location import HitLocation, aimed_location, locate
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.munitions import munition
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.walls_passed import is_inside, shielded
from solaris_combat.engines.dice import Dice


def land(play: Play, shot: events.ShotResolved, number: TargetNumber) -> None:
    """Every group of a shot that hit, one after the other; of two rounds each is of its own munition."""
    twice = len(shot.salvos) > 1
    salvos = double_rate.hitting(shot.salvos, len(shot.groups)) if twice else shot.salvos
    kinds = [munition(salvo) for salvo in salvos]
    for place, whole in enumerate(shot.groups):
        points = shielded(play, shot.target, whole) if is_inside(play, shot.target) else whole
        if not points:
            continue
        kind = kinds[min(place, len(kinds) - 1)] if kinds else ""
        hit = _locate(play, number, shot)
        submerged = _submerged(play, shot.target)
        go_through(play, harm_of(play.unit(shot.target), hit, points, play.dice, submerged, kind, shot.name))


def harm_of(
    unit: Unit,
    hit: HitLocation,
    points: int,
    dice: Dice,
    submerged: frozenset[Location],
    kind: str = "",
    weapon: str = "",
) -> Harm:
    """What one group of a munition does where it strikes."""
    if kind == tandem_charge.KEY:
        return take_tandem(unit, hit, points, dice, submerged)
    if kind == heap.KEY:
        return take_heap(unit, hit, points, dice, submerged, weapon=weapon)
    return take_hit(unit, hit, points, dice, submerged)


def _locate(play: Play, number: TargetNumber, shot: events.ShotResolved) -> HitLocation:
    """Where a hit lands: by the table, or what was aimed at; a targeting computer strikes just that."""
    if shot.aim is None:
        return locate(number.side, number.table, play.dice, ruleset().rules)
    if shot.computer:
        return HitLocation(shot.aim, number.side == "rear", False, ())
    return aimed_location(shot.aim, number.side, number.table, play.dice, ruleset().rules)


def _submerged(play: Play, side: str) -> frozenset[Location]:
    """What of a unit is under water where it stands."""
    unit = play.unit(side)
    return submerged_locations(unit, play.board.depths[play.board.index(unit.hex)])
