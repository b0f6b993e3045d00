"""Persons: registering, logging in, tokens and roles. Handles and password hashes stay in the table
`account`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg

from solaris_league.application.passwords import Passwords
from solaris_league.application.renewal import Ticket, password_mark
from solaris_league.domain import person as persons
from solaris_league.domain.names import check_name, fold
from solaris_shared.errors import Conflict, NotFound, Unauthenticated
from solaris_shared.http.tokens import ALL_SCOPES, Claims
from solaris_shared.ids import new_id
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Loaded, Store, Transaction

SESSION_SECONDS = 15 * 60
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Registration:
    """A new person; the password is hashed already."""

    handle: str
    password_hash: str
    roles: tuple[str, ...] = ("player",)


def _stream(person_id: str) -> str:
    return f"person-{person_id}"


async def load_person(tx: Transaction, person_id: str) -> Loaded[persons.Person]:
    """Raises NotFound."""
    loaded = await tx.load(_stream(person_id), persons.evolve)
    if loaded.state is None:
        raise NotFound("not-found")
    return loaded


async def register(tx: Transaction, registration: Registration, person_id: str = "") -> Json:
    """Raises Conflict `handle-taken`; handles are one under case, accents and width. `person_id` of who was a
    person of another league."""
    handle, person_id = check_name(registration.handle, "/handle"), person_id or str(new_id())
    added = await tx.conn.fetchval(
        "INSERT INTO account (person_id, handle, handle_key, password_hash, created_at)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1",
        person_id,
        handle,
        fold(handle),
        registration.password_hash,
        tx.now,
    )
    if not added:
        raise Conflict("handle-taken", "That handle is in use.")
    await tx.append(_stream(person_id), 0, *persons.register(person_id, registration.roles))
    return {"person_id": person_id, "handle": handle}


@dataclass(frozen=True, slots=True)
class Session:
    """The claims of a token of 15 minutes, and what renews it."""

    claims: Claims
    ticket: Ticket


async def log_in(store: Store, passwords: Passwords, handle: str, password: str) -> Session:
    """Raises Unauthenticated with the same words whatever is wrong."""
    async with store.connection() as conn:
        account = await conn.fetchrow(
            "SELECT person_id, password_hash FROM account WHERE handle_key = $1", fold(handle)
        )
    if not await passwords.verify(account and account["password_hash"], password):
        raise Unauthenticated("login-failed", "Handle or password is wrong.")
    now = int(datetime.now(UTC).timestamp())
    ticket = Ticket(account["person_id"], now, password_mark(account["password_hash"]))
    return Session(await _session_claims(store, account["person_id"], now), ticket)


async def renew(store: Store, ticket: Ticket) -> Session:
    """The same session with a fresh token; roles are those of now. Raises Unauthenticated."""
    account = await account_of(store, ticket.person)
    if password_mark(account["password_hash"]) != ticket.password_mark:
        raise Unauthenticated("session-over", "The password was changed; log in again.")
    now = int(datetime.now(UTC).timestamp())
    return Session(await _session_claims(store, ticket.person, now), ticket)


async def _session_claims(store: Store, person_id: str, now: int) -> Claims:
    person = await read_person(store, person_id)
    return Claims(
        person.person_id,
        person.roles,
        frozenset({ALL_SCOPES}),
        str(new_id()),
        "session",
        now,
        now + SESSION_SECONDS,
    )


async def read_person(store: Store, person_id: str) -> persons.Person:
    """The person as the log has it now. Raises NotFound."""
    async with store.connection() as conn:
        return await fold_person(store.log, conn, person_id)


async def fold_person(log: EventLog, conn: asyncpg.Connection, person_id: str) -> persons.Person:
    state = None
    for stored in await log.load(conn, _stream(person_id)):
        state = persons.evolve(state, stored.event)
    if state is None:
        raise NotFound("not-found")
    return state


async def issue_token(tx: Transaction, person_id: str, name: str, scopes: Iterable[str], days: int) -> Json:
    """Everything the token says; the route signs it, so that no token is ever stored."""
    loaded, token_id = await load_person(tx, person_id), str(new_id())
    now = datetime.now(UTC)
    expires = int((now + timedelta(days=days)).timestamp())
    issued = persons.issue_token(loaded.state, token_id, scopes, int(now.timestamp()), expires)
    await tx.append(loaded.stream, loaded.version, issued)
    await tx.conn.execute("INSERT INTO token_name VALUES ($1, $2, $3)", token_id, person_id, name)
    return {"name": name, **_shown(issued), "roles": list(issued.roles), "issued_at": issued.issued_at}


def claims_of(token: Json, person_id: str) -> Claims:
    """The claims of a personal token from the stored answer of `issue_token`."""
    return Claims(
        person_id,
        frozenset(token["roles"]),
        frozenset(token["scopes"]),
        token["token_id"],
        "personal",
        token["issued_at"],
        int(datetime.fromisoformat(token["expires_at"]).timestamp()),
    )


def _shown(token: persons.PersonalTokenIssued) -> Json:
    expires = datetime.fromtimestamp(token.expires_at, UTC).isoformat().replace("+00:00", "Z")
    return {"token_id": token.token_id, "scopes": list(token.scopes), "expires_at": expires}


async def list_tokens(store: Store, person_id: str) -> Sequence[Json]:
    """The person's tokens that are not revoked, oldest first."""
    async with store.connection() as conn:
        person = await fold_person(store.log, conn, person_id)
        rows = await conn.fetch("SELECT token_id, name FROM token_name WHERE person_id = $1", person_id)
    names = {row["token_id"]: row["name"] for row in rows}
    return [{"name": names.get(token.token_id, ""), **_shown(token)} for token in person.tokens.values()]


async def revoke_token(tx: Transaction, person_id: str, token_id: str) -> Json:
    """Raises NotFound for a token that is not this person's."""
    loaded = await load_person(tx, person_id)
    await tx.append(loaded.stream, loaded.version, *persons.revoke_token(loaded.state, token_id))
    return {"token_id": token_id, "revoked": True}


async def change_roles(tx: Transaction, person_id: str, roles: Iterable[str]) -> Json:
    """Raises NotFound. Sessions keep their roles until they end (15 minutes)."""
    loaded = await load_person(tx, person_id)
    await tx.append(loaded.stream, loaded.version, *persons.change_roles(loaded.state, roles))
    return {"person_id": person_id, "roles": sorted(set(roles))}


async def change_password(tx: Transaction, person_id: str, password_hash: str) -> Json:
    await tx.conn.execute(
        "UPDATE account SET password_hash = $2 WHERE person_id = $1", person_id, password_hash
    )
    return {"changed": True}


async def account_of(store: Store, person_id: str) -> asyncpg.Record:
    """Handle and password hash. Raises NotFound."""
    async with store.connection() as conn:
        row = await conn.fetchrow("SELECT handle, password_hash FROM account WHERE person_id = $1", person_id)
    if row is None:
        raise NotFound("not-found")
    return row
