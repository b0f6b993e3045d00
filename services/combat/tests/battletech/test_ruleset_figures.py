"""The figures of the ruleset, as the league's texts print them, through the functions that play them.

R: main rules 6.00; C-nn: contradictions resolved in solaris7-tables.md; 1.7, 1.9, 6.1: its tables.
"""

from dataclasses import replace
from typing import Any

from duels import ENGINE, macro, setup
from test_loading import at_start, codes
from test_simultaneous_movement import facing_each_other

from solaris_combat.engines.battletech import movement_phase
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.events import DuelOpened, StartPositionsDrawn
from solaris_combat.engines.battletech.firing_modes import modes_of
from solaris_combat.engines.battletech.hex import Hex, neighbours
from solaris_combat.engines.battletech.hit_location import weapon_location
from solaris_combat.engines.battletech.loading import allowance, offered, special_loads
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.opening import check_setup
from solaris_combat.engines.battletech.orders import Initial
from solaris_combat.engines.battletech.outcome import destroyed
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.rulings import overtime
from solaris_combat.engines.battletech.start_places import draw_places
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.battletech.victory import draw_band, points_against, results, weight_class
from solaris_combat.engines.battletech.way import Way
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Setup
from solaris_combat.engines.dice import ScriptedDice

CLASSES = (3, 4, 5)


def opens(**terms: Any) -> list[str]:
    return [one.code for one in check_setup(replace(setup(), **terms))]


def test_classes_and_lengths() -> None:
    """R 4.2, 4.5, 4.6.5: 8 turns; others by agreement in Class 5 only, up to 14."""
    assert [opens(fight_class=c, ruleset="solaris7/1") for c in (2, *CLASSES, 6)] == [
        ["class-not-played"],
        *[[]] * 3,
        ["class-not-played"],
    ]
    wrong = ["turns-not-allowed"]
    assert [opens(fight_class=c, turns=t) for c in CLASSES for t in (7, 8, 9)] == [wrong, [], wrong] * 2 + [
        wrong,
        [],
        [],
    ]
    assert [opens(fight_class=5, turns=t) for t in (14, 15)] == [[], wrong]


def test_extra_time_of_permanence_fights() -> None:
    """R 4.3: by 2 turns while it is level, up to 14."""
    assert [overtime(ruleset(), turn, level=True) for turn in (8, 10, 12, 13, 14)] == [10, 12, 14, 14, None]
    assert overtime(ruleset(), 8, level=False) is None


def test_floating_criticals_and_automatic_rolls_are_played() -> None:
    hit = weapon_location("front", ScriptedDice((1, 1, 6, 6)), ruleset().rules)
    assert (hit.location, hit.critical, hit.floating) == (Location.HD, True, True)
    assert (ruleset().rules.automatic_rolls, ruleset().id) == (True, "solaris7/1")


def test_which_classes_play_which_rules_of_level_3() -> None:
    """Tables 1.9: none of them in Class 3; special ammunition and mixed bins in Class 5 alone."""
    assert [modes_of(WEAPONS["ac-5"], c) for c in CLASSES] == [(), ("double",), ("double",)]
    assert [modes_of(WEAPONS["ppc"], c) for c in CLASSES] == [(), ("inhibitor_off",), ("inhibitor_off",)]
    launcher = CATALOGUE["CPLT-C1"].bins[0]
    hot = [codes(at_start("CPLT-C1", c), {launcher.id: ["normal hot"]}) for c in CLASSES]
    assert [bool(found) for found in hot] == [True, False, False]
    kinds = [set(offered(CATALOGUE["CPLT-C1"], launcher, c)) for c in CLASSES]
    assert ["dead-fire" in found for found in kinds] == [False, False, True]
    mixed = [bool(codes(at_start("CPLT-C1", c), {launcher.id: ["normal", "narc"]})) for c in CLASSES]
    assert mixed == [True, True, False]


def test_special_ammunition_costs_50000_for_two_salvoes() -> None:
    """R 4.6.6, C-05, C-06; R 6.00 (C-07): Inferno is special too."""
    launcher = CATALOGUE["CPLT-C1"].bins[0].id
    salvoes = [codes(at_start("CPLT-C1"), {launcher: ["dead-fire"] * n}) for n in (2, 3)]
    assert [bool(found) for found in salvoes] == [False, True]
    charged = special_loads({"one": ("dead-fire", "dead-fire"), "two": ("inferno",)}, ruleset())
    assert [(one.munition, one.price) for one in charged] == [("dead-fire", 50_000), ("inferno", 50_000)]


def rounds(ammunition: str, fight_class: int, *, permanence: bool = False) -> int:
    """Rounds allowed for each weapon in a fight of 8 turns."""
    design = CATALOGUE["AS7-D"]
    mount = replace(design.mounts[0], weapon=ammunition)
    terms = DuelOpened("solaris7/1", fight_class, "la-cantera", 8, (), {}, permanence)
    return allowance(replace(design, mounts=(mount,)), ammunition, terms)


def test_rounds_for_each_turn() -> None:
    """R 4.6.5, C-11: one; two for autocannon at double rate, always for Ultra; 14 turns at most."""
    assert [rounds("lrm-20", c) for c in CLASSES] == [8, 8, 8]
    assert [rounds("ac-20", c) for c in CLASSES] == [8, 16, 16]
    assert [rounds("ultra-ac-5", c) for c in CLASSES] == [16, 16, 16]
    assert [rounds("ac-20", c, permanence=True) for c in CLASSES] == [14, 14, 28]
    assert [rounds("ultra-ac-5", c, permanence=True) for c in CLASSES] == [14, 14, 28]


