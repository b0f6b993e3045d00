"""Generated files of the repository: compared with what is committed, or written."""

from pathlib import Path

from solaris_local.contracts.coverage import coverage_page
from solaris_local.contracts.documents import documents

COVERAGE = "docs/rules/battletech/coverage.md"
OWNED = ("contracts/events", "contracts/openapi")


def generated(checkout: Path) -> dict[str, str]:
    """Path below the checkout -> text."""
    files = {f"contracts/{name}": text for name, text in documents().items()}
    files[COVERAGE] = coverage_page(checkout)
    return files


def compare(checkout: Path, files: dict[str, str]) -> list[str]:
    """Names of files that are missing, different or no longer generated."""
    different = [name for name, text in files.items() if _text(checkout / name) != text]
    return sorted([*different, *_stale(checkout, files)])


def write(checkout: Path, files: dict[str, str]) -> None:
    """Bring the folder to exactly these files."""
    for name in _stale(checkout, files):
        (checkout / name).unlink()
    for name, text in files.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text, encoding="utf-8")


def _stale(checkout: Path, files: dict[str, str]) -> list[str]:
    present = [path for folder in OWNED for path in (checkout / folder).glob("*.json")]
    return [name for path in present if (name := str(path.relative_to(checkout))) not in files]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
