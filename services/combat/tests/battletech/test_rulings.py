"""Length, overtime, giving up and corrections by the rules of the league (R 4.2, R 4.3)."""

from dataclasses import replace

import pytest
from duels import ENGINE, Fight, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import ruling_events, rulings
from solaris_combat.engines.battletech.loading import allowance
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.contract import OrdersInvalid
from solaris_combat.engines.registry import Registry
from solaris_combat.projections.fights import fight_list


def stand_still(fight: Fight, requests: int) -> None:
    """Let requests pass with nothing ordered."""
    for _ in range(requests):
        sides = sorted(ENGINE.waiting_for(fight.state))
        if not sides:
            return
        orders = {side: ENGINE.default_orders(fight.state, side) for side in sides}
        fight.carry_out(orders, lambda side, question: ENGINE.default_answer(fight.state, side, question))


def class_five(**changes):
    return replace(setup(), fight_class=5, **changes)


def by_agreement(monkeypatch):
    """Class 5 as far as lengths go, whatever this release plays."""
    state = begin(ENGINE, setup(), bytes(32)).state
    return replace(state, terms=replace(state.terms, fight_class=5))


@pytest.mark.parametrize(
    ("fight_class", "turns", "allowed"),
    [(3, 8, True), (3, 9, False), (4, 10, False), (5, 8, True), (5, 14, True), (5, 15, False), (5, 7, False)],
)
def test_lengths(fight_class, turns, allowed):
    """R 4.2, C-10: 8 turns; in Class 5 up to 14."""
    assert (rulings.agreed_length(ruleset(), fight_class, turns) is None) == allowed


@pytest.mark.parametrize(
    ("turn", "level", "further"),
    [(8, True, 10), (10, True, 12), (12, True, 14), (14, True, None), (8, False, None), (13, True, 14)],
)
def test_overtime(turn, level, further):
    """T-17, G18: 2 by 2 up to turn 14, as long as it is level."""
    assert rulings.overtime(ruleset(), turn, level=level) == further


def test_a_permanence_fight_that_stays_level_goes_to_turn_14():
    """R 4.3: overtime to 10, 12, 14, then drawn: both go down."""
    fight = begin(ENGINE, replace(setup(), permanence=True), bytes(32))
    stand_still(fight, 40)
    granted = [
        (event.turn, event.to_turn)
        for event in fight.events
        if isinstance(event, ruling_events.OvertimeGranted)
    ]
    assert granted == [(8, 10), (10, 12), (12, 14)]
    ended = fight.events[-1]
    assert isinstance(ended, ev.DuelEnded) and ended.turn == 14 and set(ended.results.values()) == {"draw"}


def test_the_list_of_fights_reads_every_change_of_length():
    """Agreed (R 4.2) or granted (R 4.3): of each it knows the field that tells the last turn."""
    assert fight_list(Registry([ENGINE])).handles >= ENGINE.lengths.keys()
    for event in (ruling_events.OvertimeGranted(8, 10), ruling_events.LengthSet(14, 8)):
        state = ENGINE.evolve(begin(ENGINE, setup(), bytes(32)).state, event)
        (name,) = (name for name, kind in ENGINE.event_types.items() if kind is type(event))
        assert getattr(event, ENGINE.lengths[name]) == ENGINE.view(state, None)["turns"]


def test_another_fight_ends_drawn_after_its_last_turn():
    fight = begin(ENGINE, setup(), bytes(32))
    stand_still(fight, 40)
    assert fight.events[-1].turn == 8 and not any(
        isinstance(e, ruling_events.OvertimeGranted) for e in fight.events
    )


def test_a_permanence_fight_may_carry_rounds_for_14_turns():
    """R 4.6.5: 14 rounds a weapon."""
    state = begin(ENGINE, setup(), bytes(32)).state
    design = state.units["A"].design
    for permanence, rounds in ((False, 8), (True, 14)):
        terms = replace(state.terms, permanence=permanence)
        assert allowance(design, "srm-4", terms) == rounds


def test_a_prolonged_fight_goes_on_after_its_old_last_turn(monkeypatch):
    fight = begin(ENGINE, setup(), bytes(32))
    stand_still(fight, 8)
    assert fight.state.wanted == ev.Asking(7, "fire_and_movement")
    fight.state = replace(fight.state, terms=replace(fight.state.terms, fight_class=5))
    stand_still(fight, 1)
    assert fight.state.wanted == ev.Asking(8, "fire")
    fight.take(ENGINE.act(fight.state, "lengthen", {"turns": 9}))
    assert fight.state.wanted == ev.Asking(8, "fire")
    stand_still(fight, 1)
    assert fight.state.wanted == ev.Asking(9, "movement")
    stand_still(fight, 2)
    assert fight.state.ended is not None and fight.state.ended.turn == 9