def test_automatic_ejection_unless_said_otherwise() -> None:
    told = ENGINE.options(at_start("PNT-9R"), "A")["initial"]["auto_eject"]
    said_nothing = ENGINE.parse_orders({"turn": 0, "initial": {}}).initial
    assert (told, Initial().auto_eject, said_nothing) == (True, True, Initial())


def test_the_wish_of_the_referee_counts() -> None:
    assert ruleset().table["length_votes"]["referee_counts"] is True


def test_start_places_go_by_one_die_of_six() -> None:
    """6.1: 1D6 for each side; who comes second on a place rolls again."""
    state = at_start("PNT-9R")
    place = replace(
        state.arena, starts=state.arena.starts + tuple((h, 0) for h in state.board.hexes()[40:43])
    )
    drawn = draw_places(Play(replace(state, arena=place), ScriptedDice((6, 6, 1))))
    assert isinstance(drawn, StartPositionsDrawn)
    assert [(roll.sides, roll.faces) for roll in drawn.rolls] == [(6, (6,)), (6, (6,)), (6, (1,))]


def test_two_who_want_one_hex_roll_2d6_until_one_is_lowest() -> None:
    """D, C-03: who loses keeps the hex."""
    state = facing_each_other()
    ahead = ENGINE.parse_orders({"turn": 1, "movement": {"mode": "walk", "steps": ["F"]}})
    dice = ScriptedDice((3, 3, 2, 4, 1, 2, 6, 6))
    after = state
    for event in ENGINE.decide(state, {"A": ahead, "B": ahead}, dice):
        after = ENGINE.evolve(after, event)
    (contest,) = after.contests
    assert dice.left == ()
    assert (contest.loser, contest.winner, [roll.total for roll in contest.rolls]) == (
        "A",
        "B",
        [6, 6, 3, 12],
    )


def test_who_stays_in_a_hex_keeps_it_without_a_roll() -> None:
    """D, C-03: two others want it, and nobody rolls."""
    goal, sides = Hex(5, 5), "ABC"
    ways = {side: Way((here, goal)) for side, here in zip(sides, neighbours(goal), strict=False)}
    play = Play(at_start("PNT-9R"), ScriptedDice(()))
    movement_phase._roll_initiative(play, {**ways, "D": Way((goal,))})
    assert play.events == []


def pair(a: str | None = None, b: str | None = None) -> dict[str, Unit]:
    left, right = fresh_unit("A", CATALOGUE["JVN-10N"]), fresh_unit("B", CATALOGUE["AS7-D"])
    return {"A": replace(left, destroyed=a), "B": replace(right, destroyed=b)}


def test_weight_classes_and_draw_bands() -> None:
    """1.2, R 4.3: 35, 55, 75, 100 tons; 5, 10, 15, 20 points; of several classes the heaviest counts."""
    rules = ruleset().scoring
    names = {name: [t for t in range(20, 101, 5) if weight_class(rules, t) == name] for name in BANDS}
    assert {name: tons[-1] for name, tons in names.items()} == {
        "light": 35,
        "medium": 55,
        "heavy": 75,
        "assault": 100,
    }
    bands = {name: [draw_band(rules, name, n) for n in (band - 1, band)] for name, band in BANDS.items()}
    assert bands == {name: ["draw", "win"] for name in BANDS}
    assert results(rules, pair(), {"A": 19, "B": 0}) == {"A": "draw", "B": "draw"}


BANDS = {"light": 5, "medium": 10, "heavy": 15, "assault": 20}


def test_what_wins_whatever_the_points() -> None:
    """1.7: destroyed, dead, ejected, surrendered or fled."""
    rules = ruleset().scoring
    lost = ("centre torso destroyed", "mechwarrior", "ejected", "surrendered", "fled")
    for reason in lost:
        assert results(rules, pair(b=reason), {"A": 0, "B": 99})["A"] == "win", reason
    both = results(rules, pair("ejected", "ejected"), {"A": 0, "B": 99})
    assert both == {"A": "loss", "B": "win"}


def test_which_losses_destroy_a_mech() -> None:
    """R 4.7: centre torso, head and engine; not its mechwarrior alone."""
    whole = fresh_unit("A", CATALOGUE["JVN-10N"])
    gone = [
        replace(whole, structure={**whole.structure, at: 0}) for at in (Location.CT, Location.HD, Location.RA)
    ]
    engine = replace(whole, hits=frozenset((Location.CT, n) for n in (1, 2, 3)))
    assert [destroyed(unit) for unit in (whole, *gone, engine)] == [False, True, True, False, True]


def test_points_and_fights_of_several() -> None:
    """1.7: a point for a point; who is out of a macro fight counts whole; up to eight sides."""
    state = at_start("PNT-9R")
    unit = state.units["B"]
    front, rear = unit.armor[Location.CT]
    hurt = replace(unit, armor={**unit.armor, Location.CT: (front - 7, rear)})
    assert replace(state, units={**state.units, "B": hurt}).points("A") == 7
    out = replace(hurt, destroyed="ejected")
    assert points_against(ruleset().scoring, out, macro=True) > 100
    assert points_against(ruleset().scoring, out, macro=False) == 7
    assert ruleset().scoring.last_strike_kills
    assert many(8) == []
    assert "sides-not-played" in many(9)


def many(sides: int) -> list[str]:
    terms: Setup = macro(",".join(["JVN-10N"] * 4), ",".join(["JVN-10N"] * 4))
    extra = terms.units[:1] * (sides - 8)
    return [one.code for one in check_setup(replace(terms, units=(*terms.units, *extra)))]
