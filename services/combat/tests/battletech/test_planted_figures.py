"""A wrong figure planted anywhere in a rules table turns a test red."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solaris_combat.engines.battletech.tables import names

HERE = Path(__file__).parent
TABLES = {
    "to_hit": ("test_to_hit",),
    "hit_locations": ("test_hit_location",),
    "cluster_hits": ("test_cluster_hits",),
    "critical_hits": ("test_critical_hits", "test_damage", "test_heat", "test_piloting_and_falling"),
    "heat": ("test_heat",),
    "piloting": ("test_piloting_and_falling",),
    "falling": ("test_piloting_and_falling",),
    "pilot": ("test_piloting_and_falling", "test_damage"),
    "weapons": ("test_catalogue",),
    "physical": ("test_physical",),
}


TABLES |= dict.fromkeys(names("mechs"), ("test_catalogue",))


@pytest.mark.parametrize("name", TABLES)
def test_every_wrong_figure_is_noticed(name: str) -> None:
    modules = [str(HERE / f"{module}.py") for module in TABLES[name]]
    command = [sys.executable, str(HERE / "figures_planted.py"), name, *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["figures"] > 0
    assert report["unnoticed"] == []
