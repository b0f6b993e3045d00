"""Operations `combat.*` of the league's cases that the slice plays."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from solaris_combat.engines.battletech import anti_missile, hit_location
from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.catalogue import CATALOGUE, DESIGNS
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.harm import CriticalCheck
from solaris_combat.engines.battletech.hex import Hex, neighbour
from solaris_combat.engines.battletech.mech import Gear, Location
from solaris_combat.engines.battletech.rules import LEAGUE_RULES
from solaris_combat.engines.battletech.to_hit import roll_succeeds
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.dice import Roll
from solaris_local.cases.named_weapons import weapon_of

Given = Mapping[str, Any]
Answer = dict[str, Any]


class _TotalDice:
    """Dice that show the totals of a case by what is rolled for, and slots in the order of the sheet."""

    def __init__(self, locations: Iterable[int], criticals: Iterable[int] = ()) -> None:
        self._totals = {"location": iter(locations), "critical": iter(criticals)}
        self._slot = 0

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """The next total of the case for this purpose."""
        if purpose == "critical slot":
            self._slot = self._slot % sides + 1
            return Roll(purpose, sides, (self._slot,))
        total = next(self._totals["critical" if purpose == "critical hits" else "location"])
        first = min(total - 1, sides)
        return Roll(purpose, sides, (first, total - first))


def _hit_location(given: Given) -> Answer:
    """R 4.5.1: where a hit lands with floating criticals."""
    hit = hit_location.weapon_location(given["side"], _TotalDice(given["location_totals"]), LEAGUE_RULES)
    return {
        "location": str(hit.location),
        "rear_armor": hit.rear and hit.location in (Location.CT, Location.RT, Location.LT),
        "critical_rolls": int(hit.critical),
    }


def _hit(given: Given) -> Answer:
    """R 4.5.1: one hit and the criticals that follow from it."""
    dice = _TotalDice(given["location_totals"], given["critical_totals"])
    hit = hit_location.weapon_location(given["side"], dice, LEAGUE_RULES)
    harm = take_hit(_unit(given), hit, given["damage"], dice)
    checks = [fact for fact in harm.facts if isinstance(fact, CriticalCheck)]
    return {
        "location": str(hit.location),
        "armor": {name: harm.unit.armor[Location(name)][0] for name in given["armor"]},
        "structure": {name: harm.unit.structure[Location(name)] for name in given["structure"]},
        "critical_rolls": len(checks),
        "critical_hits": sum(check.hits for check in checks),
    }


def _unit(given: Given) -> Unit:
    """The model of a case with the armour and structure it names."""
    unit = fresh_unit("B", CATALOGUE[given["mech"]])
    armor = {
        Location(name): (points, unit.armor[Location(name)][1]) for name, points in given["armor"].items()
    }
    structure = {Location(name): points for name, points in given["structure"].items()}
    return replace(unit, armor={**unit.armor, **armor}, structure={**unit.structure, **structure})


def _attack_roll(given: Given) -> Answer:
    """R 4.5.5: 2 misses and 12 hits with weapons, never with physical attacks and piloting rolls."""
    automatic = LEAGUE_RULES.automatic_rolls and given["roll"] == "weapon"
    return {"success": roll_succeeds(given["needed"], given["total"], automatic)}


def _ams(given: Given) -> Answer:
    """D: what the anti-missile systems aimed at a salvo do; without a lock they may choose no other.

    They fire at missiles alone.
    """
    missiles = weapon_of(given["launcher"]).kind in anti_missile.SHOT_AT
    fired_at = missiles and given.get("lock", True)
    done = anti_missile.shoot_down(
        given["missiles"], given["ams_dice"], given["rounds_before"], fired_at=fired_at
    )
    return {
        "fires": done.fires,
        "missiles_left": done.missiles_left,
        "heat": done.heat,
        "rounds_spent": done.rounds_spent,
        "rounds_after": done.rounds_after,
        "empty_at_end_of_turn": not done.rounds_after,
        "may_retarget": False,
    }


_WAYS = {"front": 0, "right": 2, "rear": 3, "left": 4}
"""Direction from a 'Mech that looks north to where a salvo from a side of it comes from."""


def _ams_arc(given: Given) -> Answer:
    """D: whether a system bears on a salvo, and the side that the missiles left strike."""
    here = Hex(5, 5)
    there = neighbour(here, _WAYS[given["missiles_from"]])
    carrier = replace(fresh_unit("B", DESIGNS["LCT-3M"]), position=here, twist=given["torso_twist"])
    gear = Gear("ams", "ams", Location(given["mount"]))
    return {
        "may_intercept": anti_missile.covers(carrier, gear, there),
        "struck_side": str(attack_side(here, carrier.facing, there)),
    }


OPS = {
    "combat.ams": _ams,
    "combat.ams.arc": _ams_arc,
    "combat.hit_location": _hit_location,
    "combat.hit": _hit,
    "combat.attack_roll": _attack_roll,
}
