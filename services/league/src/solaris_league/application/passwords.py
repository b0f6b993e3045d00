"""Passwords: argon2id behind a semaphore, so that a flood of logins cannot take the processor from
everybody."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from solaris_shared.errors import RateLimited

AT_ONCE = 1
WAITING = 8
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


class Passwords:
    """Hashes and verifies in a thread; raises RateLimited when too many wait already."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._room = at_once + waiting
        self._nobody = HASHER.hash("a password that nobody has")

    async def hash(self, password: str) -> str:
        return await self._guarded(HASHER.hash, password)

    async def verify(self, stored: str | None, password: str) -> bool:
        """False for a wrong password, and after the same time for an unknown person (`stored` None)."""
        right = await self._guarded(_matches, stored or self._nobody, password)
        return right and stored is not None

    async def _guarded(self, work, *arguments: str):
        if self._room <= 0:
            headers = {"Retry-After": "1"}
            raise RateLimited("logins-busy", "Too many logins at once.", headers=headers)
        self._room -= 1
        try:
            async with self._slots:
                return await asyncio.to_thread(work, *arguments)
        finally:
            self._room += 1


def _matches(stored: str, password: str) -> bool:
    try:
        return HASHER.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False
