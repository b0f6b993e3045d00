"""pg_dump and pg_restore of the server's own release."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from solaris_local.backup.manifest import BackupRefused
from solaris_local.embedded.binaries import Binaries


def dump(binaries: Binaries, url: str, snapshot: str, file: Path) -> None:
    """Dump the database at `url` as the exported `snapshot` saw it."""
    options = ["--format=custom", f"--snapshot={snapshot}", f"--file={file}", f"--dbname={_named(url)}"]
    _run(binaries, "pg_dump", options, url)


def restore(binaries: Binaries, url: str, file: Path) -> None:
    """Bring a dump into the empty database at `url`: all of it, or BackupRefused."""
    options = ["--exit-on-error", "--single-transaction", f"--dbname={_named(url)}", str(file)]
    _run(binaries, "pg_restore", options, url)


def _named(url: str) -> str:
    """The address without the password: arguments are seen by everybody on the machine."""
    parts = urlsplit(url)
    return f"postgresql://{parts.username}@{parts.hostname}:{parts.port}{parts.path}"


def _run(binaries: Binaries, program: str, options: Sequence[str], url: str) -> None:
    command = binaries.program(program)
    if not command.is_file():
        raise BackupRefused(f"there is no {program} in {binaries.folder}: use a complete PostgreSQL")
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PGPASSWORD": urlsplit(url).password or ""}
    done = subprocess.run([command, *options], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BackupRefused(f"{program} failed: {done.stderr.strip()[-2000:]}")
