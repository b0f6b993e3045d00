"""A fight told in Spanish or English, with every number itemised, from its events alone.

`describe` says one event in one sentence; `account` tells a whole fight with the callsigns. Phrases stand in
tables/log.toml, names of things in tables/words.toml; a reason without a translation keeps its English name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, harm, heat_events, log_ground, ruling_events
from solaris_combat.engines.battletech.log_ammunition import FACTS as AMMUNITION
from solaris_combat.engines.battletech.log_correction import corrected
from solaris_combat.engines.battletech.log_movement import moved, voided
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.tongue import Facts, Tongue, arena_names, salvo_said
from solaris_combat.engines.battletech.unit import DEADLY_WOUNDS
from solaris_combat.engines.battletech.weapons import WEAPONS

LANGUAGES = ("es", "en")
_NAME_OF = {event: name for name, event in ev.EVENT_TYPES.items()}


def describe(event: object, language: str, names: Mapping[str, str] | None = None) -> str:
    """One readable sentence about an event; empty where there is nothing to say.

    KeyError for a language other than "es" or "en".
    """
    tongue = Tongue(language, names or {})
    phrases = table("log")[language]
    kind = _NAME_OF[type(event)]
    if kind not in _FACTS:
        return ""
    variant, facts = _FACTS[kind](event, tongue)
    phrase = phrases.get(f"{kind}.{variant}", phrases.get(kind, ""))
    return str(phrase).format(**facts)


def words(language: str) -> dict[str, str]:
    """Every word of a language by its key, weapons by theirs, arenas by "arena." and their ids.

    KeyError for another language.
    """
    tongue = Tongue(language)
    known = {key: tongue.word(key) for key in (*WEAPONS, *table("words")[language])}
    return known | arena_names(language)


def account(events: Iterable[object], language: str) -> Iterator[str]:
    """The whole fight, line by line."""
    names: dict[str, str] = {}
    for event in events:
        if isinstance(event, ev.DuelOpened):
            names = {entry.side: entry.name for entry in event.sides}
        line = describe(event, language, names)
        if line:
            yield line


def _opened(event: ev.DuelOpened, t: Tongue) -> Facts:
    teams = {e.side: f"[{t.word('team')} {event.teams[e.side]}] " for e in event.sides if event.teams}
    sides = "; ".join(
        f"{e.side} {teams.get(e.side, '')}{e.name}, {e.model} ({e.gunnery}/{e.piloting})" for e in event.sides
    )
    return "", {
        "ruleset": event.ruleset,
        "fight_class": event.fight_class,
        "arena": t.arena(event.arena),
        "turns": event.turns,
        "sides": sides,
    }


def _loadout(event: ev.LoadoutFixed, t: Tongue) -> Facts:
    bins = ", ".join(f"{t.mount(name)}: {_belt(event, name, t)}" for name in event.bins)
    eject = t.word("automatic" if event.auto_eject else "manual")
    facts = {"who": t.who(event.side), "bins": bins, "eject": eject, "charge": t.money(event.charge)}
    return "charged" if event.charge else "" if bins else "none", facts


def _belt(event: ev.LoadoutFixed, name: str, t: Tongue) -> str:
    """What is in a bin: a number of rounds, or runs of salvoes in firing order."""
    belt = event.belts.get(name, ())
    if len(set(belt)) < 2 and belt[:1] in ((), ("normal",)):
        return str(event.bins[name])
    return " + ".join(f"{len(list(run))} {salvo_said(salvo, t)}" for salvo, run in groupby(belt))


def _placed(event: ev.StartPositionsDrawn, t: Tongue) -> Facts:
    places = "; ".join(
        f"{t.who(p.side)} {t.word('place')} {p.place}, {p.hex} {t.word('facing')} {p.facing}"
        for p in event.places
    )
    return "", {"dice": t.dice(event.rolls), "places": places}


def _phase(event: ev.PhaseBegan, t: Tongue) -> Facts:
    return "", {"turn": event.turn, "phase": t.word(event.phase)}


def _initiative(event: ev.InitiativeRolled, t: Tongue) -> Facts:
    winners = f" {t.word('and')} ".join(t.who(side) for side in event.stopped)
    facts = {"hex": event.hex, "loser": t.who(event.loser), "winner": winners}
    return "many" if event.others else "", facts | {"dice": t.dice(event.rolls)}


def _stepped_back(event: ev.UnitSteppedBack, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "kept_by": t.who(event.kept_by), "hex": event.hex}
    return "", facts | {"facing": event.facing, "hexes": t.count(event.hexes, "hex-entered")}


def _piloting(event: ev.PilotingRollMade, t: Tongue) -> Facts:
    prefix = {"stand_up": "stand-", "fall": "fall-"}.get(event.cause, "")
    variant = "automatic" if event.automatic else "success" if event.success else "failure"
    facts = {
        "who": t.who(event.side),
        "cause": t.word(event.cause),
        "number": event.number,
        "items": t.items(event.modifiers),
        "dice": t.dice(event.rolls),
        "reason": t.word(event.reason),
    }
    return ("" if prefix == "stand-" and event.automatic else prefix) + variant, facts


def _masc(event: ev.MascUsed, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "number": event.number, "dice": t.dice(event.rolls)}
    return "failed" if event.failed else "", facts


def _fell(event: ev.UnitFell, t: Tongue) -> Facts:
    levels = f", {t.count(event.levels, 'level-down')}" if event.levels else ""
    facts = {"who": t.who(event.side), "hex": event.hex, "levels": levels, "facing": event.facing}
    die = f" ({t.word('die')} {t.dice(event.rolls)})" if event.rolls else ""
    side = t.word("side." + event.side_hit)
    return "", facts | {"side_hit": side, "damage": event.damage, "die": die}


def _attempted(event: ev.StandUpAttempted, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "mp": event.mp, "mp_used": event.mp_used}


def _in_hex(event: ev.UnitStoodUp | ev.WentProne, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "hex": event.hex}


def _declared(event: ev.FireDeclared, t: Tongue) -> Facts:
    twist = "" if not event.twist else f" ({t.word('twist.left' if event.twist < 0 else 'twist.right')})"
    twist += f" ({t.word('arms-flipped')})" if event.flip_arms else ""
    said = [t.mount(s.weapon) + _source(s, t) + _mode(s.mode, t) + _aimed(s, t) for s in event.shots]
    said += [_blow(strike.attack, strike.limb, t) for strike in event.physical]
    return "" if said else "none", {"who": t.who(event.side), "twist": twist, "shots": ", ".join(said)}


def _source(shot: ev.DeclaredShot, t: Tongue) -> str:
    """The bins that feed a shot, and what comes from them unless it is normal: " [bin: Dead-Fire]"."""
    bins = " + ".join(dict.fromkeys(t.mount(name) for name in (shot.bin, shot.second_bin) if name))
    kinds = [salvo_said(salvo, t) for salvo in shot.salvos if salvo != "normal"]
    return f" [{': '.join((bins, *kinds))}]" if bins else ""


def _mode(mode: str, t: Tongue) -> str:
    return f" ({t.word('mode-of-fire.' + mode)})" if mode else ""


def _aimed(shot: ev.DeclaredShot | ev.ShotResolved, t: Tongue) -> str:
    """Where a shot is aimed and by whom, and who spots for it."""
    how = f" ({t.word('by-computer')})" if shot.computer else ""
    spotter = f" ({t.word('spotted-by')} {t.who(shot.spotter)})" if shot.spotter else ""
    return _aim(shot.aim, t) + how + spotter


def _aim(aim: str | None, t: Tongue) -> str:
    return f" ({t.word('aimed-at')} {t.word(f'at.{aim}')})" if aim else ""


def _blow(attack: str, limb: str | None, t: Tongue) -> str:
    """A physical attack with its limb: "kick (right leg)"."""
    return t.word(f"attack.{attack}") + (f" ({t.word(f'at.{limb}')})" if limb else "")


def _strike(event: ev.PhysicalResolved, t: Tongue) -> Facts:
    facts = {
        "who": t.who(event.side),
        "name": _blow(event.attack, event.limb, t),
        "target": t.at(event.target, "attacks-whom"),
        "number": event.number,
        "items": t.items(event.modifiers),
        "dice": t.dice(event.rolls),
        "damage": f", {t.count(event.damage, 'damage-point')}" if event.damage else "",
        "own": f" ({t.word('own-damage')}: {event.own_damage})" if event.own_damage else "",
        "struck_side": t.word("side." + event.struck_side) if event.struck_side else "",
        "impossible": t.word(event.impossible),
        "broken": f" {t.word('club-broken')}" if event.club_broken else "",
    }
    if event.hex:
        return log_ground.blow(event, facts)
    return "impossible" if event.impossible else "hit" if event.hit else "miss", facts


def _displaced(event: ev.UnitDisplaced, t: Tongue) -> Facts:
    levels = f", {t.count(event.levels, 'level-down')}" if event.levels else ""
    facts = {"who": t.who(event.side), "by": t.who(event.by), "hex": event.hex, "levels": levels}
    return "follows" if event.by == event.side else "", facts


_THINGS = {"missile": "missile", "streak": "missile", "beacon": "beacon"}


def _club(event: ev.ClubSought, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "hex": event.hex, "club": t.word(f"club.{event.kind}")}
    variant = "" if event.number is None else "found" if event.found else "none"
    return variant, facts | {"number": event.number, "dice": t.dice(event.rolls)}


def _shot(event: ev.ShotResolved, t: Tongue) -> Facts:
    name = t.mount(event.weapon) + _mode(event.mode, t) + _aimed(event, t)
    verdict = t.word("hit" if event.hit else "miss")
    if event.automatic:
        verdict += f" ({t.word('automatic.' + event.automatic)})"
    thing = _THINGS.get(WEAPONS[event.name].kind, "shell")
    missiles = f", {t.count(event.missiles, thing)}" if event.missiles is not None else ""
    if event.guide:
        missiles += f" ({t.word('guide.' + event.guide)})"
    if event.target_heat:
        missiles += f", +{event.target_heat} {t.word('heat')}"
    if not event.target:
        return log_ground.hex_shot(event, t, name, verdict + missiles)
    facts = {
        "who": t.who(event.side),
        "name": name,
        "target": t.at(event.target, "fires-at"),
        "distance": t.count(event.distance, "hex"),
        "number": event.number,
        "items": t.items(event.modifiers),
        "dice": t.dice(event.rolls),
        "verdict": verdict,
        "missiles": missiles,
        "struck_side": t.word("side." + event.struck_side),
        "impossible": t.word(event.impossible),
    }
    variant = "impossible" if event.impossible else "hit" if event.hit else "miss"
    return variant, facts


def _ams_aimed(event: fire_events.AmsAimed, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "by": t.who(event.by), "ams": t.mount(event.ams)}
    facts["launcher"] = t.mount(event.launcher)
    chosen = "ams.named" if event.named else "ams.lot" if event.rolls else "ams.only"
    dice = f" ({t.dice(event.rolls)})" if event.rolls else ""
    return "", facts | {"chosen": t.word(chosen) + dice}


def _ams_fired(event: fire_events.AmsFired, t: Tongue) -> Facts:
    facts = {
        "who": t.who(event.side),
        "ams": t.mount(event.ams),
        "down": t.count(event.shot_down, "missile-down"),
    }
    rounds = t.count(sum(event.rounds.values()), "round")
    return "", facts | {"dice": t.dice(event.rolls), "rounds": rounds}


def _beacon(event: fire_events.BeaconAttached, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "by": t.who(event.by)}


def _damage(event: harm.DamageStep, t: Tongue) -> Facts:
    parts = [
        f"{n} {t.word(kind)}" for kind, n in (("armor", event.armor), ("structure", event.structure)) if n
    ]
    dice = t.dice(event.rolls)
    if any(roll.purpose == "floating critical" for roll in event.rolls):
        dice += f", {t.word('floating')}"
    lost = ", ".join(t.word(f"at.{place}") for place in event.losses)
    facts = {
        "who": t.who(event.side),
        "location": t.word(f"at.{event.location}"),
        "rear": f" ({t.word('rear')})" if event.rear else "",
        "dice": f" ({dice})" if dice else "",
        "losses": f" {t.word('and')} ".join(parts),
        "lost": f" {t.word('location-lost')}: {lost}." if lost else "",
    }
    return "none" if not parts else "" if event.rolls else "on", facts


def _check(event: harm.CriticalCheck, t: Tongue) -> Facts:
    variant = "blown" if event.blown_off else "" if event.hits else "none"
    facts = {"who": t.who(event.side), "location": t.word(f"at.{event.location}")}
    return variant, facts | {"dice": t.dice(event.rolls), "hits": t.count(event.hits, "critical")}


def _slot(event: harm.SlotHit, t: Tongue) -> Facts:
    item = f": {t.mount(event.item)}" if event.item and event.kind != "heat_sink" else ""
    facts = {"who": t.who(event.side), "slot": event.slot, "what": t.word("slot." + event.kind) + item}
    return "", facts | {"location": t.word(f"at.{event.location}"), "dice": t.dice(event.rolls)}


def _flooded(event: harm.FloodCheck, t: Tongue) -> Facts:
    dice = f" ({t.dice(event.rolls)})" if event.rolls else ""
    facts = {"who": t.who(event.side), "location": t.word(f"at.{event.location}"), "dice": dice}
    return "" if event.flooded else "none", facts


def _wounded(event: harm.Wound, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "wounds": t.count(event.wounds, "wound"), "total": event.total}
    variant = "dead" if event.total >= DEADLY_WOUNDS else ""
    return variant, facts | {"cause": t.word("wound." + event.cause)}


def _consciousness(event: harm.Consciousness, t: Tongue) -> Facts:
    variant = f"{event.purpose}-{'success' if event.conscious else 'failure'}"
    return variant, {"who": t.who(event.side), "number": event.number, "dice": t.dice(event.rolls)}


def _ejected(event: ev.PilotEjected, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "number": event.number, "items": t.items(event.modifiers)}
    safe = t.word("eject.safe" if event.safe else "eject.hurt")
    return "" if event.automatic else "ordered", facts | {"dice": t.dice(event.rolls), "safe": safe}


def _destroyed(event: harm.Destroyed, t: Tongue) -> Facts:
    """A head takes its mechwarrior with it: his death has been told, and the head with the damage."""
    return event.reason, {"who": t.who(event.side), "reason": t.word("out." + event.reason)}


def _heat(event: heat_events.HeatApplied, t: Tongue) -> Facts:
    items = "".join(f", +{item.value} {t.word(item.reason)}" for item in event.items)
    facts = {"who": t.who(event.side), "before": event.before, "items": items}
    return "", facts | {"capacity": event.capacity, "after": event.after}


def _heat_check(event: heat_events.HeatCheckMade, t: Tongue) -> Facts:
    outcome = "success" if event.success else "failure"
    facts = {"who": t.who(event.side), "heat": event.heat, "kind": t.word("check." + event.kind)}
    more = {"number": event.number, "dice": t.dice(event.rolls)}
    return outcome, facts | more | {"outcome": t.word(f"check.{event.kind}.{outcome}")}


def _reactor(event: heat_events.ReactorShutDown | heat_events.ReactorRestarted, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "heat": event.heat}


def _length_set(event: ruling_events.LengthSet, t: Tongue) -> Facts:
    return "", {"turns": event.turns, "before": event.before}


def _overtime(event: ruling_events.OvertimeGranted, t: Tongue) -> Facts:
    return "", {"turn": event.turn, "to_turn": event.to_turn}


def _yielded(event: ruling_events.SideYielded, t: Tongue) -> Facts:
    return event.how, {"who": t.who(event.side), "turn": event.turn}


def _turn_ended(event: ev.TurnEnded, t: Tongue) -> Facts:
    return "", {"turn": event.turn}


def _ended(event: ev.DuelEnded, t: Tongue) -> Facts:
    results = "; ".join(
        f"{t.who(side)}: {t.word('result.' + result)}, {t.count(event.points[side], 'victory-point')}"
        for side, result in event.results.items()
    )
    return "", {"turn": event.turn, "ended_by": t.word("ended." + event.ended_by), "results": results}


_FACTS: Mapping[str, Callable[[Any, Tongue], Facts]] = {
    "duel-opened": _opened,
    "loadout-fixed": _loadout,
    "start-positions-drawn": _placed,
    "phase-began": _phase,
    "initiative-rolled": _initiative,
    "unit-moved": moved,
    "unit-stepped-back": _stepped_back,
    "piloting-roll-made": _piloting,
    "masc-used": _masc,
    "unit-fell": _fell,
    "stand-up-attempted": _attempted,
    "unit-stood-up": _in_hex,
    "unit-went-prone": _in_hex,
    "movement-voided": voided,
    "fire-declared": _declared,
    "shot-resolved": _shot,
    "ams-aimed": _ams_aimed,
    "ams-fired": _ams_fired,
    **AMMUNITION,
    "beacon-attached": _beacon,
    "physical-attack-resolved": _strike,
    "unit-displaced": _displaced,
    "club-sought": _club,
    "damage-taken": _damage,
    "critical-hits-rolled": _check,
    "critical-hit-suffered": _slot,
    "flooding-checked": _flooded,
    "pilot-wounded": _wounded,
    "consciousness-rolled": _consciousness,
    "pilot-ejected": _ejected,
    "mech-destroyed": _destroyed,
    "heat-applied": _heat,
    "heat-check-made": _heat_check,
    "reactor-shut-down": _reactor,
    "reactor-restarted": _reactor,
    "turn-ended": _turn_ended,
    "length-set": _length_set,
    "overtime-granted": _overtime,
    "side-yielded": _yielded,
    "unit-corrected": corrected,
    "duel-ended": _ended,
    **log_ground.FACTS,
}
