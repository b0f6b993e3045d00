"""Where a house pilot moves: by what it expects to deal and to take, if the rival stays about where it is."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.hex import Hex, internal_facing
from solaris_combat.engines.battletech.pilot_arms import NO_LIMIT, Arms
from solaris_combat.engines.battletech.pilot_odds import ROLLS, fired_after, fired_at, odds
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS

Json = dict[str, Any]

REAR_FACTOR: Mapping[str, int] = WEIGHTS["sides"]
"""What a point of damage from this side is worth to the one it hits, in hundredths."""
EAGER, EFFORT, CHECK, TOO_FAR, NOWHERE, PRICE_OF_HIPS, PRICE_OF_FIRE = (
    int(WEIGHTS["move"][name])
    for name in ("eager", "effort", "check", "too_far", "out_of_sight", "hips", "burning")
)
A_LITTLE = fired_after("walk")
"""The rival is taken to move a little: what that does to its fire and, as a guess, to fire at it."""


def legal_moves(movement: Json, heat: int) -> list[Json]:
    """Every way to move that the options offer at this heat, as flat entries; standing still is one."""
    found: list[Json] = [{"mode": "stand", **movement["here"], "mp": 0, "hexes": 0}]
    for mode, offer in movement["modes"].items():
        most = mp_at(movement, mode, heat)
        for entry in offer["reach"]:
            if entry["mp"] <= most or (most and entry.get("always")):
                found += _facings({"mode": mode, **entry})
    return found


def masc_moves(movement: Json, heat: int) -> list[Json]:
    """The runs that only MASC makes, each with what the risk costs in hundredths of a point."""
    offer = movement["masc"]
    if not offer:
        return []
    unaided, most = mp_at(movement, "run", heat), mp_at(movement, "masc", heat)
    fails = ROLLS - odds(offer["fails_at_or_below"] + 1, automatic=False)
    extra = {"mode": "run", "masc": True, "risk": fails * PRICE_OF_HIPS // ROLLS}
    return [{**extra, **entry} for entry in offer["reach"] if unaided < entry["mp"] <= most]


def _facings(move: Json) -> list[Json]:
    """A jump may land with any facing; on the ground the way decides it."""
    return [move] if "facing" in move else [{**move, "facing": facing} for facing in range(1, 7)]


def mp_at(movement: Json, mode: str, heat: int) -> int:
    """Movement points of a mode at a heat."""
    row = next(row for row in reversed(movement["mp_by_heat"]) if heat >= row["heat"])
    return int(row[mode])


def ranked_moves(view: Json, movement: Json, moves: Sequence[Json], caution: int = 10) -> list[Json]:
    """The moves by their balance of points dealt and taken, the best first; ties go to the shorter one.

    `caution` is the weight of points taken in tenths.
    """
    me, other = view["sides"][view["you"]], view["sides"][movement["rival"]]
    prospects = Prospects(movement["hexes"], me, other, caution)
    return sorted(moves, key=lambda m: (prospects.balance(m), -m["mp"], name_of(m)), reverse=True)


def get_up(view: Json, movement: Json, moves: Sequence[Json], heat: int) -> Json:
    """What a prone pilot does: it stands up facing where that pays best, and tries as often as it can."""
    standing = [move for move in moves if _only_stands_up(move)] or moves[:1]
    return try_often(movement, ranked_moves(view, movement, standing)[0], heat)


def rises(moves: Sequence[Json]) -> list[Json]:
    """The moves of a prone 'Mech that begin with an attempt to stand up."""
    return [move for move in moves if move.get("steps", "").startswith("U")]


def name_of(move: Json) -> str:
    """An order among equals."""
    return f"{move['hex']} {move['facing']} {move['mode']}"


def _only_stands_up(move: Json) -> bool:
    """Whether a move is an attempt to stand up, at a walk, and a turn on the spot."""
    steps = move.get("steps", "")
    return move["mode"] == "walk" and steps.startswith("U") and "F" not in steps and "B" not in steps


def try_often(movement: Json, move: Json, heat: int) -> Json:
    """A move that only stands up, with as many attempts as the MP pay for; any other one as it is."""
    if not _only_stands_up(move):
        return move
    attempts = mp_at(movement, "walk", heat) // movement["stand_up_mp"]
    return {**move, "steps": "U" * attempts + move["steps"][1:]}


class Prospects:
    """What a move promises if the rival stays about where it is; counts each kind of volley once."""

    def __init__(self, places: Json, me: Json, other: Json, caution: int) -> None:
        self.places = places
        self.caution = caution
        self.me = me
        self.mine, self.theirs = Arms(me), Arms(other)
        self.there = Hex.parse(other["hex"])
        self.sides: dict[tuple[str, int], str] = {}

    def balance(self, move: Json) -> int:
        """Points dealt minus points taken, in hundredths, less what the way costs."""
        place = self.places[move["hex"]]
        far = place["distance"]
        if far is None:
            return -NOWHERE
        ahead = self._struck(move["hex"], move["facing"])
        dealt = taken = 0
        if place["fire"] is not None and ahead != "rear":
            dealt = self.mine.volley(far, place["fire"] + fired_after(move["mode"]) + A_LITTLE)
        if place["under_fire"] is not None:
            seen = place["under_fire"] + fired_at(move["mode"], move["hexes"]) + A_LITTLE
            taken = self.theirs.volley(far, seen) * REAR_FACTOR[ahead] // 100
        fire = 10 * (EAGER * dealt - self.caution * taken) // 100
        return fire - TOO_FAR * too_far(self.me, far) - EFFORT * costs(move)

    def _struck(self, where: str, facing: int) -> str:
        """Side that the rival would strike."""
        key = (where, facing)
        if key not in self.sides:
            self.sides[key] = str(attack_side(Hex.parse(where), internal_facing(facing), self.there))
        return self.sides[key]


def too_far(side: Json, far: int) -> int:
    """Hexes beyond the useful range of a side."""
    return max(0, far - useful_range(side))


def useful_range(side: Json) -> int:
    """The range up to which most of the side's weapons are at medium range; any, if none works."""
    useful = sorted(weapon["ranges"][2] for weapon in side["weapons"] if weapon["works"])
    return int(useful[len(useful) // 2]) if useful else NO_LIMIT


def price(move: Json, fires: Container[str] = ()) -> int:
    """What a move costs by itself, in hundredths of a point: effort, risk, and fire where it ends."""
    fire = PRICE_OF_FIRE if move["hex"] in fires else 0
    return EFFORT * costs(move) + int(move.get("risk", 0)) + fire


def costs(move: Json) -> int:
    """Heat and risk of a way to move."""
    risk = CHECK * len(move.get("checks", ()))
    return {"stand": 0, "walk": 1, "run": 2}.get(move["mode"], max(3, move["hexes"])) + risk
