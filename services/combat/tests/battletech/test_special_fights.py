"""Whole fights of the higher classes with load-outs by lot: every munition and way of firing."""

import random
from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, Fight, play, setup
from test_fights_to_the_end import check

from solaris_combat.engines.battletech import log
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.events import LoadoutFixed, ShotResolved

MODELS = sorted(CATALOGUE)


class Loader:
    """The engine, whose trained house pilots load by lot as well."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> Any:
        return getattr(ENGINE, name)

    def choose(self, view: Any, options: Any, level: int, dice: Any) -> Any:
        """The house pilot's orders; in the initial turn with belts by lot."""
        orders = ENGINE.choose(view, options, level, dice)
        if "initial" in options:
            orders["initial"]["bins"] = dict(self._loads(options["initial"]))
        return orders

    def _loads(self, offered: Any) -> Any:
        left = dict(offered["rounds_at_most"])
        for store in offered["bins"]:
            belt = self._belt(store, left.get(store["ammunition"], 0))
            left[store["ammunition"]] = left.get(store["ammunition"], 0) - len(belt)
            yield store["id"], belt

    def _belt(self, store: Any, most: int) -> list[str]:
        kinds = store["munitions"]
        chosen = kinds if store["mixed"] else [self._rng.choice(kinds)]
        belt = [
            one["munition"] + (" hot" if one["hot"] and self._rng.random() < 0.3 else "")
            for one in chosen
            for _ in range(one["at_most"] if one["price"] and store["mixed"] else min(one["at_most"], 4))
        ]
        self._rng.shuffle(belt)
        room = min(one["at_most"] for one in chosen if not (one["price"] and store["mixed"]))
        return belt[: max(min(most, room), 0)]


def fight(number: int, fight_class: int) -> Fight:
    """A fight of this number between models by lot, loaded by lot."""
    rng = random.Random(number)
    terms = replace(
        setup(rng.choice(MODELS), rng.choice(MODELS), "jungle"),
        fight_class=fight_class,
        turns=8 if fight_class == 4 else rng.randint(8, 14),
    )
    return play(Loader(rng), terms, b"belts" + number.to_bytes(4, "big"), ((0, 1), (1, 0))[number % 2])


@pytest.mark.parametrize("fight_class", [4, 5])
def test_fights_with_special_loads_end_and_tell_all_their_dice(fight_class: int) -> None:
    """30 in CI: every order legal, every face in one event, the state is the fold of the events."""
    fired: set[str] = set()
    loaded: set[str] = set()
    for number in range(15):
        played = fight(number, fight_class)
        check(played)
        fired |= {salvo for one in played.events if isinstance(one, ShotResolved) for salvo in one.salvos}
        loads = [one for one in played.events if isinstance(one, LoadoutFixed)]
        loaded |= {salvo for one in loads for belt in one.belts.values() for salvo in belt}
        assert all(one.charge == sum(load.price for load in one.special) for one in loads)
        assert fight_class == 5 or not any(one.special for one in loads)
        assert not [line for line in log.account(played.events, "es") if "None" in line]
    assert "normal" in fired and any(salvo.endswith(" hot") for salvo in fired)
    if fight_class == 5:
        assert fired >= {"dead-fire", "heat-seeking"}
        assert loaded >= {"dead-fire", "heat-seeking", "inferno", "tandem-charge", "heap", "precision"}


@pytest.mark.soak
def test_many_fights_with_special_loads_end() -> None:
    """2,000 on demand."""
    for number in range(100, 2100):
        check(fight(number, 5))
