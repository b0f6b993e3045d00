"""Before the first start: `python -m solaris_league keys`, `bootstrap`, and `import` of a championship."""

import argparse
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from solaris_league.application import championship, identity
from solaris_league.application.passwords import HASHER
from solaris_league.domain.championship import Fact
from solaris_league.domain.names import fold
from solaris_league.domain.rules import LeagueRules
from solaris_shared.database import open_pool
from solaris_shared.errors import Conflict, InFlight
from solaris_shared.http.tokens import make_key, public_jwks
from solaris_shared.ids import command_id
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Command, Store
from solaris_shared.settings import Settings

Json = dict[str, Any]
COMMANDS = ("keys", "bootstrap", "import")
ROLES = ("commission", "operator", "player")
SHORTEST_PASSWORD = 12


def make_keys(signing_key_file: Path, jwks_file: Path) -> None:
    """Write both key files where they are missing; an existing signing key is kept."""
    if not signing_key_file.exists():
        _write(signing_key_file, make_key(), 0o600)
    key = json.loads(signing_key_file.read_text(encoding="utf-8"))
    if not jwks_file.exists():
        _write(jwks_file, public_jwks(key), 0o644)


def _write(path: Path, value: Any, mode: int) -> None:
    """Write JSON in one step: nobody ever reads half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(value, file)
    partial.replace(path)


async def first_account(url: str, log: EventLog, handle: str, password: str) -> dict[str, Any]:
    """The Commission's account; an account with this handle is left as it is. Raises ValueError: short
    password."""
    if len(password) < SHORTEST_PASSWORD:
        raise ValueError(f"a password has at least {SHORTEST_PASSWORD} characters")
    registration = identity.Registration(handle, HASHER.hash(password), ROLES)
    command = Command(command_id("bootstrap", "bootstrap", fold(handle)), b"", "bootstrap", "bootstrap")
    pool = await open_pool(url, 2, "league-bootstrap")
    try:
        result = await Store(pool, log).run(command, lambda tx: identity.register(tx, registration))
    except InFlight:
        raise
    except Conflict:
        return {"handle": handle, "existed": True}
    finally:
        await pool.close()
    return {**result.body, "existed": result.replayed}


def first_passwords(people: Mapping[str, str], out: Path) -> dict[str, str]:
    """A password for each person (id -> callsign), and a new file that only we may read, by callsign. Raises
    FileExistsError."""
    passwords = {person_id: secrets.token_urlsafe(12) for person_id in people}
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        told = {callsign: passwords[person_id] for person_id, callsign in people.items()}
        json.dump(told, file, ensure_ascii=False, indent=1)
    return passwords


async def take_in(
    url: str, log: EventLog, rules: LeagueRules, facts: Sequence[Fact], passwords: Mapping[str, str]
) -> Json:
    """Take the facts of a championship into a league without mechwarriors, all or nothing. Raises
    SolarisError."""
    hashed = {person_id: HASHER.hash(password) for person_id, password in passwords.items()}
    command = Command(uuid4(), b"", "bootstrap", "bootstrap")
    pool = await open_pool(url, 2, "league-import")
    try:
        store = Store(pool, log)
        result = await store.run(command, lambda tx: championship.take_in(tx, rules, facts, hashed))
    finally:
        await pool.close()
    return dict(result.body)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="solaris_league")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("keys", help="make the signing key and the JWKS file where they are missing")
    account = commands.add_parser("bootstrap", help="make the Commission's first account")
    account.add_argument("--handle", required=True)
    account.add_argument("--password-file", required=True, type=Path)
    taken = commands.add_parser("import", help="take a championship file into an empty league")
    taken.add_argument("file", type=Path)
    taken.add_argument(
        "--passwords", required=True, type=Path, help="new file for everybody's first password"
    )
    return parser.parse_args(arguments)


def key_files(settings: Settings) -> tuple[Path, Path]:
    """(signing key, JWKS). Raises ValueError where a setting is missing."""
    if settings.signing_key_file is None or settings.jwks_file is None:
        raise ValueError("SOLARIS_SIGNING_KEY_FILE and SOLARIS_JWKS_FILE must be set")
    return settings.signing_key_file, settings.jwks_file
