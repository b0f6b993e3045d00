"""What the console needs to know: where the four APIs are, and the keys of its cookie."""

from pathlib import Path
from typing import Any

from pydantic import model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

SERVICES = ("league", "combat", "economy", "mail")


class ConsoleSettings(BaseSettings):
    """From the environment (prefix SOLARIS_); the keys better from a file."""

    model_config = SettingsConfigDict(env_prefix="SOLARIS_", extra="ignore", frozen=True)

    environment: str = "local"
    log_level: str = "INFO"
    http_host: str = "127.0.0.1"
    http_port: int = 8700
    trusted_proxies: str = ""
    """Addresses and networks, by commas, whose X-Forwarded-For names the visitor; empty: nobody's"""
    public_url: str = ""
    """Where browsers find the console (https://liga.example); empty: wherever they say they found it"""

    league_url: str = "http://127.0.0.1:8701"
    combat_url: str = "http://127.0.0.1:8702"
    economy_url: str = "http://127.0.0.1:8703"
    mail_url: str = "http://127.0.0.1:8704"
    api_seconds: float = 5.0
    """How long one question to an API may take"""

    session_keys: str = ""
    session_keys_file: Path | None = None
    """Keys of 32 bytes in hexadecimal, one a line; the first encrypts, all decrypt (rotation)"""

    @model_validator(mode="before")
    @classmethod
    def _read_keys(cls, values: dict[str, Any]) -> dict[str, Any]:
        file = values.get("session_keys_file")
        if file and not values.get("session_keys"):
            values["session_keys"] = Path(file).read_text(encoding="utf-8")
        return values

    @property
    def bases(self) -> dict[str, str]:
        """Service -> address."""
        return {name: getattr(self, f"{name}_url").rstrip("/") for name in SERVICES}

    @property
    def keys(self) -> tuple[bytes, ...]:
        """ValueError for a key that is missing or not 32 bytes long."""
        found = tuple(bytes.fromhex(line) for line in self.session_keys.split())
        if not found or any(len(key) != 32 for key in found):
            raise ValueError("SOLARIS_SESSION_KEYS(_FILE): 64 hexadecimal digits a line")
        return found
