"""Anti-missile systems in the weapon phase: which salvo each is aimed at, and what happens when it comes.

A system fires at one salvo of the turn that is aimed at its own 'Mech: the launcher its player named the turn
before, else one by lot. Several may fire at one salvo.
Source: D, sistema antimisiles; ams.yaml league_text; solaris7-tables C-26, C-39.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech import anti_missile, events, fire_events
from solaris_combat.engines.battletech.declaration import number_of, target_of, weapon_fired
from solaris_combat.engines.battletech.mech import Gear
from solaris_combat.engines.battletech.orders import AmsOn
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.dice import Roll

Salvo = tuple[str, str]
"""Side and launcher."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A system aimed at a salvo."""

    carrier: str
    gear: Gear


Guards = Mapping[Salvo, tuple[Guard, ...]]


def aim_systems(play: Play, declared: State, volleys: list[events.FireDeclared]) -> Guards:
    """Aim every active system of every side at a salvo, if one comes."""
    aimed: dict[Salvo, tuple[Guard, ...]] = {}
    for carrier in declared.active:
        unit = declared.units[carrier]
        for gear in anti_missile.systems(unit):
            setting = next((one for one in declared.ams.get(carrier, ()) if one.ams == gear.id), None)
            if setting is None or not anti_missile.works(unit, gear):
                continue
            coming = list(_incoming(declared, volleys, carrier, gear))
            if coming:
                salvo = _chosen(play, carrier, gear, setting, coming)
                aimed[salvo] = (*aimed.get(salvo, ()), Guard(carrier, gear))
    return aimed


def _incoming(
    declared: State, volleys: list[events.FireDeclared], carrier: str, gear: Gear
) -> Iterator[Salvo]:
    """Salvoes that can hit the carrier and come in through the system's arc."""
    unit = declared.units[carrier]
    for volley in volleys:
        attacker = declared.units[volley.side]
        targets = tuple(filter(None, map(target_of, volley.shots)))
        for shot in volley.shots:
            missiles = shot.salvos and weapon_fired(attacker, shot).kind in anti_missile.SHOT_AT
            if not missiles or shot.target != carrier or not anti_missile.covers(unit, gear, attacker.hex):
                continue
            if number_of(declared, volley.side, shot, targets).possible:
                yield volley.side, shot.weapon


def _chosen(play: Play, carrier: str, gear: Gear, setting: AmsOn, coming: list[Salvo]) -> Salvo:
    """The salvo named, or one by lot where none was named or the named launcher does not fire."""
    asked = setting.launcher is not None or setting.side is not None
    named = [
        (side, launcher)
        for side, launcher in coming
        if asked and setting.launcher in (None, launcher) and setting.side in (None, side)
    ]
    rolls: tuple[Roll, ...] = ()
    among = named or coming
    if len(among) > 1:
        rolls = (play.dice.roll(1, len(among), "salvo to shoot at"),)
    by, launcher = among[rolls[0].total - 1 if rolls else 0]
    play.emit(fire_events.AmsAimed(play.turn, carrier, gear.id, by, launcher, bool(named), rolls))
    return by, launcher


def shoot(play: Play, guards: tuple[Guard, ...], salvo: Salvo, missiles: int) -> list[fire_events.AmsFired]:
    """Roll for every system aimed at a salvo of which so many missiles hit; nothing happens yet."""
    fired: list[fire_events.AmsFired] = []
    used: dict[str, int] = {}
    for guard in guards:
        roll = play.dice.roll(anti_missile.DICE, anti_missile.SIDES, "missiles shot down")
        unit = play.unit(guard.carrier)
        before = sum(used.values())
        taken = anti_missile.rounds_taken(unit, before + roll.total)
        own = {name: count - used.get(name, 0) for name, count in taken.items() if count > used.get(name, 0)}
        used = taken
        down = min(roll.total, missiles)
        missiles -= down
        fired.append(
            fire_events.AmsFired(
                play.turn, guard.carrier, guard.gear.id, *salvo, down, own, anti_missile.HEAT, (roll,)
            )
        )
    return fired
