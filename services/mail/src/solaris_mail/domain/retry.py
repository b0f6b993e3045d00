"""When a letter that could not be delivered is tried again, and how long at most."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class RetrySchedule:
    """Waits after each failed attempt; the last one repeats until the letter expires."""

    waits: tuple[timedelta, ...] = (
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=15),
        timedelta(minutes=30),
    )
    keep: timedelta = timedelta(days=5)
    """Life of a letter without a deadline (RFC 5321 4.5.4.1 asks for 4 to 5 days)."""

    def next_attempt(self, now: datetime, attempts: int) -> datetime:
        """The instant of the attempt after `attempts` failed ones (1 or more)."""
        return now + self.waits[min(attempts, len(self.waits)) - 1]

    def expiry(self, now: datetime, deadline: datetime | None) -> datetime:
        """A turn letter is useless from its deadline on; others are kept for some days."""
        return deadline or now + self.keep
