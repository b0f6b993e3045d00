"""How a deadline is extended: within the budget of its fight, and onto the league's clock on the wall.

The new deadline is the first full step of the grid, in local time, at or after the time asked for: it keeps
its place on the clock over a change of summer time. An hour that does not exist gives the first instant after
it, one that exists twice the later one.
Source: reliability.md 2.7; checks DL6, DL9, DL14.
"""

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from solaris_combat.engines.contract import Json


@dataclass(frozen=True, slots=True)
class Extension:
    """The limits (extension.toml)."""

    zone: str
    grid_minutes: int
    budget_seconds: int
    longest_seconds: int


@cache
def limits() -> Extension:
    """The limits of this release."""
    return Extension(**{name: _table()[name] for name in Extension.__dataclass_fields__})


def shown() -> Json:
    """The limits with their mark, as the ruleset shows them."""
    return _table()


@cache
def _table() -> Json:
    return tomllib.loads(files(__package__).joinpath("extension.toml").read_text(encoding="utf-8"))


def on_grid(moment: datetime, zone: str, minutes: int) -> datetime:
    """The first instant of the grid at or after a moment, in UTC."""
    there = ZoneInfo(zone)
    local = moment.astimezone(there)
    midnight = datetime.combine(local.date(), time())
    passed = local.replace(tzinfo=None) - midnight
    steps = -(-passed // timedelta(minutes=minutes))
    found = _instant(midnight + steps * timedelta(minutes=minutes), there)
    return found if found >= moment else moment.astimezone(UTC)


def _instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """The instant at which the clock on the wall shows this: the later of two, the first after a gap."""
    later = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    exists = later.astimezone(zone).replace(tzinfo=None, fold=0) == wall
    return later if exists else wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
