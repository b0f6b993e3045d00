"""What may not be committed: addresses in lock files, paths of one machine, secrets."""

import re
import subprocess

from source import ROOT

LOCKS = ("requirements.lock", "toolchain.lock")
HOMES = "home|Users|root|work"
MACHINE = re.compile(rf"/({HOMES})/[A-Za-z0-9_.-]+|[A-Z]:\\\\Users")
ALLOWED = re.compile(rf"/({HOMES})/(\*|checkout)")
SECRET = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bSU[A-Z2-7]{56}\b")


def tracked() -> list[str]:
    """Files under version control."""
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    return [name for name in names.split("\0") if name and (ROOT / name).is_file()]


def text_of(name: str) -> str:
    """A tracked file as text, bad bytes replaced."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def test_lock_files_name_no_address() -> None:
    """An index or address in a lock would send every later machine there."""
    for lock in LOCKS:
        lines = text_of(lock).splitlines()
        assert not [
            line for line in lines if re.search(r"://|^\s*--?(index|extra|find|trusted)|^-[ief]\b", line)
        ]
        pins = [line for line in lines if re.match(r"[A-Za-z0-9]", line)]
        assert all("==" in line for line in pins)
        assert text_of(lock).count("--hash=sha256:") >= len(pins)


def test_no_path_of_a_machine_and_no_secret_is_committed() -> None:
    found = []
    for name in tracked():
        for number, line in enumerate(text_of(name).splitlines(), 1):
            if (MACHINE.search(line) and not ALLOWED.search(line)) or SECRET.search(line):
                found.append(f"{name}:{number}: {line.strip()[:80]}")
    assert not [line for line in found if not line.startswith("tests/architecture/")]


def test_generated_and_local_files_are_ignored() -> None:
    unwanted = re.compile(r"(^|/)(\.venv|\.solaris|__pycache__|\.uv)/|\.pyc$|(^|/)uv\.lock$")
    assert not [name for name in tracked() if unwanted.search(name)]
