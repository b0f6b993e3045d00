"""A PostgreSQL server that somebody else runs, named by SOLARIS_DATABASE_URL: used, never stopped."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from solaris_local.embedded import process
from solaris_local.embedded.binaries import Binaries


@dataclass(slots=True)
class ExternalPostgres:
    """The same face as the embedded server; `url` belongs to a role that may create roles and databases."""

    url: str
    pid: int = 0
    binaries: Binaries = field(init=False)

    def __post_init__(self) -> None:
        self.binaries = Binaries(Path(self.place), "SOLARIS_DATABASE_URL")

    @property
    def place(self) -> str:
        """Host and port, without the password."""
        return f"{urlsplit(self.url).hostname}:{self.port}"

    @property
    def port(self) -> int:
        """Its port."""
        return urlsplit(self.url).port or 5432

    def address(self, user: str, password: str, database: str) -> str:
        """Connection address of any role and database there."""
        return f"postgresql://{user}:{password}@{self.place}/{database}"

    def start(self) -> None:
        """It runs already; StartFailed where nobody listens."""
        host = urlsplit(self.url).hostname or "127.0.0.1"
        if not process.listens(host, self.port):
            raise process.StartFailed(f"SOLARIS_DATABASE_URL names {self.place}, where nobody listens")

    def stop(self) -> None:
        """It is not ours to stop."""

    def running(self) -> bool:
        """Its owner looks after it."""
        return True

    def version(self) -> str:
        """Where it is."""
        return f"PostgreSQL at {self.place}"
