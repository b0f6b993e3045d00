"""given / when / then for pure deciders: no database, no clock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from solaris_shared.errors import SolarisError

S = TypeVar("S")


@dataclass(frozen=True)
class Outcome:
    """What a decision gave: events, or the error it raised."""

    events: tuple[object, ...]
    error: SolarisError | None

    def then(self, *expected: object) -> None:
        """Exactly these events, in this order."""
        if self.error is not None:
            raise AssertionError(f"expected events, got {self.error}") from self.error
        assert self.events == expected

    def then_rejected(self, code: str) -> SolarisError:
        """An error with this code; returns it."""
        assert self.error is not None, f"expected {code}, got {self.events}"
        assert self.error.code == code
        return self.error


@dataclass(frozen=True)
class Given(Generic[S]):
    """The state after some history."""

    state: S | None

    def when(self, decide: Callable[..., Iterable[object]], *arguments: Any, **named: Any) -> Outcome:
        """Decide on the state: `decide(state, *arguments, **named)`."""
        try:
            return Outcome(tuple(decide(self.state, *arguments, **named)), None)
        except SolarisError as error:
            return Outcome((), error)


def given(evolve: Callable[[S | None, object], S], *history: object) -> Given[S]:
    """The state which `history` folds to."""
    state = None
    for event in history:
        state = evolve(state, event)
    return Given(state)
