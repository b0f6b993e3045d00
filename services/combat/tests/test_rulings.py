"""Lengths, giving up, corrections, extensions and substitutes: who may, and what follows."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import httpx
import pytest
from hall import answer, initial, throw
from test_api import ana, bearer, ben, client, keyed, play_on, put, url  # noqa: F401

from solaris_combat.application.extension import Extension, limits, on_grid
from solaris_combat.application.rulings import agreed_turns, voters
from solaris_combat.domain.resimulation import RecordRefused
from solaris_combat.domain.verify import verify

CID, ZOE = str(UUID(int=3)), str(UUID(int=26))


@pytest.fixture
def eve(bearer):  # noqa: F811
    return bearer("eve", ("referee",))


@pytest.fixture
def sue(bearer):  # noqa: F811
    return bearer("sue", ("commission",))


async def post(client, hall, who, path, body, key=None) -> httpx.Response:  # noqa: F811
    method = "PUT" if path == "length" else "POST"
    return await client.request(method, url(hall, path), json=body, headers=keyed(who, key))


async def begin(client, hall, ana, ben):  # noqa: F811
    for who in (ana, ben):
        assert (await put(client, hall, who, initial())).status_code == 200
    await hall.settle()


async def page(client, hall, who=None):  # noqa: F811
    return (await client.get(url(hall), headers=who or {})).json()


async def test_a_length_is_the_mean_of_the_wishes_rounded_down(client, hall, ana, ben):  # noqa: F811
    """R 4.2: before the initial turn; a side alone changes nothing."""
    await hall.schedule()
    first = await post(client, hall, ana, "length", {"turns": 4})
    assert first.json() == {"wishes": {"A": 4}, "turns": 3}
    second = await post(client, hall, ben, "length", {"turns": 7})
    assert second.json()["turns"] == 5
    await hall.settle()
    shown = await page(client, hall)
    assert shown["game"]["turns"] == 5 and shown["length"] == {"wishes": {}}
    listed = (await client.get("/v1/fights")).json()["items"][0]
    assert (shown["turns"], listed["turns"]) == (5, 5), "the length in force, wherever one is shown"
    assert shown["request"] == {"turn": 0, "kind": "initial", "sides": ["A", "B"]}


async def test_the_wish_of_the_referee_counts_too(client, hall, ana, ben, eve):  # noqa: F811
    await hall.schedule(referee="eve")
    for who, turns in ((ana, 4), (ben, 7)):
        assert (await post(client, hall, who, "length", {"turns": turns})).json()["turns"] == 3
    assert (await post(client, hall, eve, "length", {"turns": 9})).json()["turns"] == 6


@pytest.mark.parametrize(("counts", "turns"), [(True, 11), (False, 10)])
def test_whether_the_referees_wish_counts_is_a_switch(counts, turns):
    """R 4.2 (9 and 12 turns wished: 10) names the players in the mean, and players and referee who agree."""
    playing = SimpleNamespace(rules={"length_votes": {"referee_counts": counts}})
    fight = SimpleNamespace(playing=playing, request=SimpleNamespace(turn=0))
    assert agreed_turns(fight, {"A": 9, "B": 12, "referee": 14}) == turns
    assert agreed_turns(fight, {"A": 9, "B": 12}) == 10


async def test_later_a_fight_is_prolonged_only_with_everybodys_consent(client, hall, ana, ben):  # noqa: F811
    """R 4.2; what was sealed for the present request still counts."""
    await hall.schedule()
    await begin(client, hall, ana, ben)
    assert (await put(client, hall, ana, throw(1))).status_code == 200
    for who, turns, lasts in ((ana, 6, 3), (ben, 5, 3), (ana, 5, 5)):
        assert (await post(client, hall, who, "length", {"turns": turns})).json()["turns"] == lasts
    shorter = await post(client, hall, ana, "length", {"turns": 4})
    assert (shorter.status_code, shorter.json()["code"]) == (422, "act-refused")
    assert (await page(client, hall, ana))["you"]["sealed"] is not None
    await play_on(client, hall, ana, ben)
    record = await client.get(url(hall, "record"))
    assert verify(record.content, hall.registry)["turns"] == 5


async def test_a_wish_for_the_mean_is_no_consent_once_the_fight_has_begun(client, hall, ana, ben):  # noqa: F811
    """R 4.2: nothing is prolonged during the fight "sin la aprobación de todos los implicados"."""
    await hall.schedule()
    assert (await post(client, hall, ana, "length", {"turns": 6})).json()["turns"] == 3
    await begin(client, hall, ana, ben)
    assert (await page(client, hall))["length"] == {"wishes": {}}
    late = await post(client, hall, ben, "length", {"turns": 6})
    assert late.json() == {"wishes": {"B": 6}, "turns": 3}
    assert (await post(client, hall, ana, "length", {"turns": 6})).json()["turns"] == 6


async def test_a_wish_for_the_mean_comes_before_the_deadline_of_the_initial_turn(client, hall, ana, ben):  # noqa: F811
    await hall.schedule(turn_seconds=5)
    assert (await post(client, hall, ana, "length", {"turns": 6})).status_code == 200
    await hall.move_clock(6)
    late = await post(client, hall, ben, "length", {"turns": 6})
    assert (late.status_code, late.json()["code"]) == (409, "phase-closed")
    await hall.settle()
    again = await post(client, hall, ben, "length", {"turns": 6})
    assert again.json() == {"wishes": {"B": 6}, "turns": 3}


async def test_one_more_turn_and_none_is_no_longer_fight(client, hall, ana, ben):  # noqa: F811
    """The mean of 3 and 4 is 3 (R 4.2: of 8 and 9 it is 8); later either alone is no consent of all."""
    await hall.schedule()
    for who, turns in ((ana, 4), (ben, 3)):
        assert (await post(client, hall, who, "length", {"turns": turns})).json()["turns"] == 3
    await begin(client, hall, ana, ben)
    for who, turns in ((ana, 4), (ben, 3)):
        assert (await post(client, hall, who, "length", {"turns": turns})).json()["turns"] == 3
    assert (await page(client, hall))["game"]["turns"] == 3
    assert (await post(client, hall, ben, "length", {"turns": 4})).json()["turns"] == 4


@pytest.mark.parametrize("counts", [True, False])
def test_once_it_goes_on_no_fight_is_prolonged_without_its_referee(counts):
    playing = SimpleNamespace(rules={"length_votes": {"referee_counts": counts}})
    terms = SimpleNamespace(sides=("A", "B"), referee="eve")
    fight = SimpleNamespace(playing=playing, terms=terms, request=SimpleNamespace(turn=0))
    assert voters(fight) == {"A", "B", *(["referee"] if counts else [])}
    fight.request.turn = 3
    assert voters(fight) == {"A", "B", "referee"}
    assert agreed_turns(fight, {"A": 10, "B": 10, "referee": 9}) is None
    assert agreed_turns(fight, {"A": 10, "B": 10, "referee": 10}) == 10


async def test_a_substitute_has_wished_nothing_yet(client, hall, ana, ben, sue, bearer):  # noqa: F811
    await hall.schedule()
    await begin(client, hall, ana, ben)
    assert (await post(client, hall, ben, "length", {"turns": 5})).json()["turns"] == 3
    body = {"side": "B", "person_id": CID, "reason": "no answers"}
    assert (await post(client, hall, sue, "substitutions", body)).status_code == 200
    assert (await post(client, hall, ana, "length", {"turns": 5})).json()["turns"] == 3
    assert (await post(client, hall, bearer(CID), "length", {"turns": 5})).json()["turns"] == 5


async def test_a_side_gives_up_at_once(client, hall, ana, ben, eve):  # noqa: F811
    """The rival wins outright (solaris7-tables 1.7); the record proves it."""
    await hall.schedule()
    await begin(client, hall, ana, ben)
    assert (await post(client, hall, eve, "yield", {"how": "surrender"})).status_code == 403
    assert (await post(client, hall, ben, "yield", {"how": "sulk"})).status_code == 422
    assert (await post(client, hall, ben, "yield", {"how": "surrender"})).json()["side"] == "B"
    await hall.settle()
    shown = await page(client, hall)
    assert shown["state"] == "concluded"
    assert {side["side"]: side["result"] for side in shown["result"]["sides"]} == {"A": "win", "B": "loss"}
    record = (await client.get(url(hall, "record"))).content
    assert verify(record, hall.registry)
    forged = record.replace(b'"side":"B"},"line":"act"', b'"side":"A"},"line":"act"')
    assert forged != record
    with pytest.raises(RecordRefused):
        verify(forged, hall.registry)
    late = await post(client, hall, ana, "yield", {"how": "flight"})
    assert (late.status_code, late.json()["code"]) == (409, "fight-over")


CORRECTION = {"side": "B", "changes": {"breath": 3}, "reason": "a breath was counted twice"}


async def test_a_correction_is_an_event_with_a_reason(client, hall, ana, ben, eve):  # noqa: F811
    """GM1: it is still there after a restart and a replay; everybody is asked anew, whoever had sealed."""
    await hall.schedule(referee="eve")
    await begin(client, hall, ana, ben)
    assert (await put(client, hall, ana, throw(1))).status_code == 200
    assert (await post(client, hall, eve, "corrections", CORRECTION)).status_code == 200
    await hall.settle()
    assert (await page(client, hall))["game"]["breath"]["B"] == 3
    mine = await page(client, hall, ana)
    assert mine["you"]["sealed"] is None and mine["you"]["asked"] == {"turn": 1, "kind": "throw"}
    hall.referee.memory._kept.clear()
    assert (await hall.fight()).game.breath["B"] == 3
    published = [(envelope["type"], envelope["data"]) for _, envelope in await hall.outbox()]
    (told,) = [data for kind, data in published if "breath-corrected" in kind]
    assert told["reason"] == CORRECTION["reason"]
    (asked,) = [data for kind, data in published if "request-renewed" in kind]
    assert asked["reopened"] and asked["next"]["turn"] == 1
    await play_on(client, hall, ana, ben)
    record = await client.get(url(hall, "record"))
    assert verify(record.content, hall.registry)


async def test_what_others_see_of_a_correction_does_not_tell_who_had_sealed(client, hall, ana, ben, eve):  # noqa: F811
    """SEC1: the rival's page is the same bytes whether the other side had sealed before or not."""
    await hall.schedule(referee="eve")
    await begin(client, hall, ana, ben)
    before = await client.get(url(hall), headers=ben)
    assert (await put(client, hall, ana, throw(1))).status_code == 200
    assert (await client.get(url(hall), headers=ben)).content == before.content


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("corrections", CORRECTION),
        ("extensions", {"deadline": "x", "seconds": 60, "reason": "time"}),
        ("substitutions", {"side": "B", "person_id": ZOE, "reason": "silent"}),
    ],
)
async def test_nobody_rules_on_a_fight_of_his_own(client, hall, bearer, path, body):  # noqa: F811
    """DL7: a commissioner who fights in it gets conflict-of-interest; who has no right just 403."""
    await hall.schedule(referee="eve")
    both = await post(client, hall, bearer("ana", ("player", "commission", "referee")), path, body)
    assert (both.status_code, both.json()["code"]) == (403, "conflict-of-interest")
    for who in (bearer("ana"), bearer("zoe", ("referee",)), bearer("zoe", ("operator",))):
        refused = await post(client, hall, who, path, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")


async def test_six_requests_extend_a_deadline_once(client, hall, ana, ben, eve, sue):  # noqa: F811
    """DL6: one of six parallel requests counts, within the cap, onto the grid of local time."""
    await hall.schedule(referee="eve")
    deadline = (await page(client, hall))["deadline"]
    body = {"deadline": deadline, "seconds": 86400, "reason": "storm"}
    sent = [post(client, hall, who, "extensions", body) for who in (eve, sue, eve, sue, eve, sue)]
    got = await asyncio.gather(*sent)
    assert sorted(one.status_code for one in got) == [200, 409, 409, 409, 409, 409]
    await hall.settle()
    shown = (await page(client, hall))["deadline"]
    moved = datetime.fromisoformat(shown) - datetime.fromisoformat(deadline)
    assert 86400 <= moved.total_seconds() < 86400 + limits().grid_minutes * 60
    assert datetime.fromisoformat(shown).minute % limits().grid_minutes == 0
    assert sum("deadline-extended" in envelope["type"] for _, envelope in await hall.outbox()) == 1
    listed = (await client.get("/v1/fights")).json()["items"][0]
    assert listed["deadline"][:16] == shown[:16]


async def test_extensions_end_with_the_budget(client, hall, sue):  # noqa: F811
    await hall.schedule()
    for _ in range(9):
        deadline = (await page(client, hall))["deadline"]
        body = {"deadline": deadline, "seconds": 172800, "reason": "again"}
        got = await post(client, hall, sue, "extensions", body)
        if got.status_code != 200:
            break
    assert (got.status_code, got.json()["code"]) == (409, "extension-budget-spent")
    assert got.json()["left_seconds"] < 172800
    too_long = {"deadline": deadline, "seconds": limits().longest_seconds + 1, "reason": "x"}
    assert (await post(client, hall, sue, "extensions", too_long)).status_code == 422


async def test_an_extended_deadline_is_the_one_that_counts(client, hall, ana, sue):  # noqa: F811
    """CON5: strictly before the new deadline orders are taken, the old one is nothing any more."""
    await hall.schedule()
    deadline = (await page(client, hall))["deadline"]
    await post(client, hall, sue, "extensions", {"deadline": deadline, "seconds": 3600, "reason": "x"})
    await hall.move_clock(3601)
    await hall.settle()
    assert (await put(client, hall, ana, initial())).status_code == 200
    await hall.move_clock(3600 * 4)
    await hall.settle()
    assert (await page(client, hall))["request"]["turn"] == 1


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-10-25T00:30:00+00:00", "2026-10-25T02:00:00+00:00"),
        ("2026-10-24T23:30:00+00:00", "2026-10-25T01:00:00+00:00"),
        ("2026-10-25T22:59:30+00:00", "2026-10-25T23:00:00+00:00"),
        ("2027-03-28T00:59:59+00:00", "2027-03-28T01:00:00+00:00"),
        ("2027-03-28T01:00:00+00:00", "2027-03-28T01:00:00+00:00"),
    ],
)
def test_the_grid_keeps_to_the_clock_on_the_wall(moment, expected):
    """DL14: on the 25-hour and the 23-hour day too."""
    found = on_grid(datetime.fromisoformat(moment), "Europe/Madrid", 60)
    assert found == datetime.fromisoformat(expected) and found.tzinfo == UTC


