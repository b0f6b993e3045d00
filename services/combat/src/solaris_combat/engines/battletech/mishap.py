"""What a weapon does to its own 'Mech when it is fired beyond its limits (R 4.5.2, R 4.5.4).

Source: R 4.5.2 (a round that bursts in the gun), R 4.5.4 (feedback of a PPC without its inhibitor).
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events, field_inhibitor, fire_events
from solaris_combat.engines.battletech.critical_hits import explode
from solaris_combat.engines.battletech.firing_modes import INHIBITOR_OFF
from solaris_combat.engines.battletech.harm import Chain, Explosion, Harm, WeaponLost
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.mech import mount
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.shooting import Shot
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.dice import Dice


def burst(unit: Unit, weapon: str, points: int, cause: str, dice: Dice) -> Harm:
    """The weapon is gone with all its slots and does so much inside its location; nobody is wounded by it."""
    found = mount(unit.design, weapon)
    chain = Chain(unit)
    chain.add(WeaponLost(unit.side, found.location, weapon))
    explode(chain, Explosion(unit.side, found.location, weapon, 1, points, cause), dice, wounds=False)
    return chain.harm()


def burst_gun(play: Play, side: str, weapon: str, points: int) -> None:
    """A round bursts in an autocannon at double rate: no other bin, no wound, but automatic ejection."""
    go_through(play, burst(play.unit(side), weapon, points, "double-rate", play.dice))


def at_the_gun(play: Play, event: events.ShotResolved, result: Shot) -> None:
    """What a shot does to the weapon that fired it: it jams, bursts, or strikes back."""
    if result.jammed:
        play.emit(fire_events.WeaponJammed(play.turn, event.side, event.weapon, event.name))
    if result.bursts:
        burst_gun(play, event.side, event.weapon, result.bursts)
    if event.mode == INHIBITOR_OFF:
        check_feedback(play, event)


def check_feedback(play: Play, shot: events.ShotResolved) -> None:
    """The second roll of a PPC whose inhibitor is off, whether it hit or not (R 4.5.4)."""
    number = field_inhibitor.safe_on(shot.distance)
    roll = play.dice.roll(2, 6, "feedback")
    safe = roll.total >= number
    play.emit(fire_events.FeedbackRolled(play.turn, shot.side, shot.weapon, number, safe, (roll,)))
    if not safe:
        points = field_inhibitor.DAMAGE
        go_through(play, burst(play.unit(shot.side), shot.weapon, points, "feedback", play.dice))
