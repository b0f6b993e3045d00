"""The aggregate played off-line with the little game, its record, and what `verify` refuses."""

import json
import random

import pytest
from ropes import Ropes

from solaris_combat.domain import record
from solaris_combat.domain.events import AllOrdersSealed, FightConcluded, OrdersOpened
from solaris_combat.domain.replay import Offline, default_answers, defaults
from solaris_combat.domain.resimulation import RecordRefused, offline_terms
from solaris_combat.domain.verify import verify
from solaris_combat.engines.canonical import canonical, sha256
from solaris_combat.engines.contract import Setup, SetupRefused, UnitSetup
from solaris_combat.engines.registry import Registry

REGISTRY = Registry([Ropes()])


def setup(left="hemp", right="silk", arena="quay", ruleset="ropes/1"):
    units = (UnitSetup("A", "Ada", left, 4, 5), UnitSetup("B", "Íñigo", right, 4, 5))
    return Setup(ruleset, 3, arena, 4, units)


def eager(fight, side):
    """Throws as many dice as it may, so ropes tangle and questions are asked."""
    if not fight.game.turn:
        return defaults(fight, side)
    dice = max(fight.playing.options(fight.game, side)["dice"])
    return {"turn": fight.game.turn, "throw": {"dice": dice, "cry": f"¡ea! {side}"}}


def pull(fight, side, question):
    return {"turn": question.turn, "answers": [True]}


def play(seed=b"\x00\xff", choose=eager, answer=pull, **terms):
    return Offline(REGISTRY, offline_terms("offline", setup(**terms)), seed, choose, answer)


def played(**arguments):
    return b"".join(play(**arguments).play().lines)


def test_a_record_is_canonical_and_complete():
    data = played()
    lines = [json.loads(line) for line in data.splitlines()]
    assert b"".join(canonical(line) + b"\n" for line in lines) == data
    assert [line["line"] for line in lines[:4]] == ["header", "loadout", "loadout", "event"]
    assert [line["line"] for line in lines[-2:]] == ["result", "digest"]
    assert sum(line["line"] == "orders" for line in lines) == 5
    assert lines[-1]["sha256"] == sha256(b"".join(data.splitlines(keepends=True)[:-1]))
    assert any(plan["answers"] for line in lines if line["line"] == "orders" for plan in line["sides"])


def test_what_an_engine_withholds_stands_in_the_record_all_the_same(monkeypatch):
    """Orders that are asked anew are not published with the others; the record proves them in the end."""
    monkeypatch.setattr(Ropes, "withheld", lambda self, events: ("throw",) if len(events) > 2 else ())
    game = play()
    lines = game.play().lines
    assert {event.withheld for event in game.events if isinstance(event, OrdersOpened)} == {(), ("throw",)}
    assert same(b"".join(lines), played())
    assert verify(b"".join(lines), REGISTRY)


def same(left, right):
    return left == right


def test_same_seed_same_bytes_other_seed_other_bytes():
    assert played() == played()
    assert played() != played(seed=b"\x00\xfe")


def test_a_sound_record_verifies():
    for seed in range(30):
        assert verify(played(seed=bytes([seed])), REGISTRY)["line"] == "result"
        assert verify(played(seed=bytes([seed]), choose=defaults, answer=default_answers), REGISTRY)


def test_every_one_byte_change_is_refused_with_one_line():
    data = played()
    chance = random.Random(7)
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= chance.randrange(1, 256)
        with pytest.raises(RecordRefused) as refused:
            verify(bytes(changed), REGISTRY)
        assert str(refused.value) and "\n" not in str(refused.value)


def test_every_cut_and_every_doubled_line_is_refused():
    data = played()
    lines = data.splitlines(keepends=True)
    cases = [data[:end] for end in range(0, len(data), 97)]
    cases += [b"".join((*lines[: n + 1], *lines[n:])) for n in range(len(lines))]
    cases += [b"".join((*lines[:n], *lines[n + 1 :])) for n in range(len(lines))]
    cases += [data + b"\n", data + data, b"", b"\n"]
    for changed in cases:
        with pytest.raises(RecordRefused):
            verify(changed, REGISTRY)