async def test_a_substitute_plays_on(client, hall, ana, ben, sue, bearer):  # noqa: F811
    """DL12: what was sealed lapses; the side, its desk and its notices are the other person's."""
    await hall.schedule()
    await begin(client, hall, ana, ben)
    assert (await put(client, hall, ben, throw(1))).status_code == 200
    body = {"side": "B", "person_id": ZOE, "reason": "silent for two turns"}
    assert (await post(client, hall, sue, "substitutions", body)).status_code == 200
    await hall.settle()
    zoe = bearer(ZOE)
    assert (await put(client, hall, ben, throw(1))).status_code == 403
    assert (await page(client, hall, zoe))["you"]["sealed"] is None
    mine = (await client.get("/v1/fights?mine=true", headers=zoe)).json()["items"]
    assert [item["task"] for item in mine] == ["orders"]
    assert (await client.get("/v1/fights?mine=true", headers=ben)).json()["items"] == []
    assert (await put(client, hall, zoe, throw(1))).status_code == 200
    published = [envelope["data"] for _, envelope in await hall.outbox() if "substituted" in envelope["type"]]
    assert published[0]["reason"] == body["reason"] and published[0]["person_id"] == ZOE
    gone = await client.get(f"{url(hall)}/comments", headers=bearer("ben", ("player", "commission")))
    assert (gone.status_code, gone.json()["code"]) == (403, "conflict-of-interest")
    again = await post(client, hall, sue, "substitutions", {**body, "person_id": ZOE})
    assert (again.status_code, again.json()["code"]) == (409, "substitute-involved")
    for who in (ana, zoe):
        if (await page(client, hall, who))["you"]["question"]:
            await put(client, hall, who, answer(1))


@pytest.mark.parametrize("person", ["nobody", ZOE.upper(), ZOE + "\n", f"person/{ZOE}"])
async def test_a_substitute_is_named_by_a_persons_id(client, hall, sue, person):  # noqa: F811
    """Whether there is such a person only the league knows; a name or a typing error is refused."""
    await hall.schedule()
    refused = await post(
        client, hall, sue, "substitutions", {"side": "B", "person_id": person, "reason": "x"}
    )
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/person_id"]
    assert (await hall.fight()).persons["B"] == "ben"


def test_the_limits_of_extensions():
    """Five days for a fight, two for a deadline, onto the full hour of Madrid (extension.toml, PROPOSED)."""
    assert limits() == Extension("Europe/Madrid", 60, 5 * 86_400, 2 * 86_400)
