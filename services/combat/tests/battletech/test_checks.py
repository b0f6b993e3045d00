"""Checks of ../shared/design/checks.md that belong to no single rule; every check has a test or a reason."""

import ast
import itertools
import os
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, play, setup
from sheets import field, number, unit

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm, heat_events
from solaris_combat.engines.battletech.board import arena, arena_ids
from solaris_combat.engines.battletech.catalogue import CATALOGUE, NOT_PLAYED
from solaris_combat.engines.battletech.critical_hits import roll_criticals
from solaris_combat.engines.battletech.hex import Hex, neighbour
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mech import Location, slot_numbers
from solaris_combat.engines.battletech.mobility import walk_mp
from solaris_combat.engines.battletech.mtf import read
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.record_sheet import DesignRefused
from solaris_combat.engines.battletech.weapons import AMMUNITION
from solaris_combat.engines.dice import Roll

ROOT = Path(__file__).parents[4]
FAMILIES = (
    *("LOS", "RNG", "MOD", "ARC", "AMM", "CRT", "GYR", "HIP", "HT", "HEAT", "LVL", "FAL", "WAT", "PHY"),
    *("PIL", "CLU", "UAC", "STR", "ART", "BLD", "FIR", "MIN", "SIM"),
    *("DF", "HOT", "RF", "AMS", "INF", "BIN", "LOG", "GM", "PER"),
)
SINGLE = {
    *(f"IO{n}" for n in range(1, 8)),
    *(f"DL{n}" for n in range(1, 6)),
    *(f"SEC{n}" for n in (*range(1, 9), 17)),
    *(f"CON{n}" for n in (1, 2, 5, 7)),
}
"""Of the other families, those that are combat's; CON4 is the league's."""
ID = re.compile(r"\b[A-Z]+\d+\b")
PLAYED = sorted(model for model, reasons in NOT_PLAYED.items() if not reasons)


