"""One fight between house pilots, two of them or teams, without a server or a database."""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solaris_combat.domain.distinct_keys import repeated_keys
from solaris_combat.domain.fight import Fight
from solaris_combat.domain.replay import Offline, derived
from solaris_combat.domain.resimulation import offline_terms
from solaris_combat.engines.battletech import house_pilot, log, lot
from solaris_combat.engines.contract import Question, Setup, SetupRefused, UnitSetup, Violation
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.registry import Registry
from solaris_combat.rulesets import rulesets

FIGHT_ID = "offline"
SIDES = "ABCDEFGH"
GUNNERY, PILOTING = 4, 5
HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F]{2})+")
Loadout = dict[str, dict[str, Any]]
Choose = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for; an empty arena is the ruleset's first.

    `left`, `right` and each of `also` name a model, or several joined by commas: then all fight as teams.
    `levels` are those of the house pilots of the first team and of the others.
    """

    left: str
    right: str
    ruleset: str
    fight_class: int
    arena: str
    turns: int
    seed: bytes
    levels: tuple[int, int]
    loadout: Loadout = field(default_factory=dict)
    also: tuple[str, ...] = ()
    permanence: bool = False

    @property
    def teams(self) -> list[list[str]]:
        """The models of each team."""
        every = (self.left, self.right, *self.also)
        return [[name.strip() for name in one.split(",")] for one in every]


def seed_of(text: str | None) -> bytes:
    """The seed in hexadecimal, or a fresh one if none was given; SetupRefused for anything else."""
    if text is None:
        return secrets.token_bytes(32)
    if not HEXADECIMAL.fullmatch(text):
        detail = f"seed {text[:40]!r} is not hexadecimal, two digits a byte"
        raise SetupRefused(Violation("seed-invalid", detail, "/seed"))
    return bytes.fromhex(text)


def loadout_of(path: Path | None) -> Loadout:
    """A JSON file {"A": {"bins": {...}}, "B": {...}}: what each side writes into its first orders."""
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8")
        loadout, repeated = json.loads(text), repeated_keys(text)
    except (OSError, ValueError, RecursionError) as error:
        raise SetupRefused(Violation("loadout-unreadable", f"load-out {path}: {error}", "/loadout")) from None
    if not isinstance(loadout, dict) or not all(isinstance(one, dict) for one in loadout.values()):
        raise SetupRefused(Violation("loadout-invalid", f"load-out {path} is not an object per side"))
    if repeated:
        twice = f"load-out {path}: a key stands more than once in its object: {', '.join(repeated)}"
        raise SetupRefused(Violation("loadout-invalid", twice, "/loadout"))
    return loadout


def _check_sides(loadout: Loadout, setup: Setup) -> None:
    """SetupRefused where the load-out names a side that does not fight."""
    sides = [unit.side for unit in setup.units]
    if strangers := set(loadout) - set(sides):
        detail = f"load-out: no side {sorted(strangers)[0]!r}; there are: {', '.join(sides)}"
        raise SetupRefused(Violation("loadout-invalid", detail, "/loadout"))


def levels_of(text: str) -> tuple[int, int]:
    """The levels of both teams' house pilots from "2" or "3,2"; SetupRefused for anything else."""
    parts = text.split(",")
    levels = tuple(int(part) for part in parts if part in [str(level) for level in house_pilot.LEVELS])
    if len(levels) != len(parts) or len(levels) > 2:
        offered = ", ".join(map(str, house_pilot.LEVELS))
        detail = f"--pilot is one level or two: house pilots have the levels {offered}, not {text[:40]!r}"
        raise SetupRefused(Violation("unknown-level", detail, "/pilot"))
    return levels[0], levels[-1]


def speaks(language: str) -> None:
    """SetupRefused for a language the log cannot be told in."""
    if language not in log.LANGUAGES:
        detail = f"no language {language!r}; there are: {', '.join(log.LANGUAGES)}"
        raise SetupRefused(Violation("unknown-language", detail, "/language"))


def play(wish: Wish, choose: Choose = house_pilot.choose) -> tuple[Fight, tuple[object, ...]]:
    """The concluded fight and all its events; SetupRefused or Unprocessable with what is wrong."""
    registry = rulesets()
    setup = _setup(wish, registry)
    _check_sides(wish.loadout, setup)
    pilots = _Pilots(wish, _levels(wish, setup), choose)
    offline = Offline(registry, offline_terms(FIGHT_ID, setup), wish.seed, pilots.choose, pilots.answer)
    return offline.play(), tuple(offline.events)


USUAL_ARENA = "la-cantera"
"""Where a fight is fought that names no arena, if the game has it."""


def _setup(wish: Wish, registry: Registry) -> Setup:
    engine = registry.newest(wish.ruleset)
    arena = wish.arena or (USUAL_ARENA if USUAL_ARENA in engine.arenas else min(engine.arenas))
    entered = [(str(number), model) for number, team in enumerate(wish.teams, 1) for model in team]
    if len(entered) > len(SIDES):
        raise SetupRefused(Violation("sides-not-played", f"at most {len(SIDES)} 'Mechs fight", "/units"))
    units = tuple(UnitSetup(s, m, m, GUNNERY, PILOTING) for s, (_, m) in zip(SIDES, entered, strict=False))
    teams = {unit.side: team for unit, (team, _) in zip(units, entered, strict=True)}
    named = teams if len(units) > len(wish.teams) else {}
    return Setup(wish.ruleset, wish.fight_class, arena, wish.turns, units, named, wish.permanence)


def _levels(wish: Wish, setup: Setup) -> dict[str, int]:
    """Level of the pilot of each side."""
    first = len(wish.teams[0])
    return {unit.side: wish.levels[n >= first] for n, unit in enumerate(setup.units)}


@dataclass(frozen=True, slots=True)
class _Pilots:
    """House pilots of both sides; each sees the public view and its own options, and rolls its own dice.

    Those of level 0 draw from what they may order without having it written out (engines/battletech/lot.py).
    """

    wish: Wish
    levels: Mapping[str, int]
    house: Choose

    def choose(self, fight: Fight, side: str) -> Any:
        if self.levels[side] == 0:
            drawn = lot.orders_by_lot(fight.game, side, self._dice(fight, side, "orders"))
            orders = fight.playing.orders_json(drawn)
        else:
            orders = self._pick(fight, side, fight.playing.options(fight.game, side), "orders")
        if "initial" in orders:
            orders["initial"] |= self.wish.loadout.get(side, {})
        return orders

    def answer(self, fight: Fight, side: str, question: Question) -> Any:
        what = f"answer {question.facts}"
        if self.levels[side] == 0:
            return fight.playing.orders_json(lot.answer_by_lot(question, self._dice(fight, side, what)))
        return self._pick(fight, side, question.options, what)

    def _pick(self, fight: Fight, side: str, options: Any, what: str) -> Any:
        dice = self._dice(fight, side, what)
        return self.house(fight.playing.view(fight.game, side), options, self.levels[side], dice)

    def _dice(self, fight: Fight, side: str, what: str) -> SeededDice:
        assert fight.request is not None
        label = f"pilot {side} {fight.request.turn} {fight.request.kind} {what}"
        return SeededDice(derived(self.wish.seed, label))
