"""The shared cases of fire and its effects, against the list of known differences."""

import os
import re
from pathlib import Path

import pytest

from solaris_local.cases import battletech_attack, battletech_physical, combat
from solaris_local.cases.runner import Outcome, run_files

ROOT = Path(__file__).parents[3]
DIFFERENCES = ROOT / "docs/rules/battletech/differences.md"
NOT_BUILT = {"tohit": 1}
"""Rows of equipment outside the slice: artillery."""


def shared() -> Path:
    """The shared reference folder beside the checkout; without it tests skip, in CI they fail."""
    folder = Path(os.environ.get("SOLARIS_SHARED", ROOT.parent / "shared")) / "cases"
    if not folder.is_dir():
        message = f"no shared cases in {folder}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return folder


def known_differences() -> set[str]:
    return set(re.findall(r"^\| ([a-z]+[-0-9]\S*) \|", DIFFERENCES.read_text(encoding="utf-8"), re.MULTILINE))


def not_built(outcome: Outcome) -> bool:
    return outcome.trouble.startswith("not built: ")


@pytest.mark.parametrize("kind", [*battletech_attack.KINDS, *battletech_physical.KINDS])
def test_every_row_agrees_or_is_a_known_difference(kind):
    outcomes = list(run_files([shared() / f"battletech/{kind}.jsonl"]))
    listed = {outcome.case for outcome in outcomes} & known_differences()
    built = [outcome for outcome in outcomes if not not_built(outcome)]
    assert len(outcomes) - len(built) == NOT_BUILT.get(kind, 0)
    assert {outcome.case for outcome in built if not outcome.passed} == listed


def test_the_league_cases_of_built_operations_pass():
    outcomes = list(run_files([shared() / "solaris7.yaml"]))
    failed = {outcome.case: outcome for outcome in outcomes if not outcome.passed and not outcome.trouble}
    assert failed == {}
    assert len(combat.OPS) == 5
