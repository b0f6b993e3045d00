"""The app factory: every service's API is built here, so that all of them refuse, limit, log and stop
alike."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI

from solaris_shared.database import open_engine, open_pool
from solaris_shared.http.context import ApiContext
from solaris_shared.http.feeds import feed_router
from solaris_shared.http.gate import gate
from solaris_shared.http.limits import Limiter, scaled
from solaris_shared.http.middleware import Ring
from solaris_shared.http.problems import MEDIA_TYPE, SCHEMA, install
from solaris_shared.http.tokens import Verifier
from solaris_shared.log.unit_of_work import Store
from solaris_shared.ops.dashboard import dashboard_router
from solaris_shared.ops.health import health_routes
from solaris_shared.ops.metrics import HttpMetrics
from solaris_shared.views import Views

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": "Problem (RFC 9457)",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in ("4XX", "5XX")
}


class Api(FastAPI):
    """A FastAPI whose OpenAPI document knows that every 4xx and 5xx answer is a problem."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        document.setdefault("components", {}).setdefault("schemas", {})["Problem"] = SCHEMA
        return document


def make_context(definition: Any, settings: Any) -> ApiContext:
    """Raises ValueError where a setting without which no request can be judged is missing."""
    secret = settings.cursor_key or settings.data_key
    if not secret or settings.jwks_file is None:
        raise ValueError("SOLARIS_JWKS_FILE and SOLARIS_CURSOR_KEY (or _FILE) must be set")
    limiter = Limiter(scaled(settings.rate_scale))
    return ApiContext(definition, settings, Verifier(settings.jwks_file), limiter, secret.encode())


def create_app(definition: Any, settings: Any) -> FastAPI:
    """The API of one service. Routes get the database when the app has started; nothing needs NATS."""
    context = make_context(definition, settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        name = f"{definition.name}-api"
        pool = await open_pool(settings.database_url, settings.database_pool, name)
        engine = open_engine(settings.database_url, name=name, hide_parameters=True)
        context.started(Store(pool, definition.log), Views(engine, definition.projections), engine)
        try:
            yield
        finally:
            await engine.dispose()
            await pool.close()

    app = Api(
        title=f"Solaris 7 {definition.name}",
        version="1",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(gate)],
        responses=PROBLEMS,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.context = context
    install(app)
    app.add_middleware(Ring, metrics=HttpMetrics(context.registry), plain_text=definition.plain_text)
    app.router.routes.extend(health_routes(lambda: context.store.pool.execute("SELECT 1"), context.registry))
    for router in (*definition.routers(context), feed_router(), dashboard_router()):
        app.include_router(router)
    return app
