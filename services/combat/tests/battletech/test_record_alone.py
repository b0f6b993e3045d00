"""SEC5: the record of a whole duel passes the verifier that stands alone."""

import importlib.util
from pathlib import Path

from duels import ENGINE, setup

from solaris_combat.domain.replay import Offline, default_answers, defaults
from solaris_combat.domain.resimulation import offline_terms
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.registry import Registry

PROGRAM = Path(__file__).parents[4] / "examples" / "verify_record.py"


def test_a_duel_passes():
    spec = importlib.util.spec_from_file_location("verify_record", PROGRAM)
    alone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(alone)
    rng = {side: SeededDice(side.encode() * 32) for side in "AB"}

    def choose(fight, side):
        if fight.request.kind == "initial":
            return defaults(fight, side)
        view, options = ENGINE.view(fight.game, side), ENGINE.options(fight.game, side)
        return ENGINE.choose(view, options, 1, rng[side])

    played = Offline(Registry([ENGINE]), offline_terms("alone", setup()), bytes(32), choose, default_answers)
    record = b"".join(played.play().lines)
    assert alone.check(record).startswith("sound: ")
