"""IO7: an exported championship, taken into an empty league, gives equal standings."""

import asyncio
import hashlib
import json
import os
import sys
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx
import pytest

from solaris_league import bootstrap
from solaris_league.adapters.tables import load_rules
from solaris_league.application import championship
from solaris_league.domain.championship import ChampionshipDamaged
from solaris_league.main import MIGRATIONS, definition
from solaris_shared.database import open_engine, open_pool
from solaris_shared.errors import Rejected
from solaris_shared.http.app import create_app
from solaris_shared.log.unit_of_work import Store
from solaris_shared.views import Views
from solaris_shared.worker import Runtime, log_loops

NAMES = ("Íñigo O'Núñez | 'El Rápido'", "Bea 🤖", '"Comillas"', "d'Artagnan; DROP TABLE")
POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(6)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
CALL = {"class": 4, "arenas": ["cantera"], "pool": POOL, "turn_seconds": 3600}
COLUMNS = ("rank", "mechwarrior_id", "name", "points", "fights", "wins", "draws", "losses")


@pytest.fixture
async def fighters(worker, person):
    people = []
    for number, name in enumerate(NAMES):
        one = await person(f"player {number}")
        entered = await one.post("/v1/mechwarriors", {"name": name, "affiliation": "St. Ives"})
        assert entered.status_code == 201, entered.text
        people.append(one)
    return people


@pytest.fixture
def begin(commission, anybody):
    """Draw the next round; its fights."""

    async def draw():
        opened = (await commission.post("/v1/rounds", TERMS)).json()
        await commission.post(f"/v1/rounds/{opened['round_id']}/draw")
        anybody.last = commission.last
        return (await anybody.get(f"/v1/fights?round_id={opened['round_id']}")).json()["items"]

    return draw


@pytest.fixture
async def season(fighters, commission, anybody, begin, conclude, eventually):
    """Two rounds, of which one hurt somebody, a fight for permanence, and a round that was called off."""
    for results in ((("win", "loss"), ("draw", "draw")), (("loss", "win"), ("loss", "win"))):
        fights = await begin()
        last = fights[0]["round"] == 2
        for fight, result in zip(fights, results, strict=True):
            await conclude(fight, result, (31, 4), dead=(last and fight is fights[1], False))
        path = f"/v1/rounds/{fights[0]['round_id']}"
        await eventually(lambda path=path: anybody.get(path), lambda got: got.json()["state"] == "closed")
    first, second = (side["mechwarrior_id"] for side in fights[0]["sides"])
    called = await commission.post("/v1/permanence-fights", {**CALL, "defender": first, "challenger": second})
    assert called.status_code == 201, called.text
    anybody.last = commission.last
    fight = (await anybody.get(f"/v1/fights/{called.json()['fight_id']}")).json()
    await conclude(fight, ("win", "loss"), (20, 3))
    path = f"/v1/mechwarriors/{first}"
    await eventually(lambda: anybody.get(path), lambda got: got.json()["class"] == 4)
    off = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    assert (await commission.post(f"/v1/rounds/{off}/void", {"reason": "llueve ☔"})).status_code == 200
    anybody.last = commission.last
    return anybody


async def exported(anybody):
    answer = await anybody.get("/v1/championship")
    assert answer.status_code == 200, answer.text
    return answer.content


@pytest.fixture
async def elsewhere(databases):
    """Another league's database, empty."""
    url = await databases.create(MIGRATIONS)
    yield url
    await databases.drop(url)


async def taken_in(url, data):
    facts = championship.read(data, load_rules())
    passwords = dict.fromkeys(championship.people(facts), "a first password")
    return await bootstrap.take_in(url, definition().log, load_rules(), facts, passwords)


async def file_of(url):
    pool = await open_pool(url, 2, "test")
    try:
        return await championship.export(Store(pool, definition().log), load_rules())
    finally:
        await pool.close()


def lines_of(data):
    return [json.loads(line) for line in data.splitlines()]


def table(lines, class_):
    """Rows of a class as the API shows them."""
    rows = [line for line in lines if line["line"] == "standing" and line["class"] == class_]
    return [tuple(row[name] for name in COLUMNS) for row in rows]


async def shown(anybody, class_):
    rows = (await anybody.get(f"/v1/standings?class={class_}")).json()["items"]
    return [tuple(row[name] for name in COLUMNS) for row in rows]


@asynccontextmanager
async def league_at(url, settings, player):
    """The API of another league, its worker's loops beside it."""
    changed, made = settings.model_copy(update={"database_url": url}), definition()
    pool, engine = await open_pool(url), open_engine(url)
    runtime = Runtime(made, changed, Store(pool, made.log), engine, Views(engine, made.projections))
    tasks = [asyncio.create_task(loop.run()) for loop in log_loops(runtime)]
    app = create_app(made, changed)
    done = "SELECT bool_and(stage = 'live' AND checkpoint = (SELECT position FROM head)) FROM projection"
    while not await pool.fetchval(done):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    try:
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://there") as client:
                yield player(client), pool
    finally:
        runtime.signals.stop()
        await asyncio.gather(*tasks)
        await engine.dispose()
        await pool.close()


