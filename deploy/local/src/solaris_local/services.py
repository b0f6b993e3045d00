"""What each process of the league is told: its environment, with every secret in a file of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from solaris_local.databases import NAMES, Access
from solaris_local.embedded.accounts import accounts_conf, public_key, user_seed
from solaris_local.embedded.postgres import PostgresServer
from solaris_local.home import Home, write_private

ROLES: Final = ("api", "worker")
CONSOLE: Final = "console"
FIRST_PORT: Final = 8701
MARK: Final = "SOLARIS_CHILD_OF"
"""Environment variable that tells a process of this league from every other process of the machine."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where everything listens, all on the loopback address."""

    apis: dict[str, int]
    workers: dict[str, int]
    smtp: int
    console: int

    @classmethod
    def preferred(cls) -> "Ports":
        """The ports of the documentation, used where they are free."""
        apis = {name: FIRST_PORT + index for index, name in enumerate(NAMES)}
        workers = {name: FIRST_PORT + 10 + index for index, name in enumerate(NAMES)}
        return cls(apis, workers, FIRST_PORT + 20, FIRST_PORT - 1)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Of the servers all services share."""

    nats: str
    ports: Ports

    def api(self, service: str) -> str:
        """Public base address of a service."""
        return f"http://127.0.0.1:{self.ports.apis[service]}"


def access(home: Home, service: str) -> Access:
    """Roles of a service with their generated passwords."""
    owner, app = (home.key(f"{service}-database-{role}").read_text().strip() for role in ("owner", "app"))
    return Access(service, owner, app)


def make_signing_keys(home: Home) -> None:
    """League's private token key and beside it the public set that every service verifies with."""
    private = home.root / "keys" / "token-signing.jwk"
    public = home.root / "keys" / "jwks.json"
    if private.exists() and public.exists():
        return
    from solaris_shared.http.tokens import make_key, public_jwks

    key = json.loads(home.secret(private.name, lambda: json.dumps(make_key())).read_text())
    write_private(public, json.dumps(public_jwks(key)))


def nats_accounts(home: Home) -> str:
    """Text of accounts.conf with the public halves of all users' keys."""
    names = [f"{service}-{role}" for service in NAMES for role in ("relay", "importer")]
    seeds = {name: user_seed(nkey_file(home, name)) for name in [*names, "operator"]}
    return accounts_conf(NAMES, seeds, partner_keys(home))


def partner_keys(home: Home) -> dict[str, str]:
    """Public key of every partner that `solaris partner` has let in."""
    files = sorted((home.root / "keys").glob("nats-partner-*.nk"))
    return {file.stem.removeprefix("nats-partner-"): public_key(user_seed(file)) for file in files}


def nkey_file(home: Home, user: str) -> Path:
    """Seed file of one NATS user."""
    return home.root / "keys" / f"nats-{user}.nk"


def write_database_files(home: Home, server: PostgresServer) -> None:
    """The two addresses of each service's database (they hold passwords and this start's port)."""
    for service in NAMES:
        roles = access(home, service)
        app = server.address(roles.app, roles.app_password, service)
        owner = server.address(roles.owner, roles.owner_password, service)
        write_private(home.root / "keys" / f"{service}-database.url", app)
        write_private(home.root / "keys" / f"{service}-migrate.url", owner)


def environment(home: Home, service: str, addresses: Addresses) -> dict[str, str]:
    """All SOLARIS_ settings of one service's processes."""
    keys = home.root / "keys"
    ports = addresses.ports
    own = {
        "SOLARIS_SERVICE": service,
        "SOLARIS_DATABASE_URL_FILE": str(keys / f"{service}-database.url"),
        "SOLARIS_NATS_URL": addresses.nats,
        "SOLARIS_NATS_RELAY_SEED_FILE": str(nkey_file(home, f"{service}-relay")),
        "SOLARIS_NATS_IMPORTER_SEED_FILE": str(nkey_file(home, f"{service}-importer")),
        "SOLARIS_FEEDS": " ".join(f"{name}={addresses.api(name)}" for name in NAMES),
        "SOLARIS_HTTP_HOST": "127.0.0.1",
        "SOLARIS_HTTP_PORT": str(ports.apis[service]),
        "SOLARIS_WORKER_HTTP_PORT": str(ports.workers[service]),
        "SOLARIS_JWKS_FILE": str(keys / "jwks.json"),
        "SOLARIS_DATA_KEY_FILE": str(home.key(f"{service}-data")),
        "SOLARIS_CURSOR_KEY_FILE": str(home.key(f"{service}-cursor")),
        MARK: str(home.root),
    }
    return own | _special(home, service, addresses)


def console_environment(home: Home, addresses: Addresses) -> dict[str, str]:
    """All settings of the console: where the APIs are, and the key of its cookie."""
    apis = {f"SOLARIS_{name.upper()}_URL": addresses.api(name) for name in NAMES}
    return apis | {
        "SOLARIS_ENVIRONMENT": "local",
        "SOLARIS_HTTP_HOST": "127.0.0.1",
        "SOLARIS_HTTP_PORT": str(addresses.ports.console),
        "SOLARIS_SESSION_KEYS_FILE": str(home.key("console-session")),
        MARK: str(home.root),
    }


def _special(home: Home, service: str, addresses: Addresses) -> dict[str, str]:
    """What one service has and the others have not."""
    if service == "league":
        return {
            "SOLARIS_SIGNING_KEY_FILE": str(home.root / "keys" / "token-signing.jwk"),
            "SOLARIS_BOOTSTRAP_KEY_FILE": str(home.key("commission-bootstrap")),
        }
    if service == "mail":
        return {
            "SOLARIS_SMTP_HOST": "127.0.0.1",
            "SOLARIS_SMTP_PORT": str(addresses.ports.smtp),
            "SOLARIS_SMTP_TLS": "none",
            "SOLARIS_COMBAT_PUBLIC_URL": addresses.api("combat"),
            "SOLARIS_CONSOLE_PUBLIC_URL": f"http://127.0.0.1:{addresses.ports.console}",
        }
    return {}
