"""The lot: a draw that anybody can repeat.

The seed (32 bytes) is drawn when the round opens; its SHA-256 is published then, the seed itself with the
draw. All choices come from one stream of bytes: block i is HMAC-SHA256(seed, purpose + i as 8 bytes,
big-endian); the purpose of a round's draw is "lot". A number below n is the next byte b with
b < n * floor(256/n), taken modulo n; other bytes are skipped.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
ALGORITHM = "hmac-sha256-lot/1"
LARGEST = 256
SEED_DIGITS = 64


def commitment(seed: str) -> str:
    """SHA-256 of the seed, both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def is_seed(text: str) -> bool:
    """Whether it is 32 bytes in hexadecimal, as a seed and its commitment are."""
    return len(text) == SEED_DIGITS and set(text) <= set("0123456789abcdef")


class Lot:
    """One stream of choices under one seed (64 hexadecimal digits)."""

    def __init__(self, seed: str, purpose: str = "lot") -> None:
        self._bytes = _stream(bytes.fromhex(seed), purpose.encode())

    def below(self, n: int) -> int:
        """A number from 0 to n-1, 1 <= n <= 256."""
        if not 1 <= n <= LARGEST:
            raise ValueError(f"cannot draw below {n}")
        limit = n * (LARGEST // n)
        return next(byte for byte in self._bytes if byte < limit) % n

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Fisher-Yates from the end: for i = last..1 swap with below(i+1)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return tuple(drawn)


def _stream(seed: bytes, purpose: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, purpose + block.to_bytes(8, "big"), "sha256")
        block += 1