@pytest.mark.parametrize("how", ["surrender", "flight"])
def test_giving_up_is_a_loss_whatever_the_points(how):
    """solaris7-tables 1.7."""
    fight = begin(ENGINE, setup(), bytes(32))
    stand_still(fight, 2)
    fight.take(ENGINE.act(fight.state, "yield", {"side": "A", "how": how}))
    outcome = ENGINE.outcome(fight.state)
    assert outcome.ended_by == "yielded"
    assert {side.side: side.result for side in outcome.sides} == {"A": "loss", "B": "win"}
    first, second = outcome.sides
    assert (first.facts["yielded"], second.facts["yielded"]) == (how, "")
    assert first.facts["mech"]["destroyed"] is False and second.facts["kills"] == 0
    assert ENGINE.waiting_for(fight.state) == frozenset()
    for language in ("es", "en"):
        assert all(ENGINE.describe(event, language) for event in fight.events[-2:])


CHANGES = [
    {"armor": {"CT": [3, 1], "LA": [0, 0]}},
    {"structure": {"CT": 2}},
    {"heat": 7, "wounds": 1},
    {"prone": True, "shutdown": True, "conscious": False},
    {"hex": "0505", "facing": 6},
    {"rounds": {"ct-srm-4-ammo-1": 2}},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_a_correction_changes_what_it_names_and_nothing_else(changes):
    """GM1: an event, so a replay of all events has it too."""
    fight = begin(ENGINE, setup(), bytes(32))
    stand_still(fight, 2)
    bins = list(fight.state.units["A"].belts)
    if "rounds" in changes:
        changes = {"rounds": {bins[0]: 2}}
    before = ENGINE.view(fight.state, None)["sides"]
    fight.take(ENGINE.act(fight.state, "correct", {"side": "A", "changes": changes, "reason": "miscounted"}))
    after = ENGINE.view(fight.state, None)["sides"]
    assert after["A"] != before["A"]
    assert {**after["B"], "victory_points": 0} == {**before["B"], "victory_points": 0}
    replayed = None
    for event in fight.events:
        replayed = ENGINE.evolve(replayed, event)
    assert replayed == fight.state
    assert "miscounted" in ENGINE.describe(fight.events[-1], "es")


REFUSED = [
    ("correct", {"side": "A", "changes": {"armor": {"CT": [99, 0]}}, "reason": "x"}, "/changes/armor"),
    ("correct", {"side": "A", "changes": {"structure": {"CT": 0}}, "reason": "x"}, "/changes/structure"),
    ("correct", {"side": "A", "changes": {"hex": "9999"}, "reason": "x"}, "/changes/hex"),
    ("correct", {"side": "A", "changes": {"gunnery": 0}, "reason": "x"}, "/changes/gunnery"),
    ("correct", {"side": "A", "changes": {"heat": True}, "reason": "x"}, "/changes/heat"),
    ("correct", {"side": "A", "changes": {}, "reason": "x"}, "/changes"),
    ("correct", {"side": "A", "changes": {"heat": 1}, "reason": ""}, "/reason"),
    ("correct", {"side": "Z", "changes": {"heat": 1}, "reason": "x"}, "/side"),
    ("yield", {"side": "Z", "how": "flight"}, "/side"),
    ("yield", {"side": "A", "how": "sulk"}, "/how"),
    ("lengthen", {"turns": 9}, "/turns"),
    ("lengthen", {"turns": "9"}, "/turns"),
    ("dance", {}, "/name"),
]


@pytest.mark.parametrize(("name", "data", "pointer"), REFUSED)
def test_what_is_not_allowed_is_refused_with_its_place(name, data, pointer):
    state = begin(ENGINE, setup(), bytes(32)).state
    with pytest.raises(OrdersInvalid) as refused:
        ENGINE.act(state, name, data)
    assert refused.value.violations[0].pointer == pointer


@pytest.mark.parametrize(
    ("kind", "asleep", "asked"),
    [
        ("fire", "A", {"B"}),
        ("movement", "A", {"B"}),
        ("movement", "AB", {"A", "B"}),
        ("fire_and_movement", "A", {"A", "B"}),
        ("movement", "", {"A", "B"}),
    ],
)
def test_an_unconscious_side_with_nothing_to_order_is_not_asked(kind, asleep, asked):
    """DL3: who is asked is one question with one answer; `decide` still waits for everybody's orders."""
    fight = begin(ENGINE, setup(), bytes(32))
    stand_still(fight, 2)
    units = {side: replace(unit, conscious=side not in asleep) for side, unit in fight.state.units.items()}
    state = replace(fight.state, units=units, wanted=ev.Asking(1, kind))
    assert {side for side in "AB" if ENGINE.request(state, side)} == asked
    assert ENGINE.waiting_for(state) == {"A", "B"}
