"""Token buckets."""

import pytest

from solaris_shared.errors import RateLimited
from solaris_shared.http import limits
from solaris_shared.http.limits import Limiter, Rate


@pytest.fixture
def clock():
    return [100.0]


@pytest.fixture
def limiter(clock):
    return Limiter({"read": Rate(3, 60), "orders": Rate(2, 60)}, lambda: clock[0])


def test_a_burst_then_429_with_the_seconds_to_wait(limiter):
    left = [limiter.take("ana", "read")["RateLimit-Remaining"] for _ in range(3)]
    assert left == ["2", "1", "0"]
    with pytest.raises(RateLimited) as caught:
        limiter.take("ana", "read")
    assert caught.value.extra["headers"]["Retry-After"] == "2"
    assert caught.value.extra["headers"]["RateLimit"] == '"read";r=0;t=2'


def test_it_refills(limiter, clock):
    for _ in range(3):
        limiter.take("ana", "read")
    clock[0] += 1
    assert limiter.take("ana", "read")["RateLimit-Policy"] == '"read";q=3;w=3'


def test_orders_have_their_own_budget_and_callers_do_not_share(limiter):
    for _ in range(3):
        limiter.take("ana", "read")
    assert limiter.take("ana", "orders")
    assert limiter.take("bea", "read")


def test_the_number_of_buckets_is_bounded(limiter, monkeypatch):
    monkeypatch.setattr(limits, "MAX_BUCKETS", 2)
    for caller in "abcd":
        limiter.take(caller, "read")
    assert list(limiter._buckets) == [("c", "read"), ("d", "read")]
