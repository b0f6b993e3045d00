"""Sealed things at rest: each under an AES-GCM key of its own, that key wrapped by the service's data key.

Nothing in the product opens a box for anybody but the side that sealed it, before all orders are opened.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from solaris_combat.domain.events import Box
from solaris_combat.engines.canonical import canonical

KEY_BYTES = 32
NONCE_BYTES = 12
PAD = 1024
"""Plaintext is padded to a multiple of this: the length of a ciphertext tells no orders apart."""
SHORTEST_SECRET = 32


class Vault:
    """Seals and opens boxes. `random(n)` gives n unpredictable bytes."""

    def __init__(self, secret: str, random: Callable[[int], bytes]) -> None:
        """`secret` is the text of the data key, 32 characters or more; ValueError if it is shorter.

        A vault with an empty secret stands for one that is never used (generating contracts): it opens and
        seals nothing.
        """
        if secret and len(secret) < SHORTEST_SECRET:
            raise ValueError("the data key has fewer than 32 characters")
        self.usable = bool(secret)
        derive = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=b"solaris-combat/vault/1")
        self._wrap = AESGCM(derive.derive(secret.encode()))
        self._random = random

    def random(self, count: int) -> bytes:
        """Unpredictable bytes for seeds and salts."""
        return self._random(count)

    def seal(self, place: str, content: Any) -> Box:
        """A box which opens only at the same place (fight, side and request it was sealed for)."""
        self._check()
        key, nonce, wrap_nonce = self._random(KEY_BYTES), self._random(NONCE_BYTES), self._random(NONCE_BYTES)
        raw = canonical(content)
        padded = raw + b" " * (-len(raw) % PAD)
        wrapped = wrap_nonce + self._wrap.encrypt(wrap_nonce, key, place.encode())
        return Box(_text(wrapped), _text(nonce), _text(AESGCM(key).encrypt(nonce, padded, place.encode())))

    def open(self, place: str, box: Box) -> Any:
        """What was sealed; raises InvalidTag if the box was changed or belongs elsewhere."""
        self._check()
        wrapped = b64decode(box.wrapped_key)
        key = self._wrap.decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], place.encode())
        raw = AESGCM(key).decrypt(b64decode(box.nonce), b64decode(box.ciphertext), place.encode())
        return msgspec.json.decode(raw)

    def _check(self) -> None:
        if not self.usable:
            raise ValueError("a vault without a data key")


def _text(data: bytes) -> str:
    return b64encode(data).decode()