def asked_for() -> set[str]:
    """The ids of the page that are tests of the engine; without the page the test skips, in CI it fails."""
    page = Path(os.environ.get("SOLARIS_SHARED", ROOT.parent / "shared")) / "design/checks.md"
    if not page.is_file():
        message = f"no checks in {page}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    listed = re.findall(r"^\| ([A-Z]+)(\d+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {f + n for f, n in listed if f in FAMILIES or f + n in SINGLE}


def ids_with_a_test() -> set[str]:
    """Every id in the docstring of a test, or of a module of tests."""
    found: set[str] = set()
    for folder in ("services", "deploy/local/tests", "tests", "shared/tests", "console/tests"):
        for file in (ROOT / folder).rglob("test_*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
                    found |= set(ID.findall(ast.get_docstring(node) or ""))
    return found


def test_every_check_has_a_test_or_a_reason() -> None:
    left = tomllib.loads(Path(__file__).with_name("checks_left.toml").read_text(encoding="utf-8"))["left"]
    asked, covered = asked_for(), ids_with_a_test()
    assert sorted(asked - covered - set(left)) == []
    assert sorted(set(left) - (asked - covered)) == [], "entries that have a test, or that no check asks for"
    assert all(reason.strip() for reason in left.values())


@pytest.mark.parametrize("arena_id", arena_ids())
def test_every_line_of_an_arena_is_seen_from_both_ends(arena_id: str) -> None:
    """LOS1: standing and prone; the woods are the same, but for what cover hides along edges."""
    board = arena(arena_id).board
    hexes = board.hexes()
    pairs = [(a, b) for n, a in enumerate(hexes) for b in hexes[n + 1 :]]
    for a, b in random.Random(7).sample(pairs, 6_000):
        for down, other in ((False, False), (True, False), (False, True), (True, True)):
            there, back = line_of_sight(board, a, b, down, other), line_of_sight(board, b, a, other, down)
            assert there.possible == back.possible, (a, b, down, other)
            if not (there.target_cover or back.target_cover):
                assert (there.light_woods, there.heavy_woods) == (back.light_woods, back.heavy_woods), (a, b)


class Endless:
    """Dice that show the given faces and then go round all sides, so that every draw ends."""

    def __init__(self, first: tuple[int, ...]) -> None:
        self.first = list(first)
        self.turn = 4

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Next faces."""
        return Roll(purpose, sides, tuple(self._face(sides) for _ in range(count)))

    def _face(self, sides: int) -> int:
        if self.first:
            return self.first.pop(0)
        self.turn += 1
        return self.turn % sides + 1


def test_an_arm_whose_weapon_was_declared_does_not_punch() -> None:
    """STR1: declaring uses the limb, whether or not the launcher locks on."""
    state = begin(ENGINE, setup("HBK-4G", "PNT-9R"), b"").state
    state = ENGINE.evolve(state, ev.Asking(3, "fire"))
    board = state.board
    level = next(
        h for h in board.hexes() if len({board.cells[board.index(x)] for x in (h, neighbour(h, 3))}) == 1
    )
    state = arrange(state, A={"position": str(level), "facing": 3}, B={"position": str(neighbour(level, 3))})
    punch = {"attack": "punch", "limb": "RA", "target": "B"}
    for shots, pointers in (
        ([], []),
        ([{"weapon": "ra-medium-laser-1", "target": "B"}], ["/fire/physical/0"]),
    ):
        fire = {"shots": shots, "physical": [punch]}
        found = ENGINE.check(state, "A", ENGINE.parse_orders({"turn": 3, "fire": fire}))
        assert [violation.pointer for violation in found] == pointers


def test_every_salvo_tells_dice_hits_and_groups() -> None:
    """CLU1: what is not all or nothing has a second roll, and its groups add up."""
    salvos = [
        event
        for n in range(6)
        for event in play(ENGINE, setup("ARC-2R", "CPLT-C1"), b"clu%d" % n).events
        if isinstance(event, ev.ShotResolved) and event.missiles is not None
    ]
    assert salvos
    for shot in salvos:
        assert [roll.purpose for roll in shot.rolls][:2] == ["to hit", "missile hits"]
        assert sum(shot.groups) >= shot.missiles > 0


def test_every_number_is_told_with_its_items() -> None:
    """LOG1: shots, blows and piloting rolls name every summand with its rule; they add up to the number."""
    seen: set[str] = set()
    duels = (setup("ARC-2R", "JR7-D"), *[setup("HBK-4G", "WVR-6R", "coliseum")] * 3)
    for n, (terms, levels) in enumerate(itertools.product(duels, ((1, 1), (0, 0)))):
        for event in play(ENGINE, terms, b"log%d" % n, levels).events:
            items = getattr(event, "modifiers", ())
            if not items or getattr(event, "number", None) is None:
                continue
            seen.add(type(event).__name__)
            assert sum(item.value for item in items) == event.number, event
            assert all(item.reason and item.rule for item in items), event
            assert len({item.reason for item in items}) == len(items), event
    assert seen >= {"ShotResolved", "PhysicalResolved", "PilotingRollMade"}


def test_effects_of_heat_come_in_one_order() -> None:
    """HEAT1: shutdown, then ammunition, then the mechwarrior."""
    state = begin(ENGINE, setup(), b"").state
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", {"lt-srm-4-ammo-1": 1}, False))
    state = ENGINE.evolve(state, ev.PhaseBegan(7, "movement"))
    support = slot_numbers(state.units["A"].design, Location.HD, "life_support")
    a = {"position": "0104", "facing": 2, "heat": 36, "hits": frozenset({(Location.HD, support[0])})}
    state = arrange(state, A=a, B={"position": "1514", "facing": 5})
    state = ENGINE.evolve(state, ev.Asking(7, "fire_and_movement"))
    still = ENGINE.default_orders(state, "A")
    events = ENGINE.decide(state, {"A": still, "B": still}, Endless(()))
    assert isinstance(events, tuple)
    kinds = [getattr(event, "kind", getattr(event, "cause", "")) for event in events if _by_heat(event)]
    assert kinds == ["shutdown", "ammunition", "heat"]


def _by_heat(event: Any) -> bool:
    return isinstance(event, heat_events.HeatCheckMade) or (
        isinstance(event, harm.Wound) and event.cause == "heat"
    )


def struck_bin(item: str, model: str = "PNT-9R") -> Play:
    """A critical hit on the first slot that holds a thing of A, with its dice; ejection is automatic."""
    state = begin(ENGINE, setup(model), b"").state
    loads = {ammo.id: ammo.shots for ammo in state.units["A"].design.bins}
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", loads, True))
    state = arrange(state, A={"position": "0805", "facing": 3}, B={"position": "1514", "facing": 0})
    design = state.units["A"].design
    place, slot = next(
        (place, n)
        for place, slots in design.slots.items()
        for n, one in enumerate(slots, 1)
        if one.item.startswith(item)
    )
    run = Play(state, Endless((4, 4, slot)))
    chain = harm.Chain(state.units["A"])
    roll_criticals(chain, place, run.dice)
    go_through(run, chain.harm())
    return run


def test_feedback_and_ejection_come_together() -> None:
    """AMM1: the wounds of an explosion are there, and he is thrown out."""
    run = struck_bin("lt-srm-4-ammo")
    kinds = [type(event).__name__ for event in run.events]
    assert run.unit("A").pilot_hits >= 2
    assert kinds.index("Explosion") < kinds.index("Wound") < kinds.index("PilotEjected")


def test_a_gauss_rifle_that_blows_up_throws_out_the_mechwarrior() -> None:
    """AMM2: as a bin does; its ammunition does not explode, and the bin is spent."""
    model = next(m for m in PLAYED if any("gauss" in mount.weapon for mount in CATALOGUE[m].mounts))
    gauss = next(mount for mount in CATALOGUE[model].mounts if "gauss" in mount.weapon)
    run = struck_bin(gauss.id, model=model)
    blast = next(event for event in run.events if isinstance(event, harm.Explosion))
    assert blast.damage == 20
    assert [event for event in run.events if isinstance(event, ev.PilotEjected)]
    store = next(ammo for ammo in CATALOGUE[model].bins if "gauss" in ammo.ammunition)
    run = struck_bin(store.id, model=model)
    assert not [event for event in run.events if isinstance(event, harm.Explosion)]


def test_every_kind_of_ammunition_explodes_but_for_gauss() -> None:
    """AMM4: a flag of each kind."""
    inert = {key for key, kind in AMMUNITION.items() if not kind.damage}
    assert {key for key in AMMUNITION if "gauss" in key} <= inert
    assert inert <= {key for key in AMMUNITION if "gauss" in key or "narc" in key}


def test_hips_and_feet() -> None:
    """HIP1: a foot is worth +1, a hip halves the walk, a second one ends it.

    The order is that of movement.yaml (hip, actuators, heat), whatever was hit first.
    """
    made = unit("GRF-1N")
    assert (made.design.walk, piloting_number(made).value) == (5, 5)
    assert piloting_number(unit("GRF-1N", (("RL", "foot"),))).value == 6
    assert walk_mp(unit("GRF-1N", (("RL", "hip"),))) == 3
    assert walk_mp(unit("GRF-1N", (("RL", "hip"), ("RL", "foot")))) == 3
    assert walk_mp(unit("GRF-1N", (("RL", "hip"), ("LL", "foot")))) == 2
    assert walk_mp(unit("GRF-1N", (("RL", "hip"), ("LL", "hip")))) == 0


def test_no_leg_is_hit_behind_cover_of_water_or_hill() -> None:
    """LOS4, LOS6: whoever stands in depth 1 or behind a rise is hit by the punch table, from any level."""
    for level in (0, 2):
        attacker = unit(position=Hex(5, 1), facing=3)
        target = unit("JVN-10N", side="B", position=Hex(5, 4), facing=0)
        for place in (
            {"h0504": (0, "water:1")},
            {"h0503": (1, "")} if not level else {"h0504": (0, "water:1")},
        ):
            found = number(attacker, target, "ra-ppc-1", field(h0501=(level, ""), **place))
            assert found.table == "punch"
            assert [m.reason for m in found.modifiers].count("partial cover") == 1


def test_after_every_phase_each_mech_is_in_one_legal_hex_of_its_own() -> None:
    """PHY2, SIM1: on the board, never two in one hex."""
    for n in range(8):
        rng = random.Random(n)
        played = play(ENGINE, setup(rng.choice(PLAYED), rng.choice(PLAYED)), b"phy%d" % n, (0, 0))
        state: Any = None
        for event in played.events:
            state = ENGINE.evolve(state, event)
            if isinstance(event, ev.PhaseBegan | ev.Asking) and state.turn:
                places = [made.hex for made in state.units.values() if made.destroyed is None]
                assert len(set(places)) == len(places), (n, event)
                assert all(place in state.board for place in places)


@pytest.mark.parametrize("data", [b'<?xml version="1.0"?>\n<unit/>', b"\xef\xbb\xbf <record></record>"])
def test_unit_lists_are_refused_by_name(data: bytes) -> None:
    """IO4: damage does not travel in an MTF file, and MUL files are not read."""
    with pytest.raises(DesignRefused, match="MUL"):
        read(data)


@pytest.mark.parametrize("facing", range(1, 7))
def test_facings_go_out_as_they_came_in(facing: int) -> None:
    """IO6: 1 to 6 in orders and events, 0 to 5 inside."""
    given = {"turn": 1, "movement": {"mode": "jump", "path": ["0101"], "facing": facing}}
    orders = ENGINE.parse_orders(given)
    assert orders.movement is not None
    assert orders.movement.facing == facing - 1
    assert ENGINE.orders_json(orders)["movement"]["facing"] == facing
