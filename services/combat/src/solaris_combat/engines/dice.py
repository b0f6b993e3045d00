"""Dice `hmac-sha256/1`: faces anybody can draw again once seed and nonces are open.

    key     = HMAC-SHA256(seed, nonce of side A || nonce of side B || ...)   sides in their order in the fight
    block i = HMAC-SHA256(key, i as 8 bytes, big endian)                     i = 0, 1, 2, ...
    stream  = block 0 || block 1 || ...

For an n-sided die (2 <= n <= 256) the next byte b of the stream counts if b < n * floor(256 / n) and then
shows b % n + 1; any other byte is passed over. `position` is the number of bytes used up. Published vectors
stand in docs/reference/dice.md and are tested.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hmac import digest
from typing import Protocol

ALGORITHM = "hmac-sha256/1"
BLOCK = 32
NO_NONCE = bytes(32)


@dataclass(frozen=True, slots=True)
class Roll:
    """What was rolled for what: `faces` dice of `sides` sides, in drawing order."""

    purpose: str
    sides: int
    faces: tuple[int, ...]

    @property
    def total(self) -> int:
        """Sum of the faces."""
        return sum(self.faces)


class Dice(Protocol):
    """The only source of chance a rule may use."""

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Draw `count` dice of `sides` sides; `purpose` says for what, in the words of the rule."""
        ...


def dice_key(seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """The key of a fight's dice: neither the seed's owner nor a side alone decides it."""
    return digest(seed, b"".join(nonces), "sha256")


class SeededDice:
    """Dice of one fight from byte `position` of its stream on."""

    __slots__ = ("_block", "_key", "_number", "position")

    def __init__(self, key: bytes, position: int = 0) -> None:
        self._key = key
        self.position = position
        self._number = -1
        self._block = b""

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Next `count` faces; ValueError unless 2 <= sides <= 256 and count >= 1."""
        if not 2 <= sides <= 256 or count < 1:
            raise ValueError(f"{count} dice of {sides} sides cannot be rolled")
        limit = 256 - 256 % sides
        faces: list[int] = []
        while len(faces) < count:
            byte = self._byte()
            if byte < limit:
                faces.append(byte % sides + 1)
        return Roll(purpose, sides, tuple(faces))

    def _byte(self) -> int:
        number, offset = divmod(self.position, BLOCK)
        if number != self._number:
            self._block = digest(self._key, number.to_bytes(8, "big"), "sha256")
            self._number = number
        self.position += 1
        return self._block[offset]


def check_vectors() -> None:
    """Draw a published vector; RuntimeError where this machine draws anything else (SEC7)."""
    dice = SeededDice(dice_key(bytes.fromhex("00ff"), (NO_NONCE, NO_NONCE)))
    if dice.roll(10, 6, "self-test").faces != (1, 2, 3, 4, 3, 6, 6, 3, 2, 5):
        raise RuntimeError("the dice of this machine are not those of docs/reference/dice.md")


class ScriptedDice:
    """Dice that show the given faces, for tests and cases; a face a die does not have is an error."""

    __slots__ = ("_faces", "position")

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self.position = 0

    @property
    def left(self) -> tuple[int, ...]:
        """Faces not drawn yet."""
        return self._faces[self.position :]

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Next `count` faces of the script; ValueError when the script ends or a face does not fit."""
        faces = self.left[:count]
        if len(faces) < count:
            raise ValueError(f"the script has no face left for {purpose!r}")
        if not all(1 <= face <= sides for face in faces):
            raise ValueError(f"{faces} do not fit {sides}-sided dice for {purpose!r}")
        self.position += count
        return Roll(purpose, sides, faces)
