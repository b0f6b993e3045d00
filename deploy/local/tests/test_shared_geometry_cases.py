"""The shared cases of hexes, sides, lines of sight and movement, against the list of known differences."""

import os
from pathlib import Path

import pytest

from solaris_local.cases import battletech_geometry, battletech_movement
from solaris_local.cases.exceptions import exceptions
from solaris_local.cases.runner import run_files

ROOT = Path(__file__).parents[3]


def shared() -> Path:
    """The shared reference folder beside the checkout; without it tests skip, in CI they fail."""
    folder = Path(os.environ.get("SOLARIS_SHARED", ROOT.parent / "shared")) / "cases/battletech"
    if not folder.is_dir():
        message = f"no shared cases in {folder}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return folder


@pytest.mark.parametrize("kind", [*battletech_geometry.KINDS, *battletech_movement.KINDS])
def test_every_row_agrees_or_is_excepted(kind):
    outcomes = list(run_files([shared() / f"{kind}.jsonl"], exceptions()))
    assert outcomes
    assert [outcome for outcome in outcomes if not (outcome.passed or outcome.excepted)] == []
