"""SEC6: what the dice have shown, per player, per month and for the league, with the 95 % band."""

from dataclasses import fields
from fractions import Fraction
from math import comb
from uuid import uuid4

import pytest
from hall import scheduled
from secret_worlds import ENGINE, REGISTRY
from test_api import bearer, client, play_on  # noqa: F401

from solaris_combat.domain.honest_dice import band, histogram
from solaris_combat.engines.dice import Roll, SeededDice
from solaris_combat.projections.dice import dice_statistics, tally


async def ask(client, query=""):  # noqa: F811
    return (await client.get(f"/v1/dice/statistics{query}")).json()


async def test_every_face_is_counted_once(client, hall, bearer):  # noqa: F811
    people = [str(uuid4()), str(uuid4())]
    sides = scheduled(hall.fight_id)["sides"]
    await hall.schedule(sides=[{**side, "person_id": who} for side, who in zip(sides, people, strict=True)])
    await play_on(client, hall, *map(bearer, people))
    await hall.settle()
    rolled = [
        face
        for _, envelope in await hall.outbox()
        for roll in envelope["data"].get("rolls", [])
        for face in roll["faces"]
    ]
    league = await ask(client)
    assert league["faces"]["rolled"] == len(rolled) > 6
    counted = {row["value"]: row["count"] for row in league["faces"]["values"]}
    assert counted == {face: rolled.count(face) for face in range(1, 7)}
    mine, other = [await ask(client, f"?person_id={who}") for who in people]
    assert mine["faces"]["rolled"] + other["faces"]["rolled"] == len(rolled)
    month = (await hall.outbox())[0][1]["time"][:7]
    assert (await ask(client, f"?month={month}"))["faces"] == league["faces"]
    assert (await ask(client, "?month=1999-01"))["faces"]["rolled"] == 0


@pytest.mark.parametrize(
    "query", ["month=May", "month=2026-13", "month=2026-00", "month=2026-1", "person_id=x", "person_id="]
)
async def test_what_is_no_month_or_no_person_is_refused(client, query):  # noqa: F811
    refused = await client.get(f"/v1/dice/statistics?{query}")
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json()["errors"]] == [f"/query/{query.partition('=')[0]}"]


def shown(rolls, kind):
    """The table of these rolls, by the functions that the projection and the route use."""
    counted = tally(rolls)
    return histogram(kind, {value: count for (which, value), count in counted.items() if which == kind})


def rolled(seed, number):
    dice = SeededDice(seed.to_bytes(32, "big"))
    return [dice.roll(2, 6, "to-hit") for _ in range(number)]


def loaded(rolls, every):
    """Every so many rolls the first die that shows a 1 is turned to a 6."""
    return [
        Roll(one.purpose, 6, tuple(6 if face == 1 and at % every == 0 else face for face in one.faces))
        for at, one in enumerate(rolls)
    ]


def test_honest_dice_are_flagged_at_most_once_in_twenty_tables():
    """Counted over 200 seeds, for each of the two tables; a big sample of one seed stays inside."""
    for kind in ("face", "total"):
        flagged = sum(bool(shown(rolled(seed, 150), kind)["outside"]) for seed in range(200))
        assert 0 < flagged <= 10, kind
        assert shown(rolled(7, 10_000), kind)["outside"] == []


def test_loaded_dice_are_flagged():
    """A third of the ones turned to sixes shows in 500 rolls; a tenth needs more, and then shows too."""
    few, many = rolled(3, 500), rolled(3, 10_000)
    assert shown(few, "face")["outside"] == [] == shown(many, "face")["outside"]
    assert shown(loaded(few, 3), "face")["outside"] == [1, 6]
    assert {2, 12} <= set(shown(loaded(few, 1), "total")["outside"])
    assert shown(loaded(many, 10), "face")["outside"] == [1, 6]


@pytest.mark.parametrize(("tries", "chance"), [(0, 6), (1, 1), (36, 6), (90, 1), (300, 5), (700, 6)])
def test_the_band_is_exact(tries, chance):
    """By sums of whole numbers: no end is passed more often than it may be, and none could be nearer."""
    error = 0.05 / 11
    least, most = band(tries, chance / 36, error)
    weight = [comb(tries, k) * chance**k * (36 - chance) ** (tries - k) for k in range(tries + 1)]
    allowed = Fraction(error) / 2 * 36**tries
    assert sum(weight[:least]) <= allowed < sum(weight[: least + 1])
    assert sum(weight[most + 1 :]) <= allowed < sum(weight[most:])


def test_the_band_of_many_dice_is_that_of_the_bell_curve():
    """A million: n p -+ 2.64 standard deviations (5 % over six faces, half on either side)."""
    least, most = band(1_000_000, 1 / 6, 0.05 / 6)
    assert abs(least - (166_667 - 2.638 * 372.7)) < 2 and abs(most - (166_667 + 2.638 * 372.7)) < 2


def test_a_table_says_what_is_expected_and_how_many_values_are_compared():
    table = histogram("total", {7: 30, 2: 6})
    assert (table["rolled"], table["percent"], table["compared"]) == (36, 95, 11)
    seven = next(row for row in table["values"] if row["value"] == 7)
    assert seven == {"value": 7, "count": 30, "expected": 6.0, "band": [1, 13], "inside": False}
    assert table["outside"] == [2, 7]
    assert histogram("face", {})["outside"] == []


def test_rolls_that_stay_secret_are_never_counted():
    """What lies hidden in an arena is rolled for too: those events are not read, now or later."""
    read = dice_statistics(REGISTRY).handles
    rolling = {
        name for name, event in ENGINE.event_types.items() if "rolls" in {f.name for f in fields(event)}
    }
    secret = rolling - ENGINE.publish_names.keys()
    assert {"traps-hidden", "mines-laid", "trap-rolled", "mines-tested"} <= secret
    assert read == {"fight-opened", "side-substituted"} | (rolling - secret)
