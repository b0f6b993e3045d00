"""Every answer of 4xx and 5xx is application/problem+json (RFC 9457), also for unknown routes and for bugs.

`type` is /v1/problems/<code>, `instance` the correlation id; `errors` lists violations with a JSON pointer
into the body (or into query, path, header) and, where a rule said no, its paragraph.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from solaris_shared.database import is_transient
from solaris_shared.errors import Rejected, SolarisError, Unprocessable
from solaris_shared.titles import TITLES

CORRELATION_HEADER = "X-Correlation-Id"
MEDIA_TYPE = "application/problem+json"
MAX_VIOLATIONS = 50
TEXT, TEXTS = {"type": "string"}, ("type", "title", "code", "instance", "detail", "rule")
VIOLATION = {
    "type": "object",
    "properties": {name: TEXT for name in ("pointer", "code", "detail", "rule")},
    "required": ["pointer", "code"],
}
SCHEMA = {
    "title": "Problem",
    "type": "object",
    "properties": {
        **{name: TEXT for name in TEXTS},
        "status": {"type": "integer"},
        "errors": {"type": "array", "items": VIOLATION},
    },
    "required": ["type", "title", "status", "code", "instance"],
}
LANGUAGES = ("es", "en")
CODES = {401: "unauthenticated", 404: "not-found", 405: "method-not-allowed", 408: "too-slow",
         413: "too-large", 415: "unsupported-media-type"}  # fmt: skip
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with the input. `pointer` is a JSON pointer; `rule` the paragraph, if a rule forbids
    it."""

    pointer: str
    code: str
    detail: str = ""
    rule: str = ""

    def as_json(self) -> dict[str, str]:
        members = {"pointer": self.pointer, "code": self.code, "detail": self.detail, "rule": self.rule}
        return {name: text for name, text in members.items() if text or name in ("pointer", "code")}


def invalid(violations: Iterable[Violation], code: str = "invalid") -> Unprocessable:
    """The 422 that lists them: `raise invalid([...])`."""
    listed = [violation.as_json() for violation in violations]
    return Unprocessable(code, f"{len(listed)} error(s) in the data.", errors=listed[:MAX_VIOLATIONS])


def language(accept: str | None) -> str:
    """ "en" only where the caller prefers it to Spanish."""
    for part in (accept or "").lower().split(","):
        tag = part.split(";")[0].strip()[:2]
        if tag in LANGUAGES:
            return tag
    return "es"


def problem(
    request: Request,
    status: int,
    code: str,
    detail: str = "",
    *,
    extra: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """One problem document as a response."""
    tongue = language(request.headers.get("accept-language"))
    instance = getattr(request.state, "correlation_id", "")
    body: dict[str, Any] = {
        "type": f"/v1/problems/{code}",
        "title": TITLES.get(status, (code, code))[LANGUAGES.index(tongue)],
        "status": status,
        "code": code,
        "instance": instance,
    }
    if detail:
        body["detail"] = detail
    body |= dict(extra or {})
    shown = {
        CORRELATION_HEADER: instance,
        "Content-Language": tongue,
        "Cache-Control": "no-store",
        **(headers or {}),
    }
    if status == 401:
        shown["WWW-Authenticate"] = "Bearer"
    return JSONResponse(body, status, shown, MEDIA_TYPE)


async def on_solaris_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, SolarisError)
    extra = dict(error.extra)
    headers = extra.pop("headers", {})
    if isinstance(error, Rejected) and error.rule:
        extra["rule"] = error.rule
    return problem(request, error.status, error.code, error.detail, extra=extra, headers=headers)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "bad-request" if error.status_code < 500 else "internal")
    return problem(request, error.status_code, code, headers=error.headers)


async def on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """400 for a body that is not JSON, else 422 with a pointer per error. What was sent is never echoed."""
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    if any(item["type"] == "json_invalid" for item in errors):
        return problem(request, 400, "json-invalid", "The body is not JSON.")
    listed = [Violation(_pointer(item), _code(item["type"]), item["msg"]) for item in errors]
    return await on_solaris_error(request, invalid(listed))


def _pointer(item: Mapping[str, Any]) -> str:
    place, *path = item["loc"]
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in path]
    inside = item.get("ctx", {}).get("pointer", "")
    pointer = "".join(f"/{step}" for step in (steps if place == "body" else (place, *steps)))
    return (pointer + inside).encode("utf-8", "backslashreplace").decode()[:500]


def _code(kind: str) -> str:
    return {"extra_forbidden": "unknown-field", "missing": "missing"}.get(kind, kind.replace("_", "-"))


async def on_bug(request: Request, error: Exception) -> JSONResponse:
    """Last resort: no word of the error leaves the process; the log has it under the correlation id."""
    if is_transient(error):
        log.warning("database unavailable", error=type(error).__name__)
        return problem(request, 503, "unavailable", "Try again in a moment.", headers={"Retry-After": "2"})
    log.error("unhandled error", exc_info=error)
    return problem(request, 500, "internal", "This is a bug. Quote the instance when you report it.")


def install(app: FastAPI) -> None:
    app.add_exception_handler(SolarisError, on_solaris_error)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    for outage in (OSError, DBAPIError, asyncpg.PostgresError, asyncpg.InterfaceError):
        app.add_exception_handler(outage, on_bug)
    app.add_exception_handler(Exception, on_bug)
