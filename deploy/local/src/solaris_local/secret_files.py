"""The secrets of a deployment elsewhere (compose, Kubernetes): one file each, made once and kept.

The names are those of the local runtime's keys/, so that a league can move. Files are made, never replaced
(but the broker's accounts, which follow from the keys): to change one, delete it, run this again and follow
docs/how-to/deploy-with-compose.md.
"""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nkeys

from solaris_local.databases import NAMES, Access
from solaris_local.embedded.accounts import PARTNER_NAME, accounts_conf, partner_durable, public_key
from solaris_local.home import KEY_BYTES

READABLE: Final = 0o644
"""Containers run under another uid than the owner of these files; what protects them is the folder (0700)."""


@dataclass(frozen=True, slots=True)
class SecretFiles:
    """A folder of secrets for servers named `postgres` and `nats` as the services reach them."""

    folder: Path
    postgres: str = "postgres:5432"
    partners: tuple[str, ...] = ()
    """Who is let in on NATS, read-only; those of earlier calls stay"""

    def make(self) -> list[str]:
        """Make what is missing; the names of the files made."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        before = self._names()
        self._key("postgres-password")
        for service in NAMES:
            self._database(service)
            self._key(f"{service}-data")
            self._key(f"{service}-cursor")
        self._key("console-session")
        self._file("smtp-password", str)
        self._signing()
        for partner in self.partners:
            self._partner(partner)
        self._nats()
        return sorted(self._names() - before)

    def _names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}

    def _file(self, name: str, text: Callable[[], str]) -> str:
        """Content of a file that is made whole, once."""
        file = self.folder / name
        if not file.exists():
            part = self.folder / f".{name}.part"
            part.write_text(text(), encoding="utf-8")
            part.chmod(READABLE)
            os.replace(part, file)
        return file.read_text(encoding="utf-8")

    def _key(self, name: str) -> str:
        return self._file(name, lambda: secrets.token_hex(KEY_BYTES))

    def _database(self, service: str) -> None:
        owner, app = self._key(f"{service}-database-owner"), self._key(f"{service}-database-app")
        roles = Access(service, owner, app)
        self._file(f"{service}-database.url", lambda: self._address(roles.app, app, service))
        self._file(f"{service}-migrate.url", lambda: self._address(roles.owner, owner, service))

    def _address(self, user: str, password: str, database: str) -> str:
        return f"postgresql://{user}:{password}@{self.postgres}/{database}"

    def _signing(self) -> None:
        from solaris_shared.http.tokens import make_key, public_jwks

        key = json.loads(self._file("token-signing.jwk", lambda: json.dumps(make_key())))
        self._file("jwks.json", lambda: json.dumps(public_jwks(key)))

    def _partner(self, name: str) -> None:
        if not PARTNER_NAME.fullmatch(name):
            raise ValueError(
                f"{name!r}: a partner's name has small letters, digits and hyphens, 2 to 32 of them"
            )
        self._file(f"nats-{partner_durable(name)}.nk", _seed)

    def _partner_keys(self) -> dict[str, str]:
        files = sorted(self.folder.glob("nats-partner-*.nk"))
        return {file.stem.removeprefix("nats-partner-"): public_key(file.read_text()) for file in files}

    def _derived(self, name: str, text: str) -> None:
        """A file that follows from others, made anew when they have changed."""
        file = self.folder / name
        if file.exists() and file.read_text(encoding="utf-8") != text:
            file.unlink()
        self._file(name, lambda: text)

    def _nats(self) -> None:
        """Seeds of the users, and what the server must know: accounts, and the word between its nodes."""
        users = [f"{service}-{role}" for service in NAMES for role in ("relay", "importer")]
        seeds = {name: self._file(f"nats-{name}.nk", _seed) for name in [*users, "operator"]}
        self._derived("nats-accounts.conf", accounts_conf(NAMES, seeds, self._partner_keys()))
        word = self._key("nats-cluster-password")
        self._file("nats-routes.conf", lambda: routes_conf(word))


def routes_conf(word: str, nodes: int = 3) -> str:
    """The routes between the nodes of a NATS cluster (deploy/nats/cluster.conf), as Kubernetes names them."""
    routes = ", ".join(f'"nats-route://node:{word}@nats-{node}.nats:6222"' for node in range(nodes))
    return f'authorization {{ user: node, password: "{word}" }}\nroutes: [{routes}]\n'


def _seed() -> str:
    return str(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER).decode())
