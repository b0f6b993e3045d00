"""The console alone: its four services are addresses where nobody listens, or the answers a test gives."""

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from solaris_console.app import create_console

sys.path.insert(0, str(Path(__file__).parent))
from browsing import ORIGIN, settings


@pytest.fixture
async def console() -> AsyncIterator[Starlette]:
    app = create_console(settings())
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def browse(console: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(console, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def answers(console: Starlette) -> Callable[[dict[str, Any]], None]:
    """Let the four APIs answer these documents by path; anything else is unknown to them."""

    def give(documents: dict[str, Any]) -> None:
        def answer(request: httpx.Request) -> httpx.Response:
            known = documents.get(request.url.path)
            if isinstance(known, httpx.Response):
                return known
            problem = {"code": "not-found", "title": "x"}
            return httpx.Response(404, json=problem) if known is None else httpx.Response(200, json=known)

        console.state.office.apis.http = httpx.AsyncClient(transport=httpx.MockTransport(answer))

    return give
