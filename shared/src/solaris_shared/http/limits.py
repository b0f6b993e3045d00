"""Rate limits: one token bucket per caller and cost class. Orders have their own budget, so that a bot
reading for the same person never makes him miss a deadline.

A class is named by `@cost("orders")` on the endpoint; without it a GET costs "read" and anything else
"write". Buckets live in this process; they protect it, they are not an account of anything.
"""

import functools
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from solaris_shared.errors import RateLimited

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
MAX_BUCKETS = 50_000
UNWATCHED = frozenset({"orders", "options"})
"""Cost classes of which metrics and logs must not tell who called, or about what: that a person sent orders
is his secret, from operators too; that he looked up what he may order ("options") tells nearly as much."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` requests at once, then `per_minute` of them."""

    burst: int
    per_minute: int


DEFAULT_RATES: Mapping[str, Rate] = {
    "read": Rate(300, 3000),
    "options": Rate(300, 3000),
    "write": Rate(60, 300),
    "orders": Rate(60, 300),
    "login": Rate(60, 120),
    "account": Rate(20, 20),
}


def scaled(factor: int) -> dict[str, Rate]:
    """The default rates, `factor` times as generous."""
    return {name: Rate(rate.burst * factor, rate.per_minute * factor) for name, rate in DEFAULT_RATES.items()}


def cost(name: str) -> Callable[[Endpoint], Endpoint]:
    """Name the cost class of an endpoint. Those of UNWATCHED classes are left out of the metrics, and of the
    log all but that something was answered."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.cost_class = name  # type: ignore[attr-defined]
        return endpoint

    return mark


def cost_of(endpoint: Any, method: str) -> str:
    return getattr(endpoint, "cost_class", "read" if method in ("GET", "HEAD") else "write")


@functools.lru_cache(4096)
def network_of(host: str) -> str:
    """The IPv4 address itself or the /64 of an IPv6 address; a text that is no address, as it is."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((address, 64 if address.version == 6 else 32), strict=False))


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Limiter:
    """Token buckets, least recently used dropped first. `clock` is seconds, monotonic."""

    def __init__(
        self, rates: Mapping[str, Rate] = DEFAULT_RATES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates = rates
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def take(self, caller: str, name: str) -> dict[str, str]:
        """Spend one request; the RateLimit headers of both forms. Raises RateLimited with Retry-After."""
        rate = self._rates[name]
        bucket = self._refilled(caller, name, rate)
        refill = rate.per_minute / 60
        allowed = bucket.level >= 1
        bucket.level -= 1 if allowed else 0
        wait = 0 if bucket.level >= 1 else max(1, round((1 - bucket.level) / refill + 0.5))
        headers = _headers(name, rate, int(bucket.level), wait)
        if not allowed:
            raise RateLimited("rate-limited", "Slow down.", headers={**headers, "Retry-After": str(wait)})
        return headers

    def _refilled(self, caller: str, name: str, rate: Rate) -> _Bucket:
        now = self._clock()
        bucket = self._buckets.setdefault((caller, name), _Bucket(rate.burst, now))
        self._buckets.move_to_end((caller, name))
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.level = min(rate.burst, bucket.level + (now - bucket.at) * rate.per_minute / 60)
        bucket.at = now
        return bucket


def _headers(name: str, rate: Rate, left: int, wait: int) -> dict[str, str]:
    window = round(rate.burst * 60 / rate.per_minute)
    return {
        "RateLimit-Policy": f'"{name}";q={rate.burst};w={window}',
        "RateLimit": f'"{name}";r={left};t={wait}',
        "RateLimit-Limit": str(rate.burst),
        "RateLimit-Remaining": str(left),
        "RateLimit-Reset": str(wait),
    }
