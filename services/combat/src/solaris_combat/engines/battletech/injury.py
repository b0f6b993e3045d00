"""What damage leads to: automatic ejection, consciousness, piloting rolls at the end of a phase, falls.

The rules themselves stand in `damage`, `pilot`, `piloting` and `falling`; here their outcome becomes events.
Source: turn.yaml end_of_weapon_attack, end_of_movement; psr.yaml; pilot.yaml.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events, falling, harm, pilot, piloting
from solaris_combat.engines.battletech.ejection import eject, may_eject
from solaris_combat.engines.battletech.hex import Hex, league_facing
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.unit import Unit

NO_AMMUNITION = ("feedback",)
"""Explosions that are none of ammunition: nobody is thrown out (R 4.5.4)."""


def go_through(play: Play, harmed: harm.Harm) -> None:
    """Let the facts of a hit or an explosion happen; an explosion may throw out the mechwarrior (R 4.6)."""
    _happen(play, harmed)
    _throw_out(play, harmed)


def _happen(play: Play, harmed: harm.Harm) -> None:
    for fact in harmed.facts:
        play.emit(fact)


def _throw_out(play: Play, harmed: harm.Harm) -> None:
    explosions = [fact for fact in harmed.facts if isinstance(fact, harm.Explosion)]
    exploded = [fact.side for fact in explosions if fact.cause not in NO_AMMUNITION]
    if exploded and may_eject(play, exploded[0]):
        eject(play, exploded[0])


def stay_conscious(play: Play, side: str) -> None:
    """A consciousness roll for each wound that has not had one; none for a unit out of action."""
    unit = play.unit(side)
    if unit.destroyed is None and unit.unchecked_wounds:
        go_through(play, pilot.check_consciousness(unit, play.dice))


def settle_phase(play: Play) -> None:
    """End of a phase: consciousness, then each cause of a fall its own roll until the 'Mech lies."""
    for side in play.state.active:
        stay_conscious(play, side)
    for side in play.state.active:
        _roll_causes(play, side)


def _roll_causes(play: Play, side: str) -> None:
    causes = piloting.phase_causes(play.unit(side))
    for cause in causes:
        unit = play.unit(side)
        if unit.destroyed is not None or unit.prone:
            return
        added = piloting.counted(cause, causes)
        number = piloting.piloting_number(unit, *added)
        if not roll_piloting(play, unit, cause, number):
            fall(play, side, added)


def roll_piloting(play: Play, unit: Unit, cause: str, number: piloting.PilotingNumber) -> bool:
    """Make a piloting roll of a unit as it is given (which may be a moment ago); True if it succeeds."""
    check = piloting.roll_piloting(unit, cause, number, play.dice)
    reason = "" if check.rolls else number.fails or (cause if cause in piloting.AUTOMATIC else "above 12")
    _note_roll(play, unit.side, cause, number, check.success, check.rolls, reason)
    return check.success


def _note_roll(
    play: Play,
    side: str,
    cause: str,
    number: piloting.PilotingNumber,
    success: bool,
    rolls: events.Rolls,
    reason: str,
) -> None:
    automatic = "" if rolls else "fail"
    modifiers = items(number.modifiers)
    play.emit(
        events.PilotingRollMade(
            play.turn, side, cause, number.value, modifiers, success, automatic, reason, rolls
        )
    )


def fall(
    play: Play,
    side: str,
    causes: tuple[str, ...] = (),
    levels: int = 0,
    where: Hex | None = None,
    on: str | None = None,
) -> None:
    """A unit falls in `where` (its own hex if None), `levels` down: damage, then the mechwarrior.

    `causes` are those of the roll that failed; `on` is the side it falls on where no die decides that.
    """
    unit = play.unit(side)
    place = where or unit.position
    assert place is not None
    depth = max(play.board.depths[play.board.index(place)], 0)
    fell = falling.fall(unit, levels, depth, play.dice, causes, ruleset().rules, on)
    landing = fell.landing
    facing = league_facing(landing.facing)
    play.emit(
        events.UnitFell(
            play.turn, side, str(place), levels, facing, landing.side, landing.damage, landing.rolls
        )
    )
    _happen(play, fell.damage)
    saved = fell.saved
    _note_roll(play, side, "fall", saved.number, saved.success, saved.rolls, saved.number.fails)
    _happen(play, fell.wounds)
    _throw_out(play, fell.damage)
    stay_conscious(play, side)
