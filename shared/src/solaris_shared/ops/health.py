"""Liveness says the process runs, readiness that its database answers: the API works while NATS or the
worker is down."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from solaris_shared.database import is_transient
from solaris_shared.http.problems import on_http_error, problem
from solaris_shared.ops.metrics import exposition

READY_SECONDS = 2.0
Probe = Callable[[], Awaitable[None]]


def health_routes(probe: Probe, registry: CollectorRegistry) -> list[BaseRoute]:
    """/health/live, /health/ready and /metrics. `probe` raises what the database raises while it is away."""

    async def live(_request: Request) -> Response:
        return JSONResponse({"status": "live"})

    async def ready(request: Request) -> Response:
        try:
            await asyncio.wait_for(probe(), READY_SECONDS)
        except (OSError, TimeoutError, RuntimeError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            code = "database-unavailable" if is_transient(error) else "not-ready"
            return problem(request, 503, code, headers={"Retry-After": "2"})
        return JSONResponse({"status": "ready"})

    async def metrics(request: Request) -> Response:
        return exposition(registry, request)

    return [
        Route("/health/live", live, methods=["GET"]),
        Route("/health/ready", ready, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
    ]


def side_app(probe: Probe, registry: CollectorRegistry) -> Starlette:
    """What a worker serves on its own small port."""
    return Starlette(routes=health_routes(probe, registry), exception_handlers={HTTPException: on_http_error})
