"""The data folder of one local league: where keys, logs, letters, servers and the state file lie."""

import fcntl
import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from solaris_local.embedded import process

DEFAULT: Final = ".solaris"
FAR_ROOT: Final = Path("/var/lib/solaris7")
KEY_BYTES: Final = 32
UNFINISHED: Final = "restore-unfinished"
"""Marker in the home while a restore puts data in place"""


class HomeInUse(RuntimeError):
    """Another runtime works on this data folder."""


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below the data folder; its folders are readable by their owner alone."""

    root: Path

    @classmethod
    def of_environment(cls) -> "Home":
        """SOLARIS_HOME, or `.solaris` in the current folder."""
        return cls(Path(os.environ.get("SOLARIS_HOME") or DEFAULT).resolve())

    @property
    def state_file(self) -> Path:
        """Ports, pids and addresses of the running league (JSON)."""
        return self.root / "state.json"

    @property
    def letters(self) -> Path:
        """Where the mail sink puts the letters sent, one .eml file each."""
        return self.root / "letters"

    def create(self) -> None:
        """Make the folders."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o711)
        for folder in (self.root / "keys", self.root / "logs", self.letters):
            process.own(folder, None)

    def servers(self) -> Path:
        """Folder of PostgreSQL and NATS; outside the home where their account could not reach into it."""
        if process.unprivileged() is None or process.reachable(self.root / "servers"):
            return self._open(self.root / "servers")
        name = hashlib.sha256(str(self.root).encode()).hexdigest()[:16]
        FAR_ROOT.mkdir(parents=True, exist_ok=True)
        return self._open(FAR_ROOT / name)

    @staticmethod
    def _open(folder: Path) -> Path:
        """The folder itself may be walked through; what is inside belongs to the servers' account."""
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
        return folder

    def log(self, name: str) -> Path:
        """Log file of one process."""
        return self.root / "logs" / f"{name}.log"

    def key(self, name: str) -> Path:
        """A random 32-byte key in hexadecimal, made on first use."""
        return self.secret(name, lambda: secrets.token_hex(KEY_BYTES))

    def secret(self, name: str, make: Any) -> Path:
        """A secret file that is made once, whole or not at all."""
        file = self.root / "keys" / name
        if not file.exists():
            write_private(file, make())
        return file

    def read_state(self) -> dict[str, Any]:
        """The last state written; empty if there is none."""
        try:
            return dict(json.loads(self.state_file.read_text()))
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def write_state(self, state: dict[str, Any]) -> None:
        """Replace the state file in one step."""
        write_private(self.state_file, json.dumps(state, indent=1, sort_keys=True) + "\n")

    def lock(self) -> int:
        """Take the folder for this process; the lock falls with the process, however it ends."""
        descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise HomeInUse(f"a league is already up on {self.root} (see `solaris status`)") from None
        return descriptor


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner reads, durable and in one step."""
    part = file.with_name(f".{file.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as target:
        target.write(text)
        target.flush()
        os.fsync(target.fileno())
    part.rename(file)
