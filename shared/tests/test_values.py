"""Ids, money, the codec and the envelope: what may be stored, and what comes back."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_shared import ids, money
from solaris_shared.log.codec import EventInvalid, EventTypes, EventUnreadable, dump, to_json
from solaris_shared.messaging import envelope
from solaris_shared.messaging.envelope import ContractBroken, PublicEvent


class Colour(StrEnum):
    RED = "red"


class Place(NamedTuple):
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Rich:
    id: UUID
    at: datetime
    colour: Colour
    inner: Inner
    numbers: dict[int, int]
    names: frozenset[str]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Anything:
    value: object


TYPES = EventTypes({"rich": Rich, "anything": Anything})
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


def test_a_rich_event_survives_storage_unchanged():
    event = Rich(
        uuid4(),
        datetime(2026, 11, 30, 2, 3, 4, 567, UTC),
        Colour.RED,
        Inner("ñandú 🤖", (Place(1, 2),)),
        {7: 8},
        frozenset({"b", "a"}),
    )
    name, version, data = TYPES.encode(event)
    assert (name, version) == ("rich", 1)
    assert data["names"] == ["a", "b"]
    assert TYPES.decode(name, version, data) == event


@given(PLAIN)
def test_plain_values_without_nul_survive(value: object):
    if "\\u0000" in dump(value):
        with pytest.raises(EventInvalid, match="text-refused"):
            TYPES.encode(Anything(value))
    else:
        assert TYPES.decode(*TYPES.encode(Anything(value))) == Anything(value)


@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        (1.5, "float-refused", "/value"),
        (float("nan"), "float-refused", "/value"),
        ([1, {"a": 2.0}], "float-refused", "/value/1/a"),
        (2**53, "integer-out-of-range", "/value"),
        (-(2**53), "integer-out-of-range", "/value"),
        (70056273586165461853143040, "integer-out-of-range", "/value"),
        ("a\x00b", "text-refused", "/value"),
        ("\ud800", "text-refused", "/value"),
        ({"\x00": 1}, "text-refused", "/value"),
    ],
)
def test_what_other_readers_would_change_is_refused(value: object, code: str, pointer: str):
    """S04: no float, no integer beyond 2**53 - 1; nor text that PostgreSQL or JSON cannot hold."""
    with pytest.raises(EventInvalid) as raised:
        TYPES.encode(Anything(value))
    assert raised.value.code in (code, "not-json") and raised.value.status == 422
    if raised.value.code == code:
        assert raised.value.extra == {"pointer": pointer}


def test_the_largest_integers_are_kept():
    for value in (2**53 - 1, -(2**53) + 1):
        assert to_json({"n": value}) == {"n": value}


def test_the_stored_name_is_a_constant_and_the_class_may_move():
    """V01: another class under the old name reads the old payload."""

    @dataclass(frozen=True, slots=True)
    class RenamedAnything:
        value: object

    moved = EventTypes({"anything": RenamedAnything})
    assert moved.decode(*TYPES.encode(Anything(3))) == RenamedAnything(3)


def test_an_upcaster_lifts_one_payload_to_one_payload_step_by_step():
    """V04, V08: one-to-one on the payload only, applied at every reading, so it is always the current one."""

    @dataclass(frozen=True, slots=True)
    class Third:
        amount: int
        currency: str

    types = EventTypes(
        {"paid": Third},
        upcasters={
            ("paid", 1): lambda data: {"amount": data["sum"]},
            ("paid", 2): lambda data: data | {"currency": "C"},
        },
        versions={"paid": 3},
    )
    assert types.decode("paid", 1, {"sum": 5}) == Third(5, "C")
    assert types.decode("paid", 2, {"amount": 6}) == Third(6, "C")
    assert types.encode(Third(7, "D")) == ("paid", 3, {"amount": 7, "currency": "D"})


@pytest.mark.parametrize(("name", "version"), [("unknown", 1), ("anything", 2)])
def test_what_this_release_does_not_know_is_an_error_never_silence(name: str, version: int):
    """V05, V06: an unknown name or a newer payload version cannot be read; the handler that needs it
    halts.
    """
    with pytest.raises(EventUnreadable, match="event-unknown"):
        TYPES.decode(name, version, {"value": 1})


def test_registries_refuse_contradictions():
    with pytest.raises(ValueError, match="two stored names"):
        EventTypes({"a": Inner, "b": Inner})
    with pytest.raises(ValueError, match="no upcaster"):
        EventTypes({"a": Inner}, versions={"a": 2})
    with pytest.raises(ValueError, match="two classes"):
        EventTypes({"a": Inner}) | EventTypes({"a": Anything})


def test_ids_are_repeatable_and_never_confuse_their_parts():
    assert ids.command_id("p", "POST /x", "k") == ids.command_id("p", "POST /x", "k")
    assert ids.command_id("a", "bc", "k") != ids.command_id("ab", "c", "k")
    assert ids.command_id("p", "r", "\ud800") != ids.command_id("p", "r", "\x00")
    command = ids.new_id()
    assert ids.event_id(command, 0) != ids.event_id(command, 1)
    assert ids.new_id().version == 4


def test_percentages_round_down_once():
    assert money.percent(1_999, 10) == 199
    assert money.percent(-1, 10) == -1
    with pytest.raises(TypeError):
        money.check_amount(1.0)
    with pytest.raises(TypeError):
        money.check_amount(True)
    with pytest.raises(ValueError, match="beyond"):
        money.check_amount(10**12 + 1)


NOW = datetime(2026, 11, 30, tzinfo=UTC)
META = {"correlation_id": "c", "causation_id": "d"}


def test_an_envelope_is_read_back_on_its_own_subject_only():
    public = PublicEvent("solaris.test.counted.v1", "counter/a", {"amount": 1})
    subject, raw = envelope.encode("test", public, ids.new_id(), META, NOW)
    assert subject == "solaris.test.counter.a.counted.v1"
    assert envelope.decode("test", subject, raw).data == {"amount": 1}
    with pytest.raises(ContractBroken, match="misplaced"):
        envelope.decode("test", subject.replace("counter.a", "counter.b"), raw)
    with pytest.raises(ContractBroken, match="foreign"):
        envelope.decode("other", subject, raw)


@pytest.mark.parametrize(
    ("type_", "subject"),
    [
        ("solaris.other.counted.v1", "counter/a"),
        ("counted", "counter/a"),
        ("solaris.test.counted.v0", "counter/a"),
        ("solaris.test.counted.v1", "counter"),
        ("solaris.test.counted.v1", "counter/a.b"),
        ("solaris.test.counted.v1", "counter/>"),
        ("solaris.test.counted.v1", "counter/a b"),
    ],
)
def test_a_fact_with_a_wrong_name_is_never_published(type_: str, subject: str):
    with pytest.raises(ContractBroken):
        envelope.encode("test", PublicEvent(type_, subject, {}), ids.new_id(), META, NOW)


def test_a_fact_that_is_too_large_is_never_published():
    with pytest.raises(ContractBroken, match="too-large"):
        envelope.encode(
            "test",
            PublicEvent("solaris.test.counted.v1", "counter/a", {"x": "y" * 600_000}),
            ids.new_id(),
            META,
            NOW,
        )
