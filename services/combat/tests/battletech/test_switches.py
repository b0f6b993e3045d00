"""What no text of the league says is a switch of the ruleset with its mark, and each one does something."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import (
    clearing,
    collapse,
    double_rate,
    heat_seeking,
    outcome,
    turn,
    victory,
    walls,
)
from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.battlefield import Fire
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.declaration import number_of
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import Ruleset, ruleset, ruleset_from
from solaris_combat.engines.battletech.start_places import draw_places
from solaris_combat.engines.battletech.terrain import TERRAINS
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.dice import ScriptedDice


def switched(section: str, **figures: Any) -> Ruleset:
    """The ruleset with some figures of one section changed."""
    table = ruleset().table
    assert set(figures) <= set(table[section]), "no such switch"
    return ruleset_from({**table, section: {**table[section], **figures}})


def pair(a: str | None = None, b: str | None = None) -> dict[str, Unit]:
    left, right = fresh_unit("A", CATALOGUE["JVN-10N"]), fresh_unit("B", CATALOGUE["AS7-D"])
    return {"A": replace(left, destroyed=a), "B": replace(right, destroyed=b)}


POINTS = {"A": 15, "B": 0}


def results(rules: Ruleset, units: dict[str, Unit], points: dict[str, int] = POINTS) -> tuple[str, str]:
    found = victory.results(rules.scoring, units, points)
    return found["A"], found["B"]


def test_the_heaviest_mech_decides_the_draw_band_or_the_lightest() -> None:
    assert results(ruleset(), pair()) == ("draw", "draw")
    assert results(switched("mixed_classes", counts="lightest"), pair()) == ("win", "loss")


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        *((reason, "destroyed") for reason in ("centre torso", "head", "engine", "no room")),
        ("mechwarrior", "pilot-dead"),
        *((word, word) for word in ("ejected", "surrendered", "fled")),
    ],
)
def test_what_wins_outright(reason: str, word: str) -> None:
    """Without its word the fight ends by points all the same."""
    named = ruleset().table["outright_win"]["on"]
    less = switched("outright_win", on=[one for one in named if one != word])
    units = pair(a=reason)
    assert results(ruleset(), units, {"A": 40, "B": 0}) == ("loss", "win")
    assert results(less, units, {"A": 40, "B": 0}) == ("win", "loss")


def test_both_out_compare_points_or_draw() -> None:
    units, points = pair("engine", "engine"), {"A": 90, "B": 0}
    assert results(ruleset(), units, points) == ("win", "loss")
    assert results(switched("both_out", compare_points=False), units, points) == ("draw", "draw")


def test_which_losses_destroy_a_mech(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = pair()["B"]
    gone = replace(gone, structure={**gone.structure, Location.HD: 0})
    assert outcome.destroyed(gone)
    assert not outcome.destroyed(pair(b="mechwarrior")["B"])
    monkeypatch.setattr(outcome, "ruleset", lambda: switched("mech_lost", on=["centre-torso", "engine"]))
    assert not outcome.destroyed(gone)


def test_a_push_voids_the_next_movement_or_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begin(ENGINE, setup(), bytes(32)).state
    state = replace(state, turn=3)
    pushed = ev.UnitDisplaced(3, "B", "0404", "0405", "pushed", "A", "")
    asked = {}
    for on in (True, False):
        rules = switched("push_voids_movement", on=on)
        monkeypatch.setattr(turn, "ruleset", lambda rules=rules: rules)
        monkeypatch.setattr(turn, "_fire_phases", lambda play, orders: play.events.append(pushed))
        monkeypatch.setattr(turn, "play_movement", lambda play, number, orders: None)
        play = Play(state, ScriptedDice(()))
        turn._fire_and_movement(play, {})
        asked[on] = [event.kind for event in play.events if isinstance(event, ev.Asking)]
    assert asked == {True: ["movement"], False: ["fire_and_movement"]}


def test_start_places_go_as_far_as_the_die(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begin(ENGINE, setup(), bytes(32)).state
    monkeypatch.setattr("solaris_combat.engines.battletech.start_places.ruleset", lambda: small)
    small = switched("start_positions", die=3)
    drawn = draw_places(Play(state, ScriptedDice((2, 2, 3))))
    assert [(roll.sides, roll.total) for roll in drawn.rolls] == [(3, 2), (3, 2), (3, 3)]
    assert [place.place for place in drawn.places] == [2, 3]


def test_in_hartford_gardens_who_lost_the_initiative_draws_again() -> None:
    """A: initiative first, level rolls again; B won, so A draws second and again on B's place."""
    state = begin(ENGINE, setup(arena="hartford-gardens"), bytes(32)).state
    faces = (3, 3, 2, 4, 1, 2, 5, 5, 4, 4, 6)
    dice = ScriptedDice(faces)
    drawn = draw_places(Play(state, dice))
    assert dice.left == ()
    assert [roll.purpose for roll in drawn.rolls] == [
        *("initiative of side A", "initiative of side B") * 2,
        *("start place of side B", "start place of side A", "start place of side A"),
    ]
    assert {place.side: place.place for place in drawn.places} == {"B": 4, "A": 6}


def test_of_two_rounds_the_first_or_the_second_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    both = ("heap", "precision")
    assert [double_rate.hitting(both, hits) for hits in (0, 1, 2)] == [(), ("heap",), both]
    monkeypatch.setattr(double_rate, "FIRST_HITS", False)
    assert [double_rate.hitting(both, hits) for hits in (0, 1, 2)] == [(), ("precision",), both]


