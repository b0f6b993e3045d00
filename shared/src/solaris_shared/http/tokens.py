"""Signed tokens: EdDSA over Ed25519 (JOSE name "Ed25519", RFC 9864), verified off-line with a JWKS file.

Two kinds share one form. A *session* token is short and stands for a person who logged in; a *personal*
token starts with `s7p_`, names its scopes and expiry, and can be revoked by its id.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, OKPKey

from solaris_shared.errors import Unauthenticated

ALGORITHM = "Ed25519"
ISSUER = "solaris7"
PERSONAL_PREFIX = "s7p_"
MAX_TOKEN_LENGTH = 4096
ALL_SCOPES = "*"


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says. Times are Unix seconds; `scopes` of a session token is {"*"}."""

    person: str
    roles: frozenset[str]
    scopes: frozenset[str]
    token_id: str
    kind: str
    issued_at: int
    expires_at: int


def make_key() -> dict[str, Any]:
    """A new private signing key as a JWK; its `kid` is its RFC 7638 thumbprint."""
    return OKPKey.generate_key("Ed25519", {"use": "sig", "alg": ALGORITHM}, auto_kid=True).as_dict(
        private=True
    )


def public_jwks(*private_keys: Mapping[str, Any]) -> dict[str, Any]:
    """The JWKS document of the public halves: what every service verifies with."""
    return {"keys": [OKPKey.import_key(dict(key)).as_dict(private=False) for key in private_keys]}


def sign(private_key: Mapping[str, Any], claims: Claims) -> str:
    """The token. The signature is deterministic: equal claims give equal bytes."""
    key = OKPKey.import_key(dict(private_key))
    payload = {
        "iss": ISSUER,
        "sub": claims.person,
        "roles": sorted(claims.roles),
        "scope": " ".join(sorted(claims.scopes)),
        "jti": claims.token_id,
        "kind": claims.kind,
        "iat": claims.issued_at,
        "exp": claims.expires_at,
    }
    token = jwt.encode({"alg": ALGORITHM, "kid": key.kid, "typ": "JWT"}, payload, key, algorithms=[ALGORITHM])
    return PERSONAL_PREFIX + token if claims.kind == "personal" else token


class Verifier:
    """Checks tokens against a JWKS file; reads the file again when it changes, so that keys can be
    rotated."""

    def __init__(self, jwks_file: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._file = jwks_file
        self._now = now
        self._stamp: tuple[int, int] | None = None
        self._keys: KeySet | None = None

    def _key_set(self) -> KeySet:
        try:
            stat = self._file.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            if self._keys is None or stamp != self._stamp:
                self._keys = KeySet.import_key_set(json.loads(self._file.read_text()))
                self._stamp = stamp
        except OSError:
            pass  # keep the last good set; without any, nobody is let in
        if self._keys is None:
            raise Unauthenticated("token-not-verifiable", "No verification keys are available.")
        return self._keys

    def verify(self, token: str) -> Claims:
        """The claims of a valid token. Raises Unauthenticated: `token-invalid` or `token-expired`."""
        if len(token) > MAX_TOKEN_LENGTH:
            raise Unauthenticated("token-invalid", "The token is too long.")
        try:
            decoded = jwt.decode(token.removeprefix(PERSONAL_PREFIX), self._key_set(), algorithms=[ALGORITHM])
            claims = _claims(decoded.claims)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise Unauthenticated("token-invalid", "The token is not valid.") from error
        if (claims.kind == "personal") != token.startswith(PERSONAL_PREFIX):
            raise Unauthenticated("token-invalid", "The token is not valid.")
        if claims.expires_at <= self._now().timestamp():
            raise Unauthenticated("token-expired", "The token has expired.")
        return claims


def _claims(payload: Mapping[str, Any]) -> Claims:
    if payload["iss"] != ISSUER or payload["kind"] not in ("session", "personal"):
        raise ValueError("wrong issuer or kind")
    person, token_id, scope, roles = payload["sub"], payload["jti"], payload["scope"], payload["roles"]
    if not all(isinstance(text, str) and text for text in (person, token_id, *roles)):
        raise ValueError("empty claim")
    return Claims(
        person,
        frozenset(roles),
        frozenset(scope.split()),
        token_id,
        payload["kind"],
        _seconds(payload["iat"]),
        _seconds(payload["exp"]),
    )


def _seconds(value: object) -> int:
    if type(value) is not int:
        raise ValueError("times are whole seconds")
    return value
