"""How a fight begins."""

from datetime import datetime, timedelta

from solaris_combat.domain.commitment import seed_commitment
from solaris_combat.domain.events import RELEASE, Box, FightOpened, FightRefused, Request, SeedDrawn, Terms
from solaris_combat.domain.resolution import next_request
from solaris_combat.engines.contract import SetupRefused, Violation
from solaris_combat.engines.registry import AnyEngine, Registry

LONGEST_TURN = 90 * 24 * 3600
"""Seconds a side may be given for its orders."""
OFFLINE = "offline"


def open_fight(
    registry: Registry,
    terms: Terms,
    seed: bytes,
    box: Box,
    deadline: datetime | None,
    *,
    release: str = RELEASE,
) -> tuple[object, ...]:
    """FightOpened, the encrypted seed, the engine's first events; or FightRefused with every reason."""
    try:
        engine = registry.newest(terms.setup.ruleset)
        violations = (*_clock(terms, deadline), *_seats(terms), *engine.check_setup(terms.setup))
    except SetupRefused as refused:
        violations = refused.violations
    if violations:
        return (FightRefused(terms, tuple(violations)),)
    first = engine.open(terms.setup)
    request = _first_request(engine, first)
    opened = FightOpened(
        terms=terms,
        release=release,
        ruleset_hash=engine.ruleset_hash,
        engine_version=engine.version,
        seed_commitment=seed_commitment(seed),
        request=request,
        deadline=deadline,
    )
    return (opened, SeedDrawn(box), *first)


def _first_request(engine: AnyEngine, first: tuple[object, ...]) -> Request:
    game = None
    for event in first:
        game = engine.evolve(game, event)
    request = next_request(engine, game)
    assert request is not None
    return request


def first_deadline(terms: Terms, now: datetime) -> datetime | None:
    """When the first orders must be in; None for a length of turn that is refused."""
    playable = 1 <= terms.turn_seconds <= LONGEST_TURN
    return now + timedelta(seconds=terms.turn_seconds) if playable else None


def _clock(terms: Terms, deadline: datetime | None) -> list[Violation]:
    """A scheduled fight has a clock; one played off-line has none."""
    if deadline is not None or terms.kind == OFFLINE:
        return []
    return [Violation("turn-seconds-invalid", f"a turn takes 1 to {LONGEST_TURN} seconds", "/turn_seconds")]


def _seats(terms: Terms) -> list[Violation]:
    """Two sides at least, each its own person."""
    if len(set(terms.sides)) != len(terms.sides) or len(terms.sides) < 2:
        return [Violation("sides-invalid", "a fight has two or more different sides", "/sides")]
    if len({seat.person_id for seat in terms.seats}) != len(terms.seats):
        return [Violation("sides-invalid", "one person sits on two sides", "/sides")]
    return []
