"""What a side can still do to the other, from its record sheet as everybody sees it: guns and blows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.catalogue import DESIGNS
from solaris_combat.engines.battletech.falling import TONS_PER_POINT
from solaris_combat.engines.battletech.heat import as_built
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.physical import BASE, damage_points, reaches_level
from solaris_combat.engines.battletech.pilot_odds import ROLLS, odds, points, reach, total_of
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon

Json = dict[str, Any]
Ranges = tuple[int, int, int, int]

NO_LIMIT = 99
STANDING = 2
"""Levels of a standing 'Mech."""
PRICE_OF_A_FALL: int = WEIGHTS["blows"]["fall"]


class Way(NamedTuple):
    """A way of firing a weapon: its ranges, its own modifier, and the points of a hit in hundredths."""

    ranges: Ranges
    modifier: int
    points: int


class Gun(NamedTuple):
    """A weapon that works and has something to fire, with every salvo that could be next."""

    ways: tuple[Way, ...]
    heat: int
    location: str


AHEAD, LEFT_ARM, RIGHT_ARM, NOTHING = "", "LA", "RA", "-"
"""What bears on a target, the torso twisted as far as it goes: all guns, those of one arm, or none."""


class Arms:
    """The guns and blows of one side; every kind of volley is worked out once."""

    def __init__(self, side: Json, heat: int | None = None) -> None:
        self.tons = int(side["tons"])
        self.gunnery = int(side["pilot"]["gunnery"])
        self.piloting = int(side["pilot"]["piloting"])
        self.heat = int(side["heat"]) if heat is None else heat
        self.hot = total_of(to_hit.HEAT[min(self.heat, to_hit.HOTTEST)])
        self.sinks = _sinks(side)
        self.guns = tuple(_guns(side))
        self.volleys: dict[tuple[int, int, int, str], int] = {}
        self.blows: dict[tuple[int, int], tuple[int, int]] = {}

    def volley(self, far: int, modifier: int, room: int = NO_LIMIT, zone: str = AHEAD) -> int:
        """Expected points, in hundredths, of what bears and can be fired this far within so much heat."""
        key = (far, modifier, room, zone)
        if key not in self.volleys:
            self.volleys[key] = self._volley(key)
        return self.volleys[key]

    def _volley(self, key: tuple[int, int, int, str]) -> int:
        far, modifier, room, zone = key
        modifier += self.gunnery + self.hot
        bear = [gun for gun in self.guns if zone in (AHEAD, gun.location)]
        worth = [(max(_worth(way, far, modifier) for way in gun.ways), gun.heat) for gun in bear]
        total = 0
        for each, heat in sorted(worth, key=lambda one: one[0] / (one[1] + 1), reverse=True):
            if heat <= room or not heat:
                total += each
                room -= heat
        return total

    def blow(self, modifier: int, up: int, target: Arms) -> int:
        """Expected points, in hundredths, of the best attack on a neighbour who stands so much higher."""
        key = (modifier, up)
        if key not in self.blows:
            each = [_blow(kind, times, self, target, key) for kind, times in (("kick", 1), ("punch", 2))]
            self.blows[key] = max(each), 0
        return self.blows[key][0]

    def fall(self) -> int:
        """Expected points a roll against a fall costs, in hundredths."""
        fails = ROLLS - odds(self.piloting, automatic=False)
        return fails * (100 * self.tons // TONS_PER_POINT + PRICE_OF_A_FALL) // ROLLS


def _blow(kind: str, times: int, attacker: Arms, target: Arms, key: tuple[int, int]) -> int:
    modifier, up = key
    if not reaches_level(kind, 0, up, STANDING):
        return 0
    hit = odds(BASE[kind].value + modifier, automatic=False)
    dealt = times * hit * 100 * damage_points(kind, attacker.tons)
    if kind == "kick":
        dealt += hit * target.fall() - (ROLLS - hit) * attacker.fall()
    return max(0, dealt // ROLLS)


def _worth(way: Way, far: int, modifier: int) -> int:
    number = reach(*way.ranges, far)
    return 0 if number is None else odds(modifier + way.modifier + number) * way.points // ROLLS


def _guns(side: Json) -> Iterator[Gun]:
    """Weapons that fire ahead, with the salvoes next on their belts."""
    for one in side["weapons"]:
        weapon = WEAPONS[one["weapon"]]
        ways = tuple(_ways(weapon, side))
        if one["works"] and not one["rear"] and ways:
            yield Gun(ways, weapon.heat, one["location"])


def _ways(weapon: Weapon, side: Json) -> Iterator[Way]:
    salvoes = {""}
    if weapon.ammunition:
        feeding = (b for b in side["bins"] if b["ammunition"] == weapon.ammunition and b["usable"])
        salvoes = {store["belt"][0] for store in feeding if store["belt"]}
    for salvo in sorted(salvoes):
        loaded = as_loaded(weapon, (salvo,)) if salvo else weapon
        ranges = (loaded.minimum, loaded.short, loaded.medium, loaded.long)
        yield Way(ranges, loaded.to_hit, points(weapon, salvo))


def _sinks(side: Json) -> int:
    """Heat the sinks take in a turn as far as the record sheet shows; no limit for a model nobody knows."""
    design = DESIGNS.get(side["model"])
    if design is None:
        return NO_LIMIT
    broken = [hit for at in side["locations"].values() for hit in at["hits"] if hit["kind"] == "heat_sink"]
    return as_built(design) - len(broken)
