"""The shared worked examples of the league's rules that are built."""

import os
from pathlib import Path

import pytest
import yaml

from solaris_local.cases.league import OPS
from solaris_local.cases.runner import ops

ROOT = Path(__file__).parents[3]


def cases():
    file = Path(os.environ.get("SOLARIS_SHARED", ROOT.parent / "shared")) / "cases/solaris7.yaml"
    if not file.is_file():
        message = f"no shared cases: {file}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(
    ("op", "fewest"),
    [
        ("ranking_points", 3),
        ("experience", 4),
        ("fight_length", 10),
        ("overtime", 9),
        ("permanence_places", 1),
    ],
)
def test_every_case_of_a_built_operation_agrees(op, fewest):
    rows = [row for row in cases() if row["op"] == f"league.{op}"]
    got = {row["id"]: OPS[row["op"]](row["in"]) for row in rows}
    assert got == {row["id"]: row["expect"] for row in rows}
    assert len(rows) >= fewest


@pytest.mark.parametrize(("op", "fewest"), [("combat.find_club", 0), ("combat.physical.sword", 1)])
def test_clubs_and_swords_agree(op, fewest):
    """PHY7: sword damage, weight and base number; girders by the building."""
    rows = [row for row in cases() if row["op"] == op]
    assert {row["id"]: ops()[op](row["in"]) for row in rows} == {row["id"]: row["expect"] for row in rows}
    assert len(rows) >= fewest
    assert ops()["combat.find_club"]({"rubble_of": "heavy_building"}) == {"needed": 6}
