"""A wrong figure planted anywhere in a rules table turns a test red."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solaris_combat.engines.battletech.tables import names

HERE = Path(__file__).parent
TABLES = {
    "to_hit": ("test_to_hit", "test_quads"),
    "hit_locations": ("test_hit_location",),
    "cluster_hits": ("test_cluster_hits",),
    "critical_hits": ("test_critical_hits", "test_damage", "test_heat", "test_piloting_and_falling"),
    "heat": ("test_heat",),
    "piloting": ("test_piloting_and_falling",),
    "falling": ("test_piloting_and_falling",),
    "pilot": ("test_piloting_and_falling", "test_damage"),
    "weapons": ("test_catalogue",),
    "physical": ("test_physical",),
    "munitions": ("test_loading",),
    "weapon_modes": ("test_weapon_modes", "test_guidance"),
    "electronics": ("test_guidance",),
    "movement": ("test_movement", "test_jumping", "test_figures_of_movement"),
    "ejection": ("test_figures_of_movement",),
    "line_of_sight": ("test_line_of_sight", "test_to_hit"),
    "fire": ("test_fire_and_smoke",),
    "clearing": ("test_fire_and_smoke",),
    "mines": ("test_mines",),
    "buildings": ("test_hartford_gardens", "test_buildings"),
    "terrain_mixtures": ("test_mixed_terrain",),
    "traps": ("test_hartford_gardens",),
    "anti_missile": ("test_anti_missile",),
    "level3": ("test_level3",),
    "munition_effects": ("test_munition_effects",),
    "terrain": ("test_terrain_figures",),
    "arcs": ("test_terrain_figures",),
    "equipment": ("test_equipment_figures",),
    "construction": ("test_equipment_figures",),
    "rulesets/solaris7-1": ("test_ruleset_figures", "test_falls_and_questions", "test_physical_phase"),
    "terrain_codes": ("test_names_and_codes",),
    "mtf_names": ("test_names_and_codes",),
}


MOST = 6
"""Figures of a table that are planted in every run; on demand (`make soak`) all are."""
SHEETS = dict.fromkeys(names("mechs"), ("test_catalogue",))
SOME = ("mechs/pnt-9r", "mechs/jvn-10n", "mechs/cplt-c1", "mechs/as7-d", "mechs/drg-5n")
TABLES |= {name: SHEETS[name] for name in SOME}
ARENAS = dict.fromkeys(names("arenas"), ("test_arena_figures",))
TABLES["arenas/hartford-gardens"] = ARENAS["arenas/hartford-gardens"]


@pytest.mark.parametrize("name", TABLES)
def test_wrong_figures_are_noticed(name: str) -> None:
    no_wrong_figure_stays_unnoticed(name, TABLES[name], MOST)


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(SHEETS | ARENAS | TABLES))
def test_every_wrong_figure_is_noticed(name: str) -> None:
    no_wrong_figure_stays_unnoticed(name, (SHEETS | ARENAS | TABLES)[name], 0)


def no_wrong_figure_stays_unnoticed(name: str, tests: tuple[str, ...], most: int) -> None:
    """Plant the figures of a table, at most so many (0: all), in a process of its own."""
    modules = [str(HERE / f"{module}.py") for module in tests]
    command = [sys.executable, str(HERE / "figures_planted.py"), name, str(most), *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["figures"] > 0
    assert report["unnoticed"] == []