def resealed(lines):
    body = b"".join(map(championship.canonical, lines))
    return body + championship.canonical({"line": "digest", "sha256": hashlib.sha256(body).hexdigest()})


def first(lines, type_):
    return next(line for line in lines if line.get("type") == type_)


def of_the_first(lines):
    """A fight of the leader of Class 3."""
    leader = table(lines, 3)[0][1]
    return next(one for one in lines if one.get("type") == "fight-recorded" and one["id"] == leader)


def data_of(lines, type_):
    return first(lines, type_)["data"]


def entered(lines, place, **changes):
    [line for line in lines if line.get("type") == "mechwarrior-entered"][place]["data"].update(changes)


def terms(lines, **changes):
    data_of(lines, "round-opened")["terms"].update(changes)


def swapped(lines):
    """Two of the draw change their seats."""
    one, other = data_of(lines, "lot-drawn")["pairings"]
    one["a"], other["a"] = other["a"], one["a"]


FORGERIES = {
    "with these points": lambda lines: of_the_first(lines)["data"].update(points=7),
    "come to": lambda lines: lines[-2].update(points=99),
    "no fact": lambda lines: first(lines, "lot-drawn").update(type="person-registered"),
    "fight-recorded version": lambda lines: first(lines, "fight-recorded")["data"].update(points="3"),
    "version 9": lambda lines: first(lines, "mechwarrior-entered").update(version=9),
    "of another": lambda lines: first(lines, "fight-recorded").update(id=first(lines, "round-opened")["id"]),
    "out of its order": lambda lines: lines.remove(first(lines, "mechwarrior-entered")),
    "is not over": lambda lines: lines.remove(first(lines, "round-closed")),
    "not in here": lambda lines: first(lines, "fight-recorded")["data"].update(opponent_id="nobody"),
    "Class 9 is not played": lambda lines: terms(lines, class_=9),
    "not a championship": lambda lines: lines[0].update(format="s7c/2"),
    "line 2": lambda lines: lines.insert(1, {"line": "joke"}),
    "no fact of a mechwarrior": lambda lines: first(lines, "mechwarrior-entered").update(id="no uuid"),
}
UNWRITTEN = {
    "gunnery, piloting": lambda lines: entered(lines, 0, gunnery=-9),
    "piloting or class": lambda lines: entered(lines, 1, piloting=-1),
    "or class of a newcomer": lambda lines: entered(lines, 1, gunnery=10**15),
    "affiliation-unknown": lambda lines: entered(lines, 0, affiliation="Borg"),
    "a person with the id 'x'": lambda lines: entered(lines, 0, person_id="x"),
    "of one person": lambda lines: entered(
        lines, 1, person_id=data_of(lines, "mechwarrior-entered")["person_id"]
    ),
    "whose callsigns look alike": lambda lines: entered(lines, 0, name="Веа 🤖"),
    "of one callsign": lambda lines: entered(lines, 0, name="BÉA 🤖"),
    "dos alfabetos": lambda lines: entered(lines, 0, name="Lоba"),
    "name-not-allowed": lambda lines: entered(lines, 0, name="a\u202eb"),
    "fight-length-fixed": lambda lines: terms(lines, turns=-1),
    "From 1 to": lambda lines: terms(lines, turn_seconds=0),
    "mech-lent-twice": lambda lines: terms(lines, pool=POOL[:1] * 2),
    "a lot committed": lambda lines: data_of(lines, "round-opened").update(seed_commitment="0" * 63),
    "not the committed one": lambda lines: [
        data_of(lines, name).update(seed="ab" * 32) for name in ("lot-seeded", "lot-drawn")
    ],
    "not that of the round": lambda lines: data_of(lines, "lot-drawn").update(seed="ab" * 32),
    "draws something else": swapped,
    "fights with these ids": lambda lines: data_of(lines, "lot-drawn").update(fight_ids=["x", "y"]),
    "with this result": lambda lines: of_the_first(lines)["data"].update(result="glory"),
    "brings no such thing": lambda lines: data_of(lines, "skill-improved").update(gunnery=-1),
    "another row": lambda lines: data_of(lines, "injuries-rolled").update(gunnery=-3),
    "the dice": lambda lines: data_of(lines, "injuries-rolled").update(faces=[7, 0]),
    "between these classes": lambda lines: data_of(lines, "promoted").update(to_class=5),
}


def check_that_facts_no_league_could_have_written_are_refused(data):
    """In one line with its place in the file, though the digest was made anew."""
    for said, change in UNWRITTEN.items():
        before, lines = lines_of(data)[:-1], lines_of(data)[:-1]
        change(lines)
        with pytest.raises(ChampionshipDamaged) as refused:
            championship.read(resealed(lines), load_rules())
        told = str(refused.value)
        changed = [
            place for place, pair in enumerate(zip(before, lines, strict=True), 1) if pair[0] != pair[1]
        ]
        assert said in told and "\n" not in told, (said, told)
        place = int(told.partition(":")[0].removeprefix("line "))
        assert place >= changed[0] and (place == changed[0] or "two mechwarriors" in told), (said, told)


