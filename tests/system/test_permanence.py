"""From Class 3 to Class 5 over REST only: fights for permanence, won by who stays, or level to turn 14."""

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from test_challenge_to_result import PASSWORD, Person, Town, enter, open_town

from solaris_combat.domain.verify import verify
from solaris_combat.rulesets import rulesets
from solaris_league import bootstrap
from solaris_league.adapters.tables import load_rules
from solaris_league.main import definition as league_definition

POOL = [{"instance_id": str(uuid4()), "model": model} for model in ("PNT-9R", "JVN-10N", "COM-2D", "JR7-D")]
TERMS = {"arenas": ["la-cantera"], "pool": POOL, "turn_seconds": 3600}
STILL = {
    "initial": "turno 0; nonce " + "7" * 64,
    "movement": "turno {turn}; quieto",
    "fire_and_movement": "turno {turn}; no disparar; quieto",
    "fire": "turno {turn}; no disparar",
}
"""Orders of somebody who does nothing."""


@pytest.fixture
async def town(databases: Any, nats_server: Any, tmp_path: Any) -> AsyncIterator[Town]:
    async with open_town(databases, nats_server, tmp_path, load_rules()) as one:
        yield one


async def commission_of(town: Town) -> Person:
    url = str(town.league.runtime.settings.database_url)
    await bootstrap.first_account(url, league_definition().log, "comisión", PASSWORD)
    account = {"handle": "comisión", "password": PASSWORD}
    return Person(town, (await Person(town).call(town.league, "POST", "/v1/sessions", account))["token"])


async def draw(commission: Person, class_: int) -> None:
    league = commission.town.league
    opened = await commission.call(league, "POST", "/v1/rounds", TERMS | {"class": class_})
    await commission.call(league, "POST", f"/v1/rounds/{opened['round_id']}/draw")


async def call(commission: Person, class_: int, defender: str, challenger: str) -> str:
    body = TERMS | {"class": class_, "defender": defender, "challenger": challenger}
    called = await commission.call(commission.town.league, "POST", "/v1/permanence-fights", body)
    return f"/v1/fights/{called['fight_id']}"


async def stand_still(town: Town, fight: str, *sides: Person) -> dict[str, Any]:
    """Both send orders that do nothing until the fight is over; the page of its end."""
    for _ in range(40):
        page = await sides[0].call(town.combat, "GET", fight)
        if page["state"] != "open":
            return page
        text = STILL[page["request"]["kind"]].format(turn=page["request"]["turn"])
        for one in sides:
            await one.call(town.combat, "PUT", f"{fight}/orders", text, **{"Content-Type": "text/plain"})
    raise AssertionError("the fight does not end")


async def classes(town: Town, *ids: str) -> list[int]:
    return [(await Person(town).call(town.league, "GET", f"/v1/mechwarriors/{one}"))["class"] for one in ids]


async def test_up_by_permanence_and_down_again_when_both_stay_level(town: Town) -> None:
    """R 3, R 4.3: overtime 2 by 2 to turn 14; who is level then goes down, and nobody goes up."""
    commission = await commission_of(town)
    (ana, ana_id), (ben, ben_id), (cid, cid_id), (dee, dee_id) = [
        await enter(town, name) for name in ("ana", "ben", "cid", "dee")
    ]
    await draw(commission, 3)
    for winner, loser, giving_up in ((ana_id, ben_id, ben), (cid_id, dee_id, dee)):
        fight = await call(commission, 4, winner, loser)
        await giving_up.call(town.combat, "POST", f"{fight}/yield", {"how": "surrender"})
    assert await classes(town, ana_id, ben_id, cid_id, dee_id) == [4, 3, 4, 3]
    await draw(commission, 4)
    place = await call(commission, 5, ana_id, cid_id)
    asked = await ana.call(town.combat, "GET", place)
    assert (asked["class"], asked["kind"], asked["request"]["kind"]) == (5, "permanence", "initial")
    await cid.call(town.combat, "POST", f"{place}/yield", {"how": "flight"})
    assert await classes(town, ana_id, cid_id) == [5, 4]

    fight = await call(commission, 4, cid_id, ben_id)
    end = await stand_still(town, fight, cid, ben)
    assert end["result"]["turns"] == 14
    assert {side["result"] for side in end["result"]["sides"]} == {"draw"}
    record = await ana.call(town.combat, "GET", f"{fight}/record")
    lines = [json.loads(line) for line in record.splitlines()]
    extra = [line["data"] for line in lines if line.get("event") == "overtime-granted"]
    assert [(one["turn"], one["to_turn"]) for one in extra] == [(8, 10), (10, 12), (12, 14)]
    assert verify(record, rulesets())["turns"] == 14
    assert await classes(town, ana_id, ben_id, cid_id, dee_id) == [5, 3, 3, 3], "level: both are below"
    shown = await Person(town).call(town.league, "GET", fight)
    assert (shown["state"], [side["result"] for side in shown["result"]]) == ("concluded", ["draw"] * 2)
    table = await Person(town).call(town.league, "GET", "/v1/standings?class=3")
    assert {row["mechwarrior_id"]: row["points"] for row in table["items"]} == {
        ben_id: 0, cid_id: 0, dee_id: 0,
    }, "no ranking points come of it (C-33)"  # fmt: skip
