"""Who is calling, and what he may do: one table per service, everything not in it is refused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from solaris_shared.errors import Forbidden, NotFound, Unauthenticated
from solaris_shared.http.tokens import ALL_SCOPES, Claims

PUBLIC = "public"
Reach = Literal["own", "any"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller. `person` is None for somebody who sent no token; his only role is "public"."""

    person: str | None
    roles: frozenset[str]
    scopes: frozenset[str]
    token_id: str | None = None

    @property
    def key(self) -> str:
        """Stable text that command ids are derived from."""
        return f"person:{self.person}" if self.person else "anonymous"

    def has_scope(self, scope: str | None) -> bool:
        """Session tokens hold every scope; an action without a scope is for session tokens alone."""
        return ALL_SCOPES in self.scopes or (scope is not None and scope in self.scopes)


ANONYMOUS = Principal(None, frozenset({PUBLIC}), frozenset())


def principal_of(claims: Claims) -> Principal:
    return Principal(claims.person, claims.roles | {PUBLIC}, claims.scopes, claims.token_id)


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the table: the scope a personal token needs (None: session tokens only) and the reach of
    each role."""

    scope: str | None
    roles: Mapping[str, Reach] = field(default_factory=dict)


def action(scope: str | None, **roles: Reach) -> Action:
    return Action(scope, MappingProxyType(roles))


@dataclass(frozen=True, slots=True)
class Policy:
    """role x action x own/other. A role or an action that is not in the table is refused."""

    table: Mapping[str, Action]

    def allows(self, principal: Principal, name: str, owner: str | None = None) -> bool:
        row = self.table.get(name)
        if row is None:
            return False
        if row.roles.get(PUBLIC) == "any":
            return True
        return principal.has_scope(row.scope) and self._reaches(row, principal, owner)

    def _reaches(self, row: Action, principal: Principal, owner: str | None) -> bool:
        own = owner is not None and owner == principal.person
        reaches = {row.roles.get(role) for role in principal.roles}
        return "any" in reaches or (own and "own" in reaches)

    def require(
        self, principal: Principal, name: str, owner: str | None = None, *, hide: bool = False
    ) -> None:
        """Raise Unauthenticated (no token) or Forbidden. `hide`: NotFound, as for a thing which does not
        exist."""
        if self.allows(principal, name, owner):
            return
        if principal.person is None:
            raise Unauthenticated("login-required", "This needs a token.")
        if hide:
            raise NotFound("not-found")
        raise Forbidden("not-allowed", "Your roles or the scopes of your token do not allow this.")

    def rows(self) -> Iterator[tuple[str, str, Reach]]:
        """(action, role, reach) for tests and documentation."""
        for name, row in self.table.items():
            for role, reach in row.roles.items():
                yield name, role, reach


class Bearer(HTTPBearer):
    """Tells OpenAPI of the token. The gate (gate.py) has authenticated the caller before any route runs."""

    async def __call__(self, request: Request) -> Principal:  # type: ignore[override]
        return request.state.principal


_bearer = Bearer(scheme_name="HTTPBearer", description="Session token or personal token (s7p_...)")


def bearer_token(request: Request) -> str | None:
    """The token of the Authorization header; None without the header. Raises Unauthenticated for another
    scheme."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("token-invalid", "Authorization must be: Bearer <token>.")
    return token.strip()


CurrentPrincipal = Annotated[Principal, Depends(_bearer)]
