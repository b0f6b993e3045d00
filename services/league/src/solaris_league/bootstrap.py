"""Before the first start: `python -m solaris_league keys` and `python -m solaris_league bootstrap`."""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solaris_league.application import identity
from solaris_league.application.passwords import HASHER
from solaris_league.domain.names import fold
from solaris_shared.database import open_pool
from solaris_shared.errors import Conflict, InFlight
from solaris_shared.http.tokens import make_key, public_jwks
from solaris_shared.ids import command_id
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Command, Store
from solaris_shared.settings import Settings

COMMANDS = ("keys", "bootstrap")
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


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="solaris_league")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("keys", help="make the signing key and the JWKS file where they are missing")
    account = commands.add_parser("bootstrap", help="make the Commission's first account")
    account.add_argument("--handle", required=True)
    account.add_argument("--password-file", required=True, type=Path)
    return parser.parse_args(arguments)


def key_files(settings: Settings) -> tuple[Path, Path]:
    """(signing key, JWKS). Raises ValueError where a setting is missing."""
    if settings.signing_key_file is None or settings.jwks_file is None:
        raise ValueError("SOLARIS_SIGNING_KEY_FILE and SOLARIS_JWKS_FILE must be set")
    return settings.signing_key_file, settings.jwks_file
