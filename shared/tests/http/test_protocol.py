"""What the wire itself refuses: heads and bodies that are too long or do not end, what is no HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI, Request

from solaris_shared.http import middleware, protocol
from solaris_shared.http.middleware import Ring
from solaris_shared.http.problems import TITLES, install
from solaris_shared.http.server import SideServer, make_server
from solaris_shared.ops.health import side_app
from solaris_shared.ops.metrics import CollectorRegistry, HttpMetrics

POST = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


async def serve(app) -> AsyncIterator[int]:
    server = make_server(app, "127.0.0.1", 0, SideServer)
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


@pytest.fixture
async def port() -> AsyncIterator[int]:
    app = FastAPI()
    install(app)
    app.add_middleware(Ring, metrics=HttpMetrics(CollectorRegistry()))

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, int]:
        return {"length": len(await request.body())}

    async for number in serve(app):
        yield number


async def talk(port: int, data: bytes, more: bytes = b"") -> tuple[int, dict[str, str], dict]:
    """Send, read one answer and see the connection end where it says so."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    await asyncio.sleep(0)
    writer.write(more)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)).decode().lower()
    headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    body = json.loads(await reader.readexactly(int(headers["content-length"])))
    if headers.get("connection") == "close":
        assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    return int(head.split()[1]), headers, body


def refused(answer, status: int, code: str) -> None:
    got, headers, body = answer
    wire = headers["content-language"] == "es, en"
    assert body["title"] == (" / ".join(TITLES[status]) if wire else TITLES[status][0])
    assert wire or code == "too-slow", "below the application nobody knows who asks"
    assert (got, body["status"], body["code"]) == (status, status, code)
    assert (headers["content-type"], headers["connection"]) == ("application/problem+json", "close")
    assert body["instance"] == headers["x-correlation-id"]


async def test_a_request_within_the_bounds_is_answered_and_the_connection_goes_on(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(3):
        writer.write(POST + b"X-Long: " + b"a" * 9000 + b"\r\nContent-Length: 2\r\n\r\n[]")
        assert (await reader.readuntil(b"}")).endswith(b'{"length":2}')
    writer.close()


async def test_a_head_that_is_too_long_is_refused_in_one_piece_and_in_many(port):
    refused(await talk(port, POST + b"X: " + b"a" * 20_000 + b"\r\n\r\n"), 431, "head-too-large")
    refused(await talk(port, POST + b"X: " + b"a" * 10_000, b"b" * 10_000), 431, "head-too-large")
    many = b"".join(b"X-%d: y\r\n" % number for number in range(2000))
    refused(await talk(port, POST + many + b"\r\n"), 431, "head-too-large")


async def test_what_is_no_http_is_a_problem_too(port):
    refused(await talk(port, b"\x16\x03\x01 hello\r\n\r\n"), 400, "not-http")


async def test_the_second_request_of_a_connection_gets_its_refusal_too(port):
    """A head with a control character behind an answered request: a problem, not a silent end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(POST + b"Content-Length: 2\r\n\r\n{}")
    await reader.readuntil(b'{"length":2}')
    writer.write(POST + b"Idempotency-Key: \x01\r\nContent-Length: 2\r\n\r\n{}")
    said = (await asyncio.wait_for(reader.read(), 20)).decode()
    assert said.startswith("HTTP/1.1 400 ") and "not-http" in said
    writer.close()


async def test_a_head_that_does_not_end_is_given_up(port, monkeypatch):
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    refused(await talk(port, POST), 408, "too-slow")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert await asyncio.wait_for(reader.read(), 20) == b"", "whoever says nothing is told nothing"
    writer.close()


async def test_a_body_that_does_not_end_is_given_up(port, monkeypatch):
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.3)
    refused(await talk(port, POST + b"Content-Length: 10\r\n\r\n[1,"), 408, "too-slow")


async def test_a_full_server_says_so(port, monkeypatch):
    monkeypatch.setattr(protocol, "MAX_CONCURRENT", 0)
    refused(await talk(port, POST + b"Content-Length: 2\r\n\r\n[]"), 503, "too-busy")


async def test_the_workers_port_answers_problems_too():
    async def well() -> None: ...

    async for number in serve(side_app(well, CollectorRegistry())):
        for request, status, code in (
            (b"POST /health/live", 405, "method-not-allowed"),
            (b"GET /nothing", 404, "not-found"),
        ):
            got, headers, body = await talk(number, request + b" HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (got, body["code"], headers["content-type"]) == (status, code, "application/problem+json")
