"""SEC6: what the dice have shown, per player, per month and for the league, with the 95 % band."""

import pytest
from test_api import ana, bearer, ben, client, play_on  # noqa: F401

from solaris_combat.api.dice_routes import histogram


async def ask(client, query=""):  # noqa: F811
    return (await client.get(f"/v1/dice/statistics{query}")).json()


async def test_every_face_is_counted_once(client, hall, ana, ben):  # noqa: F811
    await hall.schedule()
    await play_on(client, hall, ana, ben)
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
    mine, other = [await ask(client, f"?person_id={who}") for who in ("ana", "ben")]
    assert mine["faces"]["rolled"] + other["faces"]["rolled"] == len(rolled)
    month = (await hall.outbox())[0][1]["time"][:7]
    assert (await ask(client, f"?month={month}"))["faces"] == league["faces"]
    assert (await ask(client, "?month=1999-01"))["faces"]["rolled"] == 0
    assert (await client.get("/v1/dice/statistics?month=May")).status_code == 422


@pytest.mark.parametrize(
    ("rolled", "value", "band"), [(36, 7, [1, 11]), (3600, 7, [556, 644]), (3600, 2, [80, 120])]
)
def test_the_band_is_that_of_honest_dice(rolled, value, band):
    """n p -+ 1.96 sqrt(n p (1 - p)), rounded outwards."""
    rows = histogram("total", {value: rolled})["values"]
    assert next(row["band"] for row in rows if row["value"] == value) == band


def test_loaded_dice_are_outside():
    rows = histogram("face", {1: 100, 2: 100, 3: 100, 4: 100, 5: 100, 6: 200})["values"]
    assert [row["value"] for row in rows if not row["inside"]] == [6]
