"""Every case of the shared list of public complaints is a test somewhere, or stands in a list with a
reason.
"""

import ast
import os
import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
SHARED = Path(os.environ.get("SOLARIS_SHARED", REPOSITORY.parent / "shared"))
CASES = SHARED / "design" / "event-store-cases.md"
ID = re.compile(r"\b[GPVDRCSO]\d\d\b")


def docstrings() -> set[str]:
    """The case ids in the docstrings of all tests."""
    ids: set[str] = set()
    for path in REPOSITORY.glob("**/tests/**/test_*.py"):
        if ".venv" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                ids |= set(ID.findall(ast.get_docstring(node) or ""))
    return ids


def test_every_case_is_tested_or_has_a_reason_not_to_be():
    if not CASES.exists():
        pytest.skip(f"{CASES} is not there: set SOLARIS_SHARED to the shared reference folder")
    table = re.findall(r"^\| ([GPVDRCSO]\d\d) \|", CASES.read_text(encoding="utf-8"), re.MULTILINE)
    reasons = tomllib.loads((HERE / "untested_cases.toml").read_text(encoding="utf-8"))
    tested = docstrings()
    assert len(table) == 80
    assert sorted(set(table) - tested - reasons.keys()) == []
    assert sorted(reasons.keys() & tested) == [], "tested now: take it out of untested_cases.toml"
    assert all(reasons.values())
