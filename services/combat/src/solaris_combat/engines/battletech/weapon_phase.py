"""The weapon fire phase: everything is declared, then resolved as if at once (turn.yaml simultaneity).

Numbers to hit are those of the moment of declaration; rounds are spent when declared; a unit destroyed by an
earlier shot of the phase still fires, and a weapon hit in the phase still does. Then come the damage check,
consciousness and piloting rolls of the phase.
Source: BMR weapon attacks; turn.yaml declaration, simultaneity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.ammunition import usable_bins
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hex import distance
from solaris_combat.engines.battletech.hit_location import HitLocation, aimed_location, locate
from solaris_combat.engines.battletech.injury import go_through, settle_phase
from solaris_combat.engines.battletech.line_of_sight import LineOfSight, line_of_sight
from solaris_combat.engines.battletech.mech import Location, mount
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.orders import Fire, Orders, Shot
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import fire, heat_of, rounds_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import (
    Aim,
    TargetNumber,
    cannot_aim,
    impossible,
    target_rank,
    to_hit_number,
)
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.weapons import WEAPONS

NO_AMMUNITION = "no ammunition"


def play_weapon_fire(play: Play, orders: Mapping[str, Orders]) -> None:
    """Declare, resolve, and make the rolls at the end of the phase."""
    play.emit(events.PhaseBegan(play.turn, "weapon_fire"))
    for side in play.state.active:
        play.emit(_declaration(play.state, side, orders[side].fire or Fire()))
    declared = play.state
    shots = [event for event in play.events if isinstance(event, events.FireDeclared)]
    for volley in shots[-len(declared.active) :]:
        targets = tuple(shot.target for shot in volley.shots)
        for shot in volley.shots:
            _resolve(play, declared, volley.side, shot, targets)
    settle_phase(play)


def _declaration(state: State, side: str, ordered: Fire) -> events.FireDeclared:
    """What a side fires, with the bin that feeds each weapon; a 'Mech out of action fires nothing."""
    unit = state.units[side]
    if unit.shutdown or not unit.conscious:
        return events.FireDeclared(state.turn, side, 0, ())
    twist = 0 if unit.prone else ordered.twist
    strikes = tuple(events.DeclaredStrike(s.attack, s.limb, s.target) for s in ordered.physical)
    return events.FireDeclared(state.turn, side, twist, tuple(_fed(unit, ordered.shots)), strikes)


def _fed(unit: Unit, shots: tuple[Shot, ...]) -> Iterator[events.DeclaredShot]:
    """Each shot with its bin: the one ordered, or the first of the sheet with a round left."""
    left = dict(unit.belts)
    for shot in shots:
        bins = feeding_bins(unit, shot, left)
        salvos = tuple(_next(left, name) for name in bins)
        first, second = (*bins, None, None)[:2]
        yield events.DeclaredShot(shot.weapon, shot.target, first, shot.aim, salvos, shot.mode, second)


def _next(left: dict[str, Belt], name: str) -> str:
    """The salvo at the front of a bin's belt; it is taken from there."""
    salvo, *rest = left[name]
    left[name] = tuple(rest)
    return salvo


def feeding_bins(unit: Unit, shot: Shot, left: Mapping[str, Belt]) -> tuple[str, ...]:
    """The bin that feeds each round of a shot when `left` is on each belt; none where it finds too few.

    The first round is that of the bin named; a second one comes from there as long as there is one.
    """
    ammunition = WEAPONS[mount(unit.design, shot.weapon).weapon].ammunition
    if not ammunition:
        return ()
    usable = [ammo.id for ammo in usable_bins(unit, ammunition) if left[ammo.id]]
    if shot.bin is not None:
        usable = [shot.bin, *(name for name in usable if name != shot.bin)] if shot.bin in usable else []
    rounds = [name for name in usable for _ in left[name]]
    needed = rounds_of(shot.mode)
    return tuple(rounds[:needed]) if len(rounds) >= needed else ()


def sight(state: State, attacker: Unit, target: Unit) -> LineOfSight:
    """The line of sight between two units on different hexes."""
    assert attacker.position is not None
    assert target.position is not None
    return line_of_sight(state.board, attacker.position, target.position, attacker.prone, target.prone)


