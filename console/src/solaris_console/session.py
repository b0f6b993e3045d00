"""The session is the cookie: encrypted, HttpOnly, bound to this host by its name, and nothing on our side.

It holds the person's short-lived token, the ticket that renews it, and the token that forms must carry.
Keys rotate: every cookie names the key it was made with, the first configured key makes new ones.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

COOKIE: Final = "__Host-solaris"
IDLE_SECONDS: Final = 12 * 3600
MAX_COOKIE: Final = 4000


@dataclass(frozen=True, slots=True)
class Session:
    """`csrf` stands in every form. `expires_at` (Unix seconds) is the token's. `notice` is told once."""

    csrf: str
    token: str = ""
    renewal: str = ""
    expires_at: int = 0
    handle: str = ""
    zone: str = "Europe/Madrid"
    language: str = ""
    notice: dict[str, Any] = field(default_factory=dict)

    @property
    def logged_in(self) -> bool:
        """Whether somebody is."""
        return bool(self.token)


def fresh(language: str = "") -> Session:
    """Nobody's session, with a new form token."""
    return Session(secrets.token_urlsafe(24), language=language)


def left(session: Session) -> Session:
    """After logging out: a new form token, the language kept."""
    return fresh(session.language)


class Seal:
    """Encrypts and reads cookies (JWE, dir, A256GCM)."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = {hashlib.sha256(key).hexdigest()[:12]: OctKey.import_key(key) for key in keys}
        self._current = next(iter(self._keys))

    def close(self, session: Session) -> str:
        """The cookie's value."""
        header = {"alg": "dir", "enc": "A256GCM", "kid": self._current}
        return jwe.encrypt_compact(header, json.dumps(asdict(session)).encode(), self._keys[self._current])

    def open(self, text: str) -> Session | None:
        """The session; None for whatever was not made here, or with a key that is gone."""
        try:
            header = jwe.decrypt_compact(text, self._key_of, algorithms=["dir", "A256GCM"])
            return Session(**json.loads(header.plaintext or b""))
        except (JoseError, ValueError, TypeError, KeyError):
            return None

    def _key_of(self, found: Any) -> OctKey:
        return self._keys[found.headers()["kid"]]


def told(session: Session) -> Session:
    """Its notice has been shown."""
    return replace(session, notice={}) if session.notice else session


def with_notice(session: Session, kind: str, **facts: Any) -> Session:
    """Something to tell on the next page: its text key and facts."""
    return replace(session, notice={"kind": kind, **facts})
