"""Settings come from the environment (prefix SOLARIS_); every secret may stand in a file instead (*_FILE)."""

from pathlib import Path
from typing import Any

from pydantic import model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

FILE_SUFFIX = "_file"


class Settings(BaseSettings):
    """What one process needs to know; a service subclasses it to add its own."""

    model_config = SettingsConfigDict(env_prefix="SOLARIS_", extra="ignore", frozen=True)

    service: str = ""
    log_level: str = "INFO"

    database_url: str = ""
    database_url_file: Path | None = None
    """The app role's address: postgresql://user:password@host:port/database"""
    migrate_database_url: str = ""
    migrate_database_url_file: Path | None = None
    """The migrator's address; empty = the same as database_url"""
    app_role: str = ""
    """The role to which `migrate` grants what the processes need; empty = none (one role for both)"""
    database_pool: int = 10

    nats_url: str = "nats://127.0.0.1:4222"
    nats_relay_seed: str = ""
    nats_relay_seed_file: Path | None = None
    """nkey of the user <service>-relay: publishes, and creates and refills the service's own stream"""
    nats_importer_seed: str = ""
    nats_importer_seed_file: Path | None = None
    """nkey of the user <service>-importer: reads foreign streams through its own consumers"""
    feeds: str = ""
    """Where the other services' feeds are, "league=http://league-api:8000 ...": asked only for messages that
    the broker has lost; a service that is not named is not asked"""
    stream_max_bytes: int = 1 << 30
    stream_replicas: int = 1

    http_host: str = "127.0.0.1"
    http_port: int = 8000
    trusted_proxies: str = ""
    """Addresses and networks, by commas, whose X-Forwarded-For names the caller: the TLS terminator's and the
    console's. Empty: nobody's"""
    worker_http_port: int = 0
    """Where the worker answers health and metrics; 0 = nowhere"""

    jwks_file: Path | None = None
    signing_key_file: Path | None = None
    data_key: str = ""
    data_key_file: Path | None = None
    cursor_key: str = ""
    cursor_key_file: Path | None = None

    rate_scale: int = 1
    """Multiplies every rate limit of the API (benches, fuzzing)"""

    failpoints: str = ""
    """"name:exit@3;other:sleep=2" of solaris_shared.testing.failpoints; empty = off"""

    @model_validator(mode="before")
    @classmethod
    def _read_secret_files(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill each secret whose `<name>_file` is set and which is not given itself."""
        for name in list(values):
            secret = name.removesuffix(FILE_SUFFIX)
            if secret != name and secret in cls.model_fields and values[name] and not values.get(secret):
                values[secret] = Path(values[name]).read_text(encoding="utf-8").strip()
        return values

    def feed_of(self, service: str) -> str:
        """Address of another service's API, "" if it is not known."""
        return dict(one.split("=", 1) for one in self.feeds.split()).get(service, "")

    @property
    def migrator_url(self) -> str:
        """The address `migrate` uses."""
        return self.migrate_database_url or self.database_url
