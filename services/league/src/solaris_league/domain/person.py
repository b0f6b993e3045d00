"""A person: who may log in, with which roles and personal tokens. Names, handles and passwords stand
outside the log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from solaris_shared.errors import NotFound, Rejected

ROLES = ("player", "referee", "commission", "operator")
SCOPES = (
    "fights:read",
    "orders:write",
    "ledger:read",
    "bids:write",
    "referee",
    "commission",
    "webhooks:manage",
)
ROLE_SCOPES = frozenset({"referee", "commission"})
"""Scopes that carry the role of the same name; no personal token ever carries the role operator."""
MOST_TOKENS = 50


@dataclass(frozen=True, slots=True)
class PersonRegistered:
    person_id: str


@dataclass(frozen=True, slots=True)
class RolesChanged:
    person_id: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonalTokenIssued:
    """`issued_at` and `expires_at` are Unix seconds; the token itself is signed anew when it is shown."""

    person_id: str
    token_id: str
    scopes: tuple[str, ...]
    roles: tuple[str, ...]
    issued_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class TokenRevoked:
    person_id: str
    token_id: str


PersonEvent = PersonRegistered | RolesChanged | PersonalTokenIssued | TokenRevoked


@dataclass(frozen=True, slots=True)
class Person:
    person_id: str
    roles: frozenset[str] = frozenset()
    tokens: Mapping[str, PersonalTokenIssued] = field(default_factory=dict)
    revoked: frozenset[str] = frozenset()


def register(person_id: str, roles: Iterable[str] = ("player",)) -> tuple[PersonEvent, ...]:
    """Whoever registers is a player."""
    return PersonRegistered(person_id), RolesChanged(person_id, tuple(sorted(roles)))


def issue_token(
    person: Person, token_id: str, scopes: Iterable[str], issued_at: int, expires_at: int
) -> PersonalTokenIssued:
    """A token has the role player and those of its scopes that the person has too. Raises Rejected."""
    scopes = frozenset(scopes)
    lacking = scopes & ROLE_SCOPES - person.roles
    if lacking:
        raise Rejected("scope-without-role", f"You do not have the role {', '.join(sorted(lacking))}.")
    alive = [token for token in person.tokens.values() if token.expires_at > issued_at]
    if len(alive) >= MOST_TOKENS:
        raise Rejected("too-many-tokens", f"At most {MOST_TOKENS} tokens; revoke one first.")
    roles = (person.roles & {"player"}) | (scopes & ROLE_SCOPES)
    return PersonalTokenIssued(
        person.person_id, token_id, tuple(sorted(scopes)), tuple(sorted(roles)), issued_at, expires_at
    )


def revoke_token(person: Person, token_id: str) -> tuple[PersonEvent, ...]:
    """Nothing to say where it is revoked already. Raises NotFound for a token that is not his."""
    if token_id in person.revoked:
        return ()
    if token_id not in person.tokens:
        raise NotFound("not-found")
    return (TokenRevoked(person.person_id, token_id),)


def change_roles(person: Person, roles: Iterable[str]) -> tuple[PersonEvent, ...]:
    """The new roles; personal tokens that carry a role taken away are revoked with it."""
    new = frozenset(roles)
    if new == person.roles:
        return ()
    lost = person.roles - new
    revoked = [token.token_id for token in person.tokens.values() if lost & set(token.roles)]
    return (
        RolesChanged(person.person_id, tuple(sorted(new))),
        *(TokenRevoked(person.person_id, token_id) for token_id in revoked),
    )


def evolve(state: Person | None, event: object) -> Person:
    match event:
        case PersonRegistered(person_id):
            return Person(person_id)
        case RolesChanged(_, roles):
            return replace(state, roles=frozenset(roles))
        case PersonalTokenIssued(token_id=token_id):
            return replace(state, tokens={**state.tokens, token_id: event})
        case TokenRevoked(_, token_id):
            kept = {name: token for name, token in state.tokens.items() if name != token_id}
            return replace(state, tokens=kept, revoked=state.revoked | {token_id})
    raise TypeError(f"not an event of a person: {event!r}")
