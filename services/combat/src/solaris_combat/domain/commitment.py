"""How a side binds itself to orders nobody can read: SHA-256 over 32 bytes of salt and the orders."""

from typing import Any

from solaris_combat.engines.canonical import canonical, sha256

SALT_BYTES = 32


def commitment(salt: bytes, orders: Any) -> str:
    """Hex commitment over canonical orders; the salt keeps possible orders from being tried one by one."""
    return sha256(salt + canonical(orders))


def seed_commitment(seed: bytes) -> str:
    """Hex hash of the seed, published when the fight opens."""
    return sha256(seed)
