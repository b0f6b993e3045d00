"""How a session goes on without the password: a renewal ticket, good for one thing only.

It is signed like a token but of its own kind, which no service accepts for a request. It dies after twelve
idle hours, fourteen days after the password was given, and at once when the password changes.
Source: reliability requirements 5.1 (idle 12 h, absolute 14 d).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from solaris_shared.errors import Unauthenticated
from solaris_shared.http.tokens import ALGORITHM, ISSUER, MAX_TOKEN_LENGTH

IDLE_SECONDS = 12 * 3600
LONGEST_SECONDS = 14 * 24 * 3600
KIND = "renewal"


@dataclass(frozen=True, slots=True)
class Ticket:
    """Whose session, since when (Unix seconds), and which password it was opened with."""

    person: str
    since: int
    password_mark: str


def password_mark(password_hash: str) -> str:
    """Says whether a password is still the same one, and nothing else about it."""
    return hashlib.sha256(password_hash.encode()).hexdigest()[:32]


class Renewals:
    """Signs and reads renewal tickets with league's own key."""

    def __init__(self, private_key: Mapping[str, Any]) -> None:
        self._key = OKPKey.import_key(dict(private_key))

    @classmethod
    def of_file(cls, file: Path) -> "Renewals":
        return cls(json.loads(file.read_text(encoding="utf-8")))

    def issue(self, ticket: Ticket, now: int) -> str:
        """A ticket that lives until it has been idle too long or the session is too old."""
        payload = {
            "iss": ISSUER,
            "sub": ticket.person,
            "kind": KIND,
            "since": ticket.since,
            "mark": ticket.password_mark,
            "exp": min(now + IDLE_SECONDS, ticket.since + LONGEST_SECONDS),
        }
        header = {"alg": ALGORITHM, "kid": self._key.kid, "typ": "JWT"}
        return jwt.encode(header, payload, self._key, algorithms=[ALGORITHM])

    def read(self, text: str) -> Ticket:
        """Raises Unauthenticated for a ticket that is forged, of another kind or over."""
        try:
            claims = jwt.decode(text[:MAX_TOKEN_LENGTH], self._key, algorithms=[ALGORITHM]).claims
            ticket = Ticket(claims["sub"], claims["since"], claims["mark"])
            alive = claims["exp"] > datetime.now(UTC).timestamp() and claims["kind"] == KIND
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise _over() from error
        if not alive:
            raise _over()
        return ticket


def _over() -> Unauthenticated:
    return Unauthenticated("session-over", "The session is over; log in again.")
