"""Loading before the fight: what each bin may hold in which order, and what that costs (R 4.6.5, 4.6.6).

Source: R 4.6.5, R 4.6.6, R 4.5.3; solaris7-tables 2.3, C-05, C-06, C-07, C-11, C-29.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech.anti_missile import KEY as AMS
from solaris_combat.engines.battletech.anti_missile import ROUNDS_PER_TURN
from solaris_combat.engines.battletech.events import DuelOpened, SpecialLoad
from solaris_combat.engines.battletech.guidance import artemis_aboard
from solaris_combat.engines.battletech.mech import AmmoBin, MechDesign
from solaris_combat.engines.battletech.munitions import (
    MUNITIONS,
    Belt,
    Munition,
    family,
    is_hot,
    loadable,
    mixes,
    munition,
)
from solaris_combat.engines.battletech.orders import Initial
from solaris_combat.engines.battletech.ruleset import Ruleset, ruleset
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Violation

CAP = "R 4.6.5"
KINDS = "R 4.6.6"
HOT_LOADING = "R 4.5.3"
ARTEMIS = "artemis"
LOCKED = Violation("loadout-locked", "nothing is loaded once the fight has begun", "/initial", HOT_LOADING)
"""The load-out is ordered too late: it cannot change during the fight (R 4.5.3, HOT3)."""


def allowance(design: MechDesign, ammunition: str, terms: DuelOpened) -> int:
    """Most rounds of one ammunition: one a turn for each weapon that fires it, two where it may fire twice.

    Autocannon count twice in the classes that play double rate, Ultra autocannon always (R 4.6.5, C-11); in
    permanence fights rounds for all turns of extra time are allowed, and twice only in Class 5 (R 4.6.5);
    an anti-missile system may use as many rounds a turn as its die shows (PROPOSED).
    """
    rules = ruleset()
    turns = rules.overtime_limit if terms.permanence else terms.turns
    if ammunition == AMS:
        return sum(1 for gear in design.gear if gear.key == AMS) * turns * ROUNDS_PER_TURN
    guns = sum(1 for mount in design.mounts if WEAPONS[mount.weapon].ammunition == ammunition)
    each = rules.rounds_per_turn(family(ammunition), terms.fight_class, permanence=terms.permanence)
    return guns * turns * each


def holds(ammo: AmmoBin, kind: Munition) -> int:
    """Rounds of a munition that a bin has room for (R 4.6.6: HEAP and Precision half as many)."""
    return ammo.shots // kind.rounds_divisor


def is_special(kind: Munition, rules: Ruleset) -> bool:
    """Whether a munition is special: charged for, Class 5 only; Inferno by a switch (R 4.6.6, C-07)."""
    return kind.special and (kind.key != "inferno" or rules.inferno_is_special)


def belt_of(ammo: AmmoBin, load: int | Belt) -> Belt:
    """The belt of a bin as ordered: a number means rounds as the record sheet names them."""
    return (ammo.munition,) * load if isinstance(load, int) else load


def special_loads(belts: Mapping[str, Belt], rules: Ruleset) -> tuple[SpecialLoad, ...]:
    """What is charged for: each special munition in each bin once, however many salvoes (C-06)."""
    return tuple(
        SpecialLoad(name, kind, rules.special_price)
        for name, belt in belts.items()
        for kind in dict.fromkeys(map(munition, belt))
        if is_special(MUNITIONS[kind], rules)
    )


def offered(design: MechDesign, ammo: AmmoBin, fight_class: int) -> tuple[str, ...]:
    """Munitions a bin may be loaded with in a class."""
    kinds = (MUNITIONS[key] for key in loadable(ammo.ammunition, ammo.munition))
    return tuple(
        kind.key
        for kind in kinds
        if not _kept_out(kind, ammo, fight_class, ruleset()) and not _unguided(design, ammo, kind.key)
    )


def _unguided(design: MechDesign, ammo: AmmoBin, key: str) -> bool:
    """Missiles for Artemis IV where no launcher has one (R 4.6.6.2), but for those on the sheet."""
    return key == ARTEMIS and key != ammo.munition and not artemis_aboard(design, ammo.ammunition)


def check_initial(
    state: State, side: str, initial: Initial, rules: Ruleset | None = None
) -> Iterator[Violation]:
    """What is illegal about a load-out (by the league's ruleset, if no other is given)."""
    design, rules = state.units[side].design, rules or ruleset()
    known = {ammo.id: ammo for ammo in design.bins}
    belts: dict[str, Belt] = {}
    for name, load in initial.bins.items():
        at = f"/initial/bins/{name}"
        if name not in known:
            yield Violation("unknown-bin", f"{design.model} has no bin {name!r}", at, CAP)
            continue
        belts[name] = belt_of(known[name], load)
        yield from _check_bin(known[name], belts[name], state.terms.fight_class, rules, at)
        if any(_unguided(design, known[name], munition(salvo)) for salvo in belts[name]):
            detail = f"no launcher of {name} has an Artemis IV"
            yield Violation("no-artemis", detail, at, KINDS)
    yield from _over_cap(design, belts, state.terms)


def _check_bin(ammo: AmmoBin, belt: Belt, fight_class: int, rules: Ruleset, at: str) -> Iterator[Violation]:
    """What is illegal about one bin: each kind once, then the belt as a whole."""
    kinds = dict.fromkeys(map(munition, belt))
    allowed = loadable(ammo.ammunition, ammo.munition)
    for key in kinds:
        if key not in allowed:
            detail = f"{ammo.id} cannot hold {key!r}; it holds: {', '.join(allowed)}"
            yield Violation("munition-not-for-weapon", detail, at, KINDS)
            return
    for key in kinds:
        yield from _check_kind(MUNITIONS[key], ammo, belt, fight_class, rules, at)
    if len(kinds) > 1 and not mixes(ammo.ammunition):
        yield Violation("bin-mixed", f"{ammo.id} holds one kind of ammunition only", at, KINDS)
    elif len(kinds) > 1 and not rules.plays("mixed_bins", fight_class):
        detail = f"no bin holds several kinds of ammunition in Class {fight_class}"
        yield Violation("bin-mixed", detail, at, KINDS)
    yield from _check_hot(ammo, belt, fight_class, rules, at)


def _check_kind(
    kind: Munition, ammo: AmmoBin, belt: Belt, fight_class: int, rules: Ruleset, at: str
) -> Iterator[Violation]:
    """What is illegal about a kind of munition in a bin: class, whole tons, room, two salvoes."""
    refused = _kept_out(kind, ammo, fight_class, rules)
    if refused is not None:
        yield Violation(*refused, at, KINDS)
    room = holds(ammo, kind)
    if len(belt) > room:
        yield Violation("bin-overfull", f"{ammo.id} holds {room} rounds", at, CAP)
    count = sum(1 for salvo in belt if munition(salvo) == kind.key)
    limited = is_special(kind, rules) and mixes(ammo.ammunition)
    if limited and count > rules.special_salvoes:
        detail = f"at most {rules.special_salvoes} salvoes of {kind.key} in one bin, not {count}"
        yield Violation("too-many-special", detail, at, KINDS)


def _kept_out(kind: Munition, ammo: AmmoBin, fight_class: int, rules: Ruleset) -> tuple[str, str] | None:
    """Why a munition may not be loaded at all, as code and text; None if it may."""
    if is_special(kind, rules) and not rules.plays("special_ammunition", fight_class):
        return "munition-not-in-class", f"{kind.key} is special ammunition, not played in Class {fight_class}"
    if kind.tons_only and ammo.half:
        return "whole-tons", f"{kind.key} is loaded by whole tons, {ammo.id} holds half a ton"
    if kind.not_played and kind.key != ammo.munition:
        return "munition-not-played", f"{kind.key}: {kind.not_played}"
    return None


def _check_hot(ammo: AmmoBin, belt: Belt, fight_class: int, rules: Ruleset, at: str) -> Iterator[Violation]:
    """Hot loading: by class, and only what has a minimum range (R 4.5.3)."""
    hot = [munition(salvo) for salvo in belt if is_hot(salvo)]
    if hot and not rules.plays("hot_loading", fight_class):
        detail = f"hot loading is not played in Class {fight_class}"
        yield Violation("hot-not-in-class", detail, at, HOT_LOADING)
    for key in dict.fromkeys(hot):
        if family(ammo.ammunition) not in MUNITIONS[key].hot:
            yield Violation(
                "hot-not-for-munition", f"{key} in {ammo.id} cannot be hot-loaded", at, HOT_LOADING
            )


def _over_cap(design: MechDesign, belts: Mapping[str, Belt], terms: DuelOpened) -> Iterator[Violation]:
    for ammunition in sorted({ammo.ammunition for ammo in design.bins}):
        named = [ammo.id for ammo in design.bins if ammo.ammunition == ammunition and ammo.id in belts]
        most = allowance(design, ammunition, terms)
        if sum(len(belts[name]) for name in named) > most:
            detail = f"at most {most} rounds of {ammunition} in a fight of {terms.turns} turns"
            yield Violation("too-many-rounds", detail, "/initial/bins", CAP)


def loadout(design: MechDesign, initial: Initial, terms: DuelOpened) -> dict[str, Belt]:
    """The belt of every bin: as ordered; bins not named share evenly what the cap leaves."""
    load: dict[str, Belt] = {}
    for ammunition in dict.fromkeys(ammo.ammunition for ammo in design.bins):
        bins = [ammo for ammo in design.bins if ammo.ammunition == ammunition]
        named = {ammo.id: belt_of(ammo, initial.bins[ammo.id]) for ammo in bins if ammo.id in initial.bins}
        rest = max(allowance(design, ammunition, terms) - sum(map(len, named.values())), 0)
        others = [ammo for ammo in bins if ammo.id not in named]
        load |= named
        for number, ammo in enumerate(others):
            share = -(-rest // (len(others) - number))
            load[ammo.id] = belt_of(ammo, min(ammo.shots, share))
            rest -= len(load[ammo.id])
    return {ammo.id: load[ammo.id] for ammo in design.bins}