def forge(data, change):
    """The record with `change` made to its lines and a digest that fits again."""
    lines = [json.loads(line) for line in data.splitlines()]
    change(lines)
    body = b"".join(canonical(line) + b"\n" for line in lines[:-1])
    return body + record.digest_line(sha256(body))


def first(lines, kind, **having):
    return next(
        line
        for line in lines
        if line["line"] == kind and all(line.get(name) == value for name, value in having.items())
    )


def change_orders(lines):
    first(lines, "orders", turn=1)["sides"][0]["orders"]["throw"]["dice"] = 1


def change_default(lines):
    plan = first(lines, "orders", turn=1)["sides"][0]
    plan.update(salt="", commitment="")


def change_face(lines):
    roll = first(lines, "event", event="rope-thrown")["data"]["rolls"][0]
    roll["faces"][0] = roll["faces"][0] % 6 + 1


def change_nonce(lines):
    plan = first(lines, "orders", turn=0)["sides"][1]
    plan["orders"]["initial"]["nonce"] = "11" * 32


def respell_salt(lines):
    side = first(lines, "orders", turn=1)["sides"][0]
    side["salt"] = side["salt"].upper()


def change_seed(lines):
    lines[-2]["seed"] = "00fe"


def change_result(lines):
    lines[-2]["sides"][0]["victory_points"] += 1


def change_model(lines):
    first(lines, "loadout")["model"] = "nylon"


def change_hash(lines):
    lines[0]["ruleset_hash"] = "0" * 64


def change_engine(lines):
    lines[0]["engine"] = 2


def drop_answer(lines):
    plan = next(
        plan for line in lines if line["line"] == "orders" for plan in line["sides"] if plan["answers"]
    )
    plan["answers"] = []


def drop_turn(lines):
    lines.remove(first(lines, "orders", turn=2))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_orders, "orders of side A are not those committed to"),
        (change_default, "committed to nothing; this is not the default"),
        (change_nonce, "orders of side B are not those committed to"),
        (respell_salt, "orders of side A are not those committed to"),
        (change_face, "playing the fight again gives another line"),
        (change_result, "playing the fight again gives another line"),
        (change_seed, "not the one committed to"),
        (change_model, "cannot be set up: no model 'nylon'"),
        (change_hash, "another content hash"),
        (change_engine, "this release cannot play 'ropes/1' version 2"),
        (drop_answer, "is missing"),
        (drop_turn, "not the orders the fight asks for next"),
    ],
)
def test_a_forged_record_with_a_fitting_digest_is_refused(change, reason):
    """SEC3: change one reveal and the verifier fails, even when the digest was made to fit."""
    with pytest.raises(RecordRefused, match=reason):
        verify(forge(played(), change), REGISTRY)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"left": "nylon"}, "unknown-model"),
        ({"arena": "moon"}, "unknown-arena"),
        ({"ruleset": "chess/1"}, "unknown-ruleset"),
    ],
)
def test_terms_nobody_plays(terms, code):
    with pytest.raises(SetupRefused) as refused:
        play(**terms).play()
    assert refused.value.violations[0].code == code


def test_commitments_of_the_resolution_are_those_of_the_opened_orders():
    """DL5: what was used is what was sealed."""
    game = play()
    game.play()
    sealed = [event for event in game.events if isinstance(event, AllOrdersSealed)]
    opened = [event for event in game.events if isinstance(event, OrdersOpened)]
    assert len(sealed) == len(opened) == 5
    for one, other in zip(sealed, opened, strict=True):
        assert one.commitments == {plan.side: plan.opened.commitment for plan in other.plans}


def test_each_face_stands_in_one_event_and_in_drawing_order():
    from solaris_combat.engines.dice import SeededDice, dice_key

    game = play()
    fight = game.play()
    rolls = [roll for event in game.events for roll in getattr(event, "rolls", ())]
    dice = SeededDice(dice_key(game.seed, fight.nonces))
    assert [dice.roll(len(roll.faces), roll.sides, roll.purpose) for roll in rolls] == rolls


def test_the_conclusion_names_the_digest_of_the_record():
    game = play()
    data = b"".join(game.play().lines)
    concluded = next(event for event in game.events if isinstance(event, FightConcluded))
    assert json.loads(data.splitlines()[-1])["sha256"] == concluded.record_digest
