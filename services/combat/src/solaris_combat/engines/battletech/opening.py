"""Setting up a fight: what is refused, the first event, and the initial turn with load-outs and the lot.

Whatever this release does not play is refused here with its reason; nothing is approximated.
Source: R 4.2, 4.5, 4.6.5; solaris7-tables 1.9, 6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech import board, events, fire_events
from solaris_combat.engines.battletech.ams_orders import first_setting
from solaris_combat.engines.battletech.anti_missile import systems
from solaris_combat.engines.battletech.arena_lot import draw_wind, hide_things
from solaris_combat.engines.battletech.catalogue import NOT_PLAYED
from solaris_combat.engines.battletech.loading import loadout, special_loads
from solaris_combat.engines.battletech.orders import Initial, Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import RULESET, ruleset
from solaris_combat.engines.battletech.rulings import agreed_length
from solaris_combat.engines.battletech.start_places import draw_places
from solaris_combat.engines.contract import Setup, SetupRefused, UnitSetup, Violation

SIDES = "ABCDEFGH"
"""Names of the sides of a fight, in their order."""
SKILLS = range(8)
"""Gunnery and piloting of a mechwarrior; the league's run from 5 down to 0."""


def check_setup(setup: Setup) -> list[Violation]:
    """Everything wrong with a set-up; empty when it can be opened."""
    return [*_terms(setup), *_arena(setup), *_sides(setup), *_units(setup)]


def open_duel(setup: Setup) -> tuple[object, ...]:
    """The first event; SetupRefused with everything that is wrong."""
    if violations := check_setup(setup):
        raise SetupRefused(*violations)
    sides = tuple(events.Entered(u.side, u.name, u.model, u.gunnery, u.piloting) for u in setup.units)
    teams = dict(setup.teams)
    return (
        events.DuelOpened(
            setup.ruleset, setup.fight_class, setup.arena, setup.turns, sides, teams, setup.permanence
        ),
    )


def _terms(setup: Setup) -> Iterator[Violation]:
    rules = ruleset()
    if setup.ruleset != RULESET:
        yield Violation("unknown-ruleset", f"this engine plays {RULESET}", "/ruleset")
    if setup.fight_class not in rules.classes:
        detail = f"Class {setup.fight_class} is not played; there are: {', '.join(map(str, rules.classes))}"
        yield Violation("class-not-played", detail, "/class", "R 4.5")
    elif found := agreed_length(rules, setup.fight_class, setup.turns):
        yield found


def _arena(setup: Setup) -> Iterator[Violation]:
    if setup.arena not in board.arena_ids():
        detail = f"no arena {setup.arena!r}; there are: {', '.join(board.arena_ids())}"
        yield Violation("unknown-arena", detail, "/arena")


def _sides(setup: Setup) -> Iterator[Violation]:
    """Two to eight sides in two or more teams, each team with a start place."""
    most = min(ruleset().table["macro_fights"]["sides_at_most"], len(SIDES))
    named = [unit.side for unit in setup.units]
    if not 2 <= len(named) <= most or named != list(SIDES[: len(named)]):
        detail = f"a fight has 2 to {most} sides, called {', '.join(SIDES[:most])} in this order"
        yield Violation("sides-not-played", detail, "/units", "R 4")
    for side in setup.teams:
        if side not in named:
            yield Violation("unknown-side", f"no side {side!r} for a team", f"/teams/{side}")
    teams = {setup.teams.get(side, side) for side in named}
    starts = len(board.arena(setup.arena).starts) if setup.arena in board.arena_ids() else len(teams)
    if len(teams) < 2:
        yield Violation("one-team", "a fight has two or more teams", "/teams")
    elif len(teams) > starts:
        yield Violation("no-start-place", f"{setup.arena} has start places for {starts} teams", "/teams")


def _units(setup: Setup) -> Iterator[Violation]:
    for number, unit in enumerate(setup.units):
        yield from _unit(unit, f"/units/{number}")


def _unit(unit: UnitSetup, at: str) -> Iterator[Violation]:
    if unit.model not in NOT_PLAYED:
        yield Violation("unknown-model", f"no 'Mech {unit.model!r} in the catalogue", f"{at}/model")
    for reason in NOT_PLAYED.get(unit.model, ()):
        yield Violation("equipment-not-played", f"{unit.model} carries {reason}", f"{at}/model")
    for skill in ("gunnery", "piloting"):
        if getattr(unit, skill) not in SKILLS:
            yield Violation("skill-out-of-range", f"{skill} goes from 0 to 7", f"{at}/{skill}", "R 6")


def play_initial(play: Play, orders: Mapping[str, Orders]) -> None:
    """The initial turn: load-outs as ordered, then start places by lot."""
    for side, unit in play.state.units.items():
        initial = orders[side].initial or Initial()
        belts = loadout(unit.design, initial, play.state.terms)
        bins = {name: len(belt) for name, belt in belts.items()}
        special = special_loads(belts, ruleset())
        charge = sum(one.price for one in special)
        play.emit(events.LoadoutFixed(side, bins, initial.auto_eject, belts, special, charge))
        if systems(unit):
            play.emit(fire_events.AmsSet(1, side, first_setting(unit, initial)))
    play.emit(draw_places(play))
    draw_wind(play)
    hide_things(play)
    play.emit(events.Asking(1, "movement"))
