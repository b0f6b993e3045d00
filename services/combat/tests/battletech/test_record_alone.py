"""SEC5, PER1: the records of duels, of this and every other version, pass the verifier that stands alone."""

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest
from duels import ENGINE, setup

from solaris_combat.domain.replay import Offline, default_answers, defaults
from solaris_combat.domain.resimulation import RecordRefused, offline_terms
from solaris_combat.domain.verify import verify
from solaris_combat.engines.battletech.engine import BattleTech
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.registry import Registry

PROGRAM = Path(__file__).parents[4] / "examples" / "verify_record.py"


RECORDS = sorted(Path(__file__).parents[1].joinpath("records").glob("*.s7r"))
"""Records of every version there was, kept for ever; a new engine version or format adds one."""


def program():
    spec = importlib.util.spec_from_file_location("verify_record", PROGRAM)
    alone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(alone)
    return alone


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_records_of_every_version_are_read(file):
    """PER1: the program alone finds it sound; playing it again asks for its own ruleset, by its hash."""
    data = file.read_bytes()
    assert program().check(data).startswith("sound: ")
    header = json.loads(data.partition(b"\n")[0])
    assert file.stem == f"{header['ruleset'].replace('/', '-')}-engine-{header['engine']}"
    if header["ruleset_hash"] == ENGINE.ruleset_hash:
        assert verify(data, Registry([ENGINE]))
    else:
        with pytest.raises(RecordRefused, match="another content hash"):
            verify(data, Registry([ENGINE]))


def test_this_version_of_the_engine_has_its_record():
    """PER1."""
    assert f"{ENGINE.ruleset.replace('/', '-')}-engine-{ENGINE.version}" in {file.stem for file in RECORDS}


def idle_duel(registry: Registry):
    """A duel in which nobody gives an order."""
    return Offline(registry, offline_terms("old", setup()), b"1", defaults, default_answers).play()


def test_a_duel_is_judged_by_the_version_it_began_with():
    """ARC1: replayed beside a newer version of the engine it is the same; new duels get the newer one."""

    class Newer(BattleTech):
        """A version in which everybody twists to the left."""

        version = ENGINE.version + 1

        def default_orders(self, state, side):
            orders = super().default_orders(state, side)
            return replace(orders, fire=orders.fire and replace(orders.fire, twist=-1))

    alone, both = Registry([ENGINE]), Registry([ENGINE, Newer()])
    record = b"".join(idle_duel(alone).lines)
    assert verify(record, alone) == verify(record, both)
    assert json.loads(record.partition(b"\n")[0])["engine"] == ENGINE.version
    newer = idle_duel(both)
    assert newer.playing.version == ENGINE.version + 1
    assert verify(b"".join(newer.lines), both)
    with pytest.raises(RecordRefused):
        verify(b"".join(newer.lines), alone)


def test_a_duel_passes():
    alone = program()
    rng = {side: SeededDice(side.encode() * 32) for side in "AB"}

    def choose(fight, side):
        if fight.request.kind == "initial":
            return defaults(fight, side)
        view, options = ENGINE.view(fight.game, side), ENGINE.options(fight.game, side)
        return ENGINE.choose(view, options, 1, rng[side])

    played = Offline(Registry([ENGINE]), offline_terms("alone", setup()), bytes(32), choose, default_answers)
    record = b"".join(played.play().lines)
    assert alone.check(record).startswith("sound: ")
