"""Coherent examples of the fight's own events, from which the published contracts are generated."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from solaris_combat.domain.events import (
    RELEASE,
    AllOrdersSealed,
    DeadlineExtended,
    FightConcluded,
    FightOpened,
    FightParked,
    FightRefused,
    FightResumed,
    Opened,
    OrdersOpened,
    PhaseResolved,
    Request,
    RequestRenewed,
    Seat,
    SidePlan,
    SideSubstituted,
    Terms,
)
from solaris_combat.engines.contract import Json, Outcome, Result, Setup, SideOutcome, UnitSetup, Violation

FIGHT = "5f1a4c0e-7d3b-4e6a-9b2c-3062c0ffee07"
HASH, SALT = "ab" * 32, "cd" * 32
DEADLINE = datetime(2026, 12, 2, 20, tzinfo=UTC)


def _unit(side: str, name: str, model: str) -> UnitSetup:
    return UnitSetup(side, name, model, gunnery=4, piloting=5)


def _seat(unit: UnitSetup, digit: str, owner: str) -> Seat:
    def made(kind: str) -> str:
        return f"{kind * 8}-0000-4000-8000-{digit * 12}"

    return Seat(unit, made("1"), made("2"), made("3"), owner)


UNITS = (_unit("A", "El Rápido", "PNT-9R"), _unit("B", "Íñigo", "JVN-10N"))
SEATS = (_seat(UNITS[0], "a", "organisers"), _seat(UNITS[1], "b", "11111111-0000-4000-8000-bbbbbbbbbbbb"))
TERMS = Terms(
    fight_id=FIGHT,
    round=1,
    kind="ranking",
    setup=Setup("solaris7/1", 3, "la-cantera", 8, UNITS),
    seats=SEATS,
    turn_seconds=172800,
    referee=None,
    purse={"win": 30000, "draw": 20000, "loss": 10000},
)
REFEREED = Terms(
    FIGHT, 1, "ranking", TERMS.setup, SEATS, 172800, "22222222-0000-4000-8000-cccccccccccc", TERMS.purse
)
FIRST = Request(0, "initial", ("A", "B"))
SECOND = Request(1, "movement", ("A", "B"))


def _plan(side: str, orders: Json, *answers: Json) -> SidePlan:
    return SidePlan(side, Opened(orders, SALT, HASH), tuple(Opened(one, SALT, HASH) for one in answers))


INITIAL: Json = {"turn": 0, "initial": {"nonce": "00" * 32, "bins": {}, "auto_eject": True}}
LOADED: Json = {
    "turn": 0,
    "initial": {"nonce": "11" * 32, "bins": {"ct-srm-4-ammo-1": 8}, "auto_eject": False},
}
STAND: Json = {"turn": 1, "movement": {"mode": "stand"}}
WALK: Json = {
    "turn": 1,
    "movement": {"mode": "walk", "steps": ["F", "L"], "if_fallen": {"attempts": 1, "steps": ["F"]}},
}
FIRE: Json = {
    "turn": 1,
    "fire": {
        "twist": 0,
        "shots": [
            {"weapon": "ra-ppc-1", "target": "B", "bin": None},
            {"weapon": "ct-srm-4-1", "target": "B", "bin": "ct-srm-4-ammo-1"},
        ],
    },
    "movement": {"mode": "jump", "path": ["0507", "0508"], "facing": 4},
}
HOLD: Json = {"turn": 1, "fire": {"twist": 1, "shots": []}, "movement": {**FIRE["movement"], "facing": None}}
LAST: Json = {"turn": 8, "fire": FIRE["fire"]}
ANSWER: Json = {"turn": 1, "answers": [{"attempts": 1, "steps": ["F"]}]}


def _outcome(side: str, result: Result, points: int, destroyed: bool) -> SideOutcome:
    facts: Json = {
        "mech": {"damaged": True, "destroyed": destroyed, "reason": "engine" if destroyed else ""},
        "pilot": {"wounds": 1, "conscious": not destroyed, "dead": False, "ejected": destroyed},
        "kills": 0 if destroyed else 1,
    }
    return SideOutcome(side, result, points, facts)


OUTCOME = Outcome(7, "out-of-action", (_outcome("A", "win", 42, False), _outcome("B", "loss", 11, True)))

EXAMPLES: Mapping[str, Sequence[object]] = {
    "fight-opened": [
        FightOpened(terms, RELEASE, HASH, 1, HASH, FIRST, DEADLINE) for terms in (TERMS, REFEREED)
    ],
    "fight-refused": [
        FightRefused(terms, (Violation("unknown-model", "no model 'XYZ-1'", "/sides/0/mech/model", "R 4.2"),))
        for terms in (TERMS, REFEREED)
    ],
    "all-orders-sealed": [
        AllOrdersSealed(1, "movement", {"A": HASH, "B": HASH}, ()),
        AllOrdersSealed(1, "movement", {"A": HASH}, ("B",)),
        AllOrdersSealed(1, "movement", {"B": HASH}, ("A",)),
    ],
    "orders-opened": [
        OrdersOpened(0, "initial", (_plan("A", INITIAL), _plan("B", LOADED))),
        OrdersOpened(1, "movement", (_plan("A", WALK, ANSWER), SidePlan("B", Opened(STAND, "", "")))),
        OrdersOpened(1, "fire_and_movement", (_plan("A", FIRE), _plan("B", HOLD))),
        OrdersOpened(1, "fire_and_movement", (_plan("A", FIRE), _plan("B", HOLD)), ("movement",)),
        OrdersOpened(8, "fire", (_plan("A", LAST), _plan("B", LAST))),
    ],
    "phase-resolved": [
        PhaseResolved(0, "initial", SECOND, DEADLINE, 12),
        PhaseResolved(8, "fire", None, None, 812),
    ],
    "request-renewed": [
        RequestRenewed(SECOND, DEADLINE, True),
        RequestRenewed(None, None, True),
        RequestRenewed(SECOND, DEADLINE, False),
    ],
    "deadline-extended": [
        DeadlineExtended(1, "movement", DEADLINE, DEADLINE, 3600, role, HASH, "both asked for a day")
        for role in ("referee", "commission")
    ],
    "side-substituted": [
        SideSubstituted("A", SEATS[1].person_id, SEATS[0].person_id, "silent", "commission")
    ],
    "fight-parked": [FightParked("ruleset-changed", HASH, SALT, DEADLINE)],
    "fight-resumed": [FightResumed(SECOND, DEADLINE, DEADLINE)],
    "fight-concluded": [FightConcluded(terms, OUTCOME, SALT, HASH) for terms in (TERMS, REFEREED)],
}
