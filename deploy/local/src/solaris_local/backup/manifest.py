"""What a back-up holds, and the check that it is whole: read before anything is touched."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
SEAL: Final = "manifest.sha256"
INCLUDED: Final = "included"
EXCLUDED: Final = "excluded"
CHUNK: Final = 1 << 20


class BackupRefused(RuntimeError):
    """A back-up cannot be made, or one cannot be restored; nothing has been changed."""


@dataclass(frozen=True, slots=True)
class Content:
    """One file: its size and digest."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its rows and the digest of them all in canonical order."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Cut:
    """Where one service stood: ends of its log and outbox, what it had imported, its schema's revision."""

    revision: str
    position: int
    publication: int
    imports: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Saved:
    """One service in a back-up."""

    cut: Cut
    tables: Mapping[str, Table]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The table of contents. `fingerprints`: sha256 of each key the league used, kept or not."""

    made_at: str
    release: str
    postgres: int
    keys: str
    fingerprints: Mapping[str, str]
    files: Mapping[str, Content]
    services: Mapping[str, Saved]

    def text(self) -> str:
        """As it stands in the file."""
        return json.dumps({"format": FORMAT} | asdict(self), indent=1, sort_keys=True) + "\n"


def parse(text: str) -> Manifest:
    """BackupRefused for anything that is not a manifest of this format."""
    try:
        data = dict(json.loads(text))
        if data.pop("format") != FORMAT:
            raise BackupRefused(f"another format of back-up than {FORMAT}: restore it with its own release")
        data["files"] = {name: Content(**one) for name, one in data["files"].items()}
        data["services"] = {name: _saved(one) for name, one in data["services"].items()}
        return Manifest(**data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupRefused(f"{MANIFEST} cannot be read: {error!r}") from None


def _saved(data: dict[str, Any]) -> Saved:
    tables = {name: Table(**one) for name, one in data["tables"].items()}
    return Saved(Cut(**data["cut"]), tables)


def contents(folder: Path) -> dict[str, Content]:
    """Size and digest of every file below `folder` but the manifest and its seal."""
    return {
        str(path.relative_to(folder)): content(path)
        for path in sorted(folder.rglob("*"))
        if not path.is_dir() and path.name not in (MANIFEST, SEAL)
    }


def content(path: Path) -> Content:
    """Size and digest of one file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return Content(size, digest.hexdigest())


def write(folder: Path, manifest: Manifest) -> str:
    """Write the manifest and its seal; the seal's digest names the whole back-up."""
    text = manifest.text().encode()
    digest = hashlib.sha256(text).hexdigest()
    (folder / MANIFEST).write_bytes(text)
    (folder / SEAL).write_text(f"{digest}  {MANIFEST}\n", encoding="ascii")
    sync([*(path for path in folder.rglob("*")), folder])
    return digest


def sync(paths: Iterable[Path]) -> None:
    """Bring files and folders to the disk."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def read(folder: Path, digest: str = "") -> Manifest:
    """The manifest of a back-up that is whole, byte for byte; BackupRefused otherwise.

    `digest` is what `solaris backup` printed: with it a back-up that somebody changed together with its
    manifest is refused too.
    """
    try:
        text = (folder / MANIFEST).read_bytes()
        seal = (folder / SEAL).read_text(encoding="ascii").split()[0]
    except (OSError, ValueError, IndexError):
        raise BackupRefused(f"{folder} is no whole back-up: {MANIFEST} or {SEAL} is missing") from None
    actual = hashlib.sha256(text).hexdigest()
    if actual != seal or (digest and actual != digest.lower()):
        raise BackupRefused(f"{MANIFEST} has been changed: its digest is {actual}")
    manifest = parse(text.decode("utf-8", "replace"))
    _compare(manifest.files, contents(folder))
    return manifest


def _compare(expected: Mapping[str, Content], found: Mapping[str, Content]) -> None:
    if missing := sorted(expected.keys() - found.keys()):
        raise BackupRefused(f"missing from the back-up: {', '.join(missing)}")
    if strange := sorted(found.keys() - expected.keys()):
        raise BackupRefused(f"not part of the back-up: {', '.join(strange)}")
    if changed := sorted(name for name in expected if expected[name] != found[name]):
        raise BackupRefused(f"changed or cut short: {', '.join(changed)}")
