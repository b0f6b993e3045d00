"""What a house pilot loads in the initial turn.

Rounds go into as few bins as hold them: a bin that is empty cannot explode. Long-range missiles for close
fights are armed hot where that is played: in a bin of their own if there are two, so that the distance
decides what is fired, else behind those for far ones. In Class 5 special munitions are paid for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from solaris_combat.engines.battletech.munitions import HOT, NORMAL, family
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS

Json = dict[str, Any]

AFTER: int = WEIGHTS["loads"]["from_afar"]
ALONE: int = WEIGHTS["loads"]["from_afar_alone"]
FAR_PART: int = WEIGHTS["loads"]["far_part"]
WANTED: Mapping[str, Sequence[str]] = {name: WEIGHTS["loads"][name] for name in ("lrm", "srm", "ac")}


def belts(initial: Json) -> dict[str, int | list[str]]:
    """The load of each bin."""
    left = dict(initial["rounds_at_most"])
    loads: dict[str, int | list[str]] = {}
    for ammunition in left:
        loads |= _by_distance([one for one in initial["bins"] if one["ammunition"] == ammunition], left)
    for store in initial["bins"]:
        if store["id"] in loads:
            continue
        count = min(store["holds"], left[store["ammunition"]])
        left[store["ammunition"]] -= count
        loads[store["id"]] = _belt(store, count)
    return loads


def _by_distance(stores: Sequence[Json], left: dict[str, int]) -> dict[str, int | list[str]]:
    """Bins of common salvoes for afar, and others of hot ones; nothing where a bin may hold special ones."""
    if len(stores) < 2 or not all(_hot_only(one) for one in stores):
        return {}
    most = left[stores[0]["ammunition"]]
    parts = {NORMAL: most * FAR_PART // 100, NORMAL + HOT: most - most * FAR_PART // 100}
    half = -(-len(stores) // 2)
    loads: dict[str, int | list[str]] = {}
    for number, store in enumerate(stores):
        salvo = NORMAL if number < half else NORMAL + HOT
        count = min(store["holds"], parts[salvo])
        parts[salvo] -= count
        loads[store["id"]] = [salvo] * count
    return loads


def _hot_only(store: Json) -> bool:
    """Whether a bin takes common salvoes, hot ones too, and no special ones that the house would pay for."""
    offered = {one["munition"]: one for one in store["munitions"]}
    hot = NORMAL in offered and store["munition"] == NORMAL and offered[NORMAL]["hot"]
    return bool(hot) and not any(_special(store, offered, 1))


def _belt(store: Json, count: int) -> int | list[str]:
    """A bin's salvoes in their order: common ones first, then special ones, then hot ones."""
    offered = {one["munition"]: one for one in store["munitions"]}
    if NORMAL not in offered or not count or store["munition"] != NORMAL:
        return count
    chosen = _special(store, offered, count)
    if chosen and not store["mixed"]:
        return chosen
    hot = offered[NORMAL]["hot"]
    first = [NORMAL] * min(AFTER if chosen else ALONE, count)
    rest = (NORMAL + HOT if hot else NORMAL,) * max(0, count - len(first) - len(chosen))
    return [*first, *chosen, *rest][:count]


def _special(store: Json, offered: Json, count: int) -> list[str]:
    """The special salvoes of a bin: a whole bin of one kind, or two of each kind among others."""
    wanted = [offered[kind] for kind in WANTED.get(family(store["ammunition"]), ()) if kind in offered]
    kinds: Sequence[Json] = [one for one in wanted if one["at_most"]]
    if not store["mixed"]:
        return [kinds[0]["munition"]] * min(count, kinds[0]["at_most"]) if kinds else []
    return list(_in_turn(kinds))[:count]


def _in_turn(kinds: Sequence[Json]) -> Iterator[str]:
    """One salvo of each kind, and again while there are more."""
    for number in range(max((one["at_most"] for one in kinds), default=0)):
        yield from (one["munition"] for one in kinds if number < one["at_most"])