@pytest.mark.parametrize(("on", "groups"), [(True, 3), (False, 0)])
def test_whether_a_collapse_hurts_who_stood_on_the_wall(
    monkeypatch: pytest.MonkeyPatch, on: bool, groups: int
) -> None:
    """A, FAQ 27: besides the fall."""
    state = begin(ENGINE, setup("AS7-D", "JVN-10N", "hartford-gardens"), bytes(32)).state
    wall = next(hex_ for hex_ in state.board.hexes() if state.board.ground(hex_).terrain.solid)
    state = arrange(state, A={"position": str(wall), "facing": 0}, B={"position": "0909", "facing": 0})
    state = ENGINE.evolve(state, ev.PhaseBegan(1, "movement"))
    buried: list[tuple[int, ...]] = []
    monkeypatch.setattr(walls, "ON_TOP", on)
    monkeypatch.setattr(collapse, "fall", lambda play, side, causes, levels: None)
    monkeypatch.setattr(collapse, "_bury", lambda play, side, points: buried.append(points))
    assert collapse.tread(Play(state, ScriptedDice(())), "A")
    assert [len(points) for points in buried] == [groups]


def test_one_success_clears_one_step_or_all_woods(monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = TERRAINS["heavy_woods"]
    assert clearing.cleared(heavy).key == "light_woods"
    monkeypatch.setattr(clearing, "ONE_STEP", False)
    assert clearing.cleared(heavy).key == "rough"


def seeker(**target: Any) -> Any:
    state = begin(ENGINE, setup("CPLT-C1", "AS7-D"), bytes(32)).state
    places = {"A": {"position": "0404", "facing": 3}, "B": {"position": "0411", "facing": 0} | target}
    return arrange(state, **places)


def number(state: Any) -> int:
    launcher = next(m.id for m in state.units["A"].design.mounts if m.weapon == "lrm-15")
    shot = ev.DeclaredShot(weapon=launcher, target="B", bin=None, aim=None, salvos=("heat-seeking",))
    found = number_of(state, "A", shot)
    assert found.possible
    return found.value


def burning(state: Any, where: str) -> Any:
    from solaris_combat.engines.battletech.hex import Hex

    fires = {state.board.index(Hex.parse(where)): Fire(1)}
    return replace(state, ground=replace(state.ground, fires=fires))


def test_a_fire_in_the_line_of_heat_seekers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by default; on, a burning hex on the line or under the target adds 2, one beside it does not."""
    state = seeker()
    plain = number(state)
    places = ("0406", "0411", "0404", "0907")
    assert [number(burning(state, place)) - plain for place in places] == [0, 0, 0, 0]
    monkeypatch.setattr(heat_seeking, "BURNING_COUNTS", True)
    assert [number(burning(state, place)) - plain for place in places] == [2, 2, 0, 0]


def test_the_heat_that_heat_seekers_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the start of the phase, or with what was built up since."""
    state = seeker(heat=4, heat_built=6)
    before = number(state)
    monkeypatch.setattr(heat_seeking, "AT_START", False)
    assert number(state) - before == -2


LIVE = {
    "mixed_classes": ["counts"],
    "outright_win": ["on"],
    "both_out": ["compare_points"],
    "mech_lost": ["on"],
    "push_voids_movement": ["on"],
    "start_positions": ["die"],
    "macro_fights": ["sides_at_most", "out_counts_whole", "last_strike_kills"],
    "victory_points": ["per_point_lost"],
}
"""Every PROPOSED switch of the ruleset itself."""


def test_every_proposed_switch_of_the_ruleset_is_known_here() -> None:
    proposed = {
        name: [key for key in section if key not in ("mark", "source")]
        for name, section in ruleset().table.items()
        if isinstance(section, dict) and section.get("mark") == "PROPOSED"
    }
    assert {name: sorted(keys) for name, keys in proposed.items()} == {n: sorted(k) for n, k in LIVE.items()}


def test_every_table_with_a_proposed_figure_is_shown() -> None:
    folder = Path(clearing.__file__).with_name("tables")
    for file in folder.glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        marks = {s.get("mark") for s in _sections(tomllib.loads(text))}
        if "PROPOSED" in marks:
            assert file.stem in ENGINE.rules["tables"], file.stem


ROW = re.compile(r"^\| `([\w/-]+)` \| `([\w.]+)` \| ([^|]+) \|", re.MULTILINE)


def test_the_page_lists_every_proposed_switch() -> None:
    folder = Path(clearing.__file__).with_name("tables")
    page = (Path(__file__).parents[4] / "docs/reference/ruleset.md").read_text(encoding="utf-8")
    listed = {(table, name): set(re.findall("`([^`]+)`", keys)) for table, name, keys in ROW.findall(page)}
    found = {}
    for file in folder.rglob("*.toml"):
        key = str(file.relative_to(folder).with_suffix(""))
        for name, section in _named(tomllib.loads(file.read_text(encoding="utf-8")), ""):
            if section.get("mark") == "PROPOSED":
                figures = {k for k, value in section.items() if not isinstance(value, dict)}
                found[key, name] = figures - {"mark", "source"}
    assert listed == found


def _named(table: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield name, table
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _named(value, f"{name}.{key}".lstrip("."))


def _sections(table: Any) -> list[dict[str, Any]]:
    if not isinstance(table, dict):
        return []
    return [table, *(one for value in table.values() for one in _sections(value))]
