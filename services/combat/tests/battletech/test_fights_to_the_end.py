"""Whole fights between house pilots: they end, their dice are all told, and they repeat byte for byte."""

import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from duels import ENGINE, Fight, battered, play, setup

from solaris_combat.engines.battletech import log
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.events import EVENT_TYPES
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import AMMUNITION

MODELS = sorted(CATALOGUE)
LEVELS = ((1, 1), (0, 1), (1, 0), (0, 0))


def fight(number: int) -> Fight:
    """Fight of this number: models and levels by lot, orders and dice from its seed."""
    rng = random.Random(number)
    terms = setup(rng.choice(MODELS), rng.choice(MODELS))
    return play(ENGINE, terms, number.to_bytes(4, "big"), LEVELS[number % 4])


def lines(played: Fight) -> list[bytes]:
    return [msgspec.json.encode(msgspec.to_builtins(event)) for event in played.events]


def check(played: Fight) -> None:
    """Everything that must hold of any fight (its orders were checked while it was played)."""
    assert ENGINE.waiting_for(played.state) == frozenset()
    told = [roll for event in played.events for roll in getattr(event, "rolls", ())]
    assert told == played.drawn
    outcome = ENGINE.outcome(played.state)
    assert outcome is not None
    assert {one.side for one in outcome.sides} == {"A", "B"}
    again: Any = None
    for event in played.events:
        again = ENGINE.evolve(again, event)
    assert again == played.state
    names = {cls: name for name, cls in EVENT_TYPES.items()}
    for event in played.events:
        data = msgspec.to_builtins(event)
        assert msgspec.convert(data, EVENT_TYPES[names[type(event)]]) == event


@pytest.mark.parametrize("hundred", range(4))
def test_200_random_fights_end(hundred: int) -> None:
    """200 fights in four parts between models of the catalogue."""
    for number in range(hundred * 50, hundred * 50 + 50):
        check(fight(number))


@pytest.mark.soak
def test_5000_random_fights_end() -> None:
    """The same on demand, many more."""
    for number in range(1000, 6000):
        check(fight(number))


def test_battered_units_fight_on_to_the_end() -> None:
    """Units in any bad shape: what is offered to them is legal, the dice are told, nothing breaks."""
    check_battered(range(40))


@pytest.mark.soak
def test_2000_fights_of_battered_units() -> None:
    """The same on demand."""
    check_battered(range(1000, 3000))


def check_battered(numbers: range) -> None:
    for number in numbers:
        rng = random.Random(number)
        terms = setup(rng.choice(MODELS), rng.choice(MODELS))
        seed = b"battered%d" % number
        played = play(ENGINE, terms, seed, LEVELS[number % 4], partial(battered, rng=rng))
        told = [roll for event in played.events for roll in getattr(event, "rolls", ())]
        assert told == played.drawn
        assert not [line for line in log.account(played.events, "es") if "None" in line]


def test_the_same_seed_and_orders_give_the_same_bytes() -> None:
    first, second = fight(8), fight(8)
    assert lines(first) == lines(second)
    assert lines(first) != lines(fight(12))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_house_pilot_beats_the_level_below(level: int) -> None:
    """In a few mirrored fights more points than the rival; `solaris bench pilots` counts many."""
    points = 0
    for number in range(16):
        levels = (level, level - 1) if number % 2 else (level - 1, level)
        played = play(ENGINE, setup("PNT-9R", "PNT-9R"), b"pilots%d" % (number // 2), levels)
        outcome = ENGINE.outcome(played.state)
        assert outcome is not None
        points += {"win": 2, "draw": 1, "loss": 0}[outcome.sides[levels.index(level)].result]
    assert points > 16


def test_the_pilot_is_a_pure_function_of_view_and_options() -> None:
    assert lines(fight(16)) == lines(fight(16))
    with pytest.raises(ValueError, match="levels"):
        ENGINE.choose({}, {"turn": 0, "initial": {}}, 7, None)


@pytest.mark.parametrize("language", log.LANGUAGES)
def test_the_log_tells_every_event(language: str) -> None:
    """A sentence for every event but what is wanted next, with no gap in it."""
    words = table("words")[language]
    for number in (1, 5, 8, 9):
        played = fight(number)
        told = list(log.account(played.events, language))
        silent = {"Asking", "AmsSet"}
        assert len(told) == sum(1 for event in played.events if type(event).__name__ not in silent)
        assert not [line for line in told if "{" in line or "None" in line]
    assert words["hit"] != table("words")["es" if language == "en" else "en"]["hit"]


def test_every_spanish_word_is_there() -> None:
    """Whatever a log names has a Spanish word: nothing is said in English by falling back."""
    words = table("words")["es"]
    asked: set[str] = set()

    class Noting(log.Tongue):
        def word(self, key: str) -> str:
            asked.add(key)
            return super().word(key)

    plain, log.Tongue = log.Tongue, Noting  # type: ignore[misc]
    try:
        for number in range(20, 32):
            list(log.account(fight(number).events, "es"))
    finally:
        log.Tongue = plain  # type: ignore[misc]
    weapons = {mount.weapon for design in CATALOGUE.values() for mount in design.mounts}
    assert {key for key in asked if key and key not in words} <= weapons | set(AMMUNITION)


def test_every_reason_named_in_the_code_has_a_spanish_word() -> None:
    """Summands that few fights meet, too; of physical attacks (not played yet) no log tells."""
    words, folder = table("words")["es"], Path(log.__file__).parent
    named: set[str] = set()
    for module in sorted(folder.glob("*.py")):
        if module.name != "physical.py":
            named |= set(re.findall(r"(?:Modifier|_each)\([^\n]*?, \"([a-z ]+)\"", module.read_text()))
    assert {"leg destroyed", "automatic ejection", "attempts to stand up"} <= named
    assert sorted(named - set(words)) == []


def test_a_view_holds_nothing_that_is_sealed() -> None:
    """Orders are arguments of `decide` and never enter the state, so a view cannot tell them."""
    played = fight(3)
    a, b = ENGINE.view(played.state, "A"), ENGINE.view(played.state, "B")
    common = {"you": None, "own": None}
    assert a | common == b | common == ENGINE.view(played.state, None)
    msgspec.json.encode(a)