def check_that_damaged_and_forged_files_are_refused(data):
    """In one line each, also where the digest was made anew; every changed byte and every cut is noticed."""
    for said, change in FORGERIES.items():
        lines = lines_of(data)[:-1]
        change(lines)
        with pytest.raises(ChampionshipDamaged) as refused:
            championship.read(resealed(lines), load_rules())
        told = str(refused.value)
        assert said in told and "\n" not in told, (said, told)
    for place in range(0, len(data), 173):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        for other in (changed, data[:place], data + data[place : place + 1]):
            with pytest.raises(ChampionshipDamaged):
                championship.read(other, load_rules())


async def test_a_championship_comes_to_the_same_standings_in_another_league(season, elsewhere):
    """Names with ñ, quotes and emoji; the file of the new league is the same bytes."""
    data = await exported(season)
    lines = lines_of(data)
    assert {row[2] for row in table(lines, 3) + table(lines, 4)} == set(NAMES)
    for class_ in (3, 4):
        assert table(lines, class_) == await shown(season, class_)
    assert {"injuries-rolled", "promoted", "round-voided"} <= {line.get("type") for line in lines}
    assert table(lines, 3)[0][3] >= 3
    told = await taken_in(elsewhere, data)
    assert told == {"mechwarriors": 4, "rounds": 3, "facts": sum(one["line"] == "fact" for one in lines)}
    assert await file_of(elsewhere) == data
    check_that_damaged_and_forged_files_are_refused(data)
    check_that_facts_no_league_could_have_written_are_refused(data)


async def test_the_new_league_goes_on(season, elsewhere, settings):
    """Over REST: standings and explanations are equal, people log in, the next round follows, and no fight
    is fought again."""
    await taken_in(elsewhere, await exported(season))
    async with league_at(elsewhere, settings, type(season)) as (there, pool):
        assert len(await shown(there, 4)) == 1
        for class_ in (3, 4):
            assert await shown(there, class_) == await shown(season, class_)
        for row in (await season.get("/v1/standings?class=3")).json()["items"]:
            for path in (row["explanation"], f"/v1/mechwarriors/{row['mechwarrior_id']}"):
                assert (await there.get(path)).json() == (await season.get(path)).json()
        body = {"handle": NAMES[0], "password": "a first password"}
        assert (await there.post("/v1/sessions", body)).status_code == 201
        await bootstrap.first_account(elsewhere, definition().log, "comisión", "correct horse battery")
        body = {"handle": "comisión", "password": "correct horse battery"}
        there.token = (await there.post("/v1/sessions", body)).json()["token"]
        assert (await there.post("/v1/rounds", TERMS)).json()["number"] == 4
        assert await pool.fetchval("SELECT count(*) FROM event WHERE type = 'fight-scheduled'") == 0
        assert await pool.fetchval("SELECT count(callsign_shape) FROM roster") == 4


async def test_what_a_fight_of_an_open_round_has_brought_is_not_in_the_file(
    fighters,
    anybody,
    begin,
    conclude,
    eventually,
):
    first, _ = await begin()
    await conclude(first, ("win", "loss"), (31, 4))
    await eventually(lambda: shown(anybody, 3), lambda rows: rows[0][3] == 3)
    lines = lines_of(await exported(anybody))
    assert [line["type"] for line in lines if line["line"] == "fact"] == ["mechwarrior-entered"] * 4
    assert [row[3] for row in table(lines, 3)] == [0] * 4


async def test_the_command_takes_a_file_into_an_empty_league_and_a_refusal_leaves_nothing(
    season, commission, elsewhere, tmp_path
):
    data = await exported(season)
    opened = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    assert await exported(season) == data, "a round that is going on is not in the file, nor its lot"
    assert (await commission.post(f"/v1/rounds/{opened}/draw")).status_code == 200
    assert await exported(season) == data
    file, out = tmp_path / "liga.s7c", tmp_path / "passwords.json"
    file.write_bytes(data[:-9])
    environment = {**os.environ, "SOLARIS_DATABASE_URL": elsewhere}
    command = (sys.executable, "-m", "solaris_league", "import", str(file), "--passwords", str(out))

    async def run():
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=pipe, stderr=pipe)
        told, wrong = await process.communicate()
        return process.returncode, told.decode(), wrong.decode()

    status, told, wrong = await run()
    assert (status, told, wrong.count("\n")) == (1, "", 1) and "cut off or changed" in wrong
    assert not out.exists()
    file.write_bytes(data)
    await bootstrap.first_account(elsewhere, definition().log, "comisión", "correct horse battery")
    status, told, wrong = await run()
    assert (status, wrong) == (0, "") and json.loads(told)["mechwarriors"] == 4
    assert set(json.loads(out.read_text())) == set(NAMES) and out.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Rejected, match="league-not-empty"):
        await taken_in(elsewhere, data)
