"""Prometheus metrics of a process. Route templates are labels, ids never are.

Endpoints that nobody may watch (http.limits.UNWATCHED) are not counted at all: how many orders came in
would tell the other side who has sealed.
"""

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.requests import Request
from starlette.responses import Response

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class HttpMetrics:
    """Requests and their seconds by method, route template and status."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("method", "route", "status")
        self._requests = Counter("solaris_http_requests", "HTTP requests answered", labels, registry=registry)
        self._seconds = Histogram(
            "solaris_http_seconds", "Time to answer", labels[:2], registry=registry, buckets=BUCKETS
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)


def exposition(registry: CollectorRegistry, _request: Request | None = None) -> Response:
    """The text that Prometheus scrapes."""
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