def number_of(
    state: State,
    side: str,
    target: str,
    weapon: str,
    aim: Location | None = None,
    targets: Sequence[str] = (),
) -> TargetNumber:
    """What a weapon of a side needs now, with its twist as it stands; ammunition is not looked at.

    `targets` are those of all shots of the side in their order, where it fires at more than one.
    """
    attacker, aimed_at = state.units[side], state.units[target]
    if attacker.position == aimed_at.position:
        return impossible("target in the same hex")
    found = mount(attacker.design, weapon)
    los = sight(state, attacker, aimed_at)
    chosen, weapon_kind = Aim(aim) if aim else None, WEAPONS[found.weapon]
    refused = cannot_aim(attacker, aimed_at, weapon_kind, chosen) if chosen else ""
    if refused:
        return impossible(refused)
    rank = _rank(state, attacker, aimed_at, targets)
    return to_hit_number(attacker, aimed_at, found, weapon_kind, state.board, los, rank, chosen)


def _rank(state: State, attacker: Unit, target: Unit, targets: Sequence[str]) -> str:
    """Whether this is a secondary target of the side's fire, and in which arc."""
    if len(set(targets)) < 2:
        return ""
    return target_rank(attacker, [state.units[one].hex for one in targets], target.hex)


def _resolve(
    play: Play, declared: State, side: str, shot: events.DeclaredShot, targets: Sequence[str]
) -> None:
    """Roll for one shot and let its hits take effect one after the other."""
    weapon = WEAPONS[mount(declared.units[side].design, shot.weapon).weapon]
    number = number_of(declared, side, shot.target, shot.weapon, shot.aim, targets)
    if weapon.ammunition and shot.bin is None:
        number = impossible(NO_AMMUNITION)
    event = _shot_event(declared, side, shot, number)
    if not number.possible:
        play.emit(event)
        return
    result = fire(number, weapon, play.dice, ruleset().rules, mode=shot.mode)
    play.emit(
        replace(
            event,
            hit=result.hit,
            automatic=result.automatic,
            missiles=result.missiles,
            groups=result.groups,
            spent=result.spent,
            heat=heat_of(weapon, shot.mode) if result.spent else 0,
            target_heat=result.target_heat,
            rolls=result.rolls,
        )
    )
    if result.jammed:
        play.emit(events.WeaponJammed(play.turn, side, shot.weapon, weapon.key))
    for points in result.groups:
        hit = _locate(play, number, shot.aim)
        submerged = _submerged(play, shot.target)
        go_through(play, take_hit(play.unit(shot.target), hit, points, play.dice, submerged))


def _locate(play: Play, number: TargetNumber, aim: Location | None) -> HitLocation:
    """Where a hit lands: by the table, or what was aimed at of an immobile target."""
    if aim is None:
        return locate(number.side, number.table, play.dice, ruleset().rules)
    return aimed_location(aim, number.side, number.table, play.dice, ruleset().rules)


def _submerged(play: Play, side: str) -> frozenset[Location]:
    """What of a unit is under water where it stands."""
    unit = play.unit(side)
    assert unit.position is not None
    return submerged_locations(unit, play.board.depths[play.board.index(unit.position)])


def _shot_event(
    declared: State, side: str, shot: events.DeclaredShot, number: TargetNumber
) -> events.ShotResolved:
    attacker, target = declared.units[side], declared.units[shot.target]
    assert attacker.position is not None
    assert target.position is not None
    return events.ShotResolved(
        turn=declared.turn,
        side=side,
        target=shot.target,
        weapon=shot.weapon,
        name=mount(attacker.design, shot.weapon).weapon,
        bin=shot.bin,
        distance=distance(attacker.position, target.position),
        struck_side=number.side,
        table=number.table,
        number=number.value if number.possible else None,
        modifiers=tuple(events.Item(m.value, m.reason, m.rule) for m in number.modifiers),
        impossible=number.reason,
        aim=shot.aim,
        salvos=shot.salvos,
        mode=shot.mode,
    )
