"""The API as a process: `python -m solaris_league api` under a flood of logins, and how it stops."""

import asyncio
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import httpx
import pytest

PASSWORD = "correct horse battery"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def log_file(tmp_path):
    return tmp_path / "api.log"


@pytest.fixture
def failpoints():
    return ""


@pytest.fixture
def rate_scale():
    return 1


@pytest.fixture
async def api(settings, worker, failpoints, rate_scale, log_file):
    port = free_port()
    environment = {
        **os.environ,
        "SOLARIS_DATABASE_URL": settings.database_url,
        "SOLARIS_SIGNING_KEY_FILE": str(settings.signing_key_file),
        "SOLARIS_JWKS_FILE": str(settings.jwks_file),
        "SOLARIS_CURSOR_KEY": "k" * 32,
        "SOLARIS_HTTP_PORT": str(port),
        "SOLARIS_FAILPOINTS": failpoints,
        "SOLARIS_RATE_SCALE": str(rate_scale),
    }
    with log_file.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "solaris_league", "api", env=environment, stdout=log
        )
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        for _ in range(200):
            try:
                if (await client.get("/health/ready")).status_code == 200:
                    break
            except httpx.TransportError:
                await asyncio.sleep(0.1)
        yield process, client
    if process.returncode is None:
        process.terminate()
    await process.wait()


async def post(client, path, body, key="k"):
    return await client.post(path, json=body, headers={"Idempotency-Key": key})


async def test_a_flood_of_logins_gets_429_while_other_routes_answer(api):
    _, client = api
    login = {"handle": "ana", "password": PASSWORD}
    assert (await post(client, "/v1/persons", login)).status_code == 201
    token = (await post(client, "/v1/sessions", login)).json()["token"]
    stop, statuses = asyncio.Event(), []

    async def flood(number):
        while not stop.is_set():
            body = {"handle": f"someone {number} {len(statuses)}", "password": "x" * 12}
            statuses.append((await post(client, "/v1/sessions", body)).status_code)

    floods = [asyncio.create_task(flood(number)) for number in range(20)]
    await asyncio.sleep(0.3)
    times = []
    for _ in range(9):
        began = time.perf_counter()
        answer = await client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200
    stop.set()
    await asyncio.gather(*floods)
    assert set(statuses) <= {401, 429} and 429 in statuses
    assert sorted(times)[4] < 3, times  # bounded, also on a machine that is busy with other things


@pytest.mark.parametrize("failpoints", ["cmd.before_commit:sleep=2"])
async def test_a_stopping_api_answers_what_is_in_flight_and_exits_with_0(api, log_file):
    process, client = api
    await asyncio.gather(*(client.get("/health/live") for _ in range(4)))
    calls = [
        asyncio.create_task(
            post(client, "/v1/persons", {"handle": f"ana {n}", "password": PASSWORD}, f"k{n}")
        )
        for n in range(4)
    ]
    await asyncio.sleep(1.5)
    process.send_signal(signal.SIGTERM)
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {201}
    assert await asyncio.wait_for(process.wait(), 20) == 0
    log = log_file.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["status"] for line in lines if line.get("path") == "/v1/persons"] == [201] * 4
    assert all(line["service"] == "league" and line["process"] == "api" for line in lines)
    assert PASSWORD not in log


CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.mark.parametrize("rate_scale", [10_000])
async def test_nothing_that_fits_the_openapi_document_makes_a_server_error(api, commission, tmp_path):
    """Schemathesis: examples, coverage and fuzzing of every route, as the Commission."""
    _, client = api
    arguments = [
        f"{client.base_url}/openapi.json", "-H", f"Authorization: Bearer {commission.token}",
        "--checks", CHECKS,
        "--seed", "7", "--max-examples", "5", "--phases", "examples,coverage,fuzzing", "--warnings", "off",
    ]  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("st")),
        "run",
        *arguments,
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
    )
    report, _ = await process.communicate()
    assert process.returncode == 0, report.decode()[-6000:]
