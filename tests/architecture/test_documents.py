"""Documents may not rot: links lead somewhere, named commands exist, every decision is listed."""

import re
from pathlib import Path

import pytest
from source import ROOT

from solaris_local import commands

LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")
TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line.split("#")[0].split() for line in lines[3:5]] == [["make", "run"], ["make", "test"]]


def test_named_commands_and_targets_exist() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    known = {path.stem for path in Path(commands.__path__[0]).glob("*.py")}
    shell = re.findall(r"\.venv/bin/solaris ([a-z]+)", text)
    assert set(shell) <= known, set(shell) - known
    targets = set(TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    named = set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)) | set(
        re.findall(r"`make ([a-z-]+)", text)
    )
    assert named <= targets, named - targets


def test_every_decision_is_listed() -> None:
    index = (ROOT / "docs/adr/README.md").read_text(encoding="utf-8")
    assert not [page.name for page in ROOT.glob("docs/adr/[0-9]*.md") if page.name not in index]


def test_every_reading_has_its_test() -> None:
    """The page of rule readings names tests that are there."""
    page = (ROOT / "docs/rules/battletech/differences.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\| `(test_\w+)` \|$", page, re.MULTILINE))
    modules = [*ROOT.glob("services/*/tests/**/test_*.py")]
    there = {name for m in modules for name in re.findall(r"def (test_\w+)\(", m.read_text(encoding="utf-8"))}
    assert len(named) > 10
    assert named <= there, named - there
