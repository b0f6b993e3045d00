"""When a row of the BattleTech cases agrees: the fields compared, and how.

One function per kind takes a result in the form of the case files and gives only what is compared, in a form
in which equal means agreeing (sets sorted, rolls without their texts). `pair` applies it to both sides and
drops what the expected row lacks. Source: the README of the cases, "Kind of a file, rows, agreement".
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Result = Mapping[str, Any]
Compared = dict[str, Any]
Normal = Callable[[Result], Compared]


class NotBuilt(Exception):
    """A row needs something that the engine does not play yet; the text names it."""


def pair(normal: Normal, got: Result, expected: Result) -> tuple[Any, Any]:
    """Both sides in comparable form, got only as far as the expected row goes."""
    right = normal(expected)
    return _as_far_as(normal(got), right), right


def _as_far_as(got: Any, expected: Any) -> Any:
    if isinstance(got, dict) and isinstance(expected, dict):
        return {key: _as_far_as(got[key], expected[key]) for key in expected if key in got}
    if isinstance(got, list) and isinstance(expected, list) and len(got) == len(expected):
        return [_as_far_as(a, b) for a, b in zip(got, expected, strict=True)]
    return got


def fields(result: Result, *names: str) -> Compared:
    """The named fields that the result has, as they are."""
    return {name: result[name] for name in names if name in result}


def sets(result: Result, *names: str) -> Compared:
    """The named lists that the result has, as sets (sorted, each entry once)."""
    return {name: unordered(set(map(_hashable, result[name]))) for name in names if name in result}


def whole(result: Result, *names: str) -> Compared:
    """The named mappings that the result has, as entries: one more or less is a difference."""
    return {name: _entries(result[name]) for name in names if name in result}


def _entries(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return unordered((str(key), _entries(entry)) for key, entry in value.items())


def unordered(entries: Iterable[Any]) -> list[Any]:
    """Entries in an order of their own, for lists that stand for sets or multisets."""
    return sorted(entries, key=repr)


def _hashable(entry: Any) -> Any:
    return tuple(map(_hashable, entry)) if isinstance(entry, list | tuple) else entry


def roll(result: Result) -> Compared:
    """A roll: whether it is possible, and then its value and its modifiers but for zeros, without texts."""
    if not result["possible"]:
        return {"possible": False}
    numbers = sorted(modifier[0] for modifier in result["modifiers"] if modifier[0])
    return {"possible": True, "value": result["value"], "modifiers": numbers}


def rolls(result: Result, *names: str) -> Compared:
    """The named rolls that the result has."""
    return {name: roll(result[name]) for name in names if name in result}


def struck(result: Result) -> Compared:
    """A to-hit roll, with side and table when it is possible."""
    return roll(result) | (fields(result, "side", "table") if result["possible"] else {})


def hexdistance(result: Result) -> Compared:
    """Rows of kind hexdistance."""
    names = ("distance", "direction", "along_hex_edge", "arcs_facing_0", "neighbours_by_direction")
    return fields(result, *names) | sets(result, "line_hexes")


def attack_side(result: Result) -> Compared:
    """Rows of kind attack_side."""
    return fields(result, "distance", "side")


_COUNTS = ("light_woods", "heavy_woods", "light_smoke", "heavy_smoke", "target_cover", "attacker_cover")


def sight(result: Result) -> Compared:
    """The entry `los` of kinds los and tohit."""
    modifiers = roll(result["modifiers"])
    counts = fields(result, *_COUNTS) if modifiers["possible"] else {}
    return {"modifiers": modifiers, **counts}


def los(result: Result) -> Compared:
    """Rows of kind los."""
    lines = fields(result, "distance", "along_hex_edge", "attack_side") | sets(result, "line_hexes")
    return lines | {"los": sight(result["los"])}


def tohit(result: Result) -> Compared:
    """Rows of kind tohit."""
    names = ("distance", "in_arc", "attack_side", "attacker_walk_mp", "attacker_run_mp", "target_immobile")
    same = fields(result, *names, "other_in_front_arc", "target_in_front_arc")
    return same | {"los": sight(result["los"]), "to_hit": struck(result["to_hit"])}


_MOVED = ("hex", "facing", "type", "mp", "mp_total", "elevation", "hexes")


def _step(step: Result) -> Compared:
    if step["type"] == "illegal":
        return {"type": "illegal"}
    checks = unordered(roll(check) for check in step.get("piloting_checks") or ())
    return fields(step, *_MOVED) | {"piloting_checks": checks}


def movement(result: Result) -> Compared:
    """Rows of kind movement, steps and reach."""
    same = fields(result, "walk_mp", "run_mp", "jump_mp", "max_mp", "path_legal", "path_type")
    same |= rolls(result, "base_piloting") | whole(result, "cheapest_mp", "cheapest_mp_by_facing")
    if "steps" in result:
        same["steps"] = [_step(step) for step in result["steps"]]
    if result.get("path_legal"):
        same |= fields(result, "mp_used", "hexes_moved")
        same["end_piloting_checks"] = unordered(roll(c) for c in result.get("end_piloting_checks") or ())
    return same


_HARM = ("damage", "damage_to_attacker")


def physical(result: Result) -> Compared:
    """Rows of kind physical."""
    attacks = {}
    for name, attack in result["physical"].items():
        attacks[name] = struck(attack) | (fields(attack, *_HARM) if attack["possible"] else {})
    return fields(result, "attack_side") | {"physical": attacks}


def cluster(result: Result) -> Compared:
    """Rows of kind cluster."""
    return fields(result, "hits")


def hit_location(result: Result) -> Compared:
    """Rows of kind hit_location."""
    return fields(result, "location", "rear_armor", "possible_critical")


def after(result: Result) -> Compared:
    """The state of a 'Mech after a hit, in damage, attack and explosion."""
    same = fields(result, "armor_structure_rear", "pilot_hits", "pilot_dead", "destroyed")
    if "critical_slots_hit" in result:
        slots = {tuple(entry.split(":")[:2]) for entry in result["critical_slots_hit"]}
        same["critical_slots_hit"] = unordered(slots)
    return same | sets(result, "locations_lost")


def damage(result: Result) -> Compared:
    """Rows of kind damage: the state after each hit."""
    return {"hits": [{"after": after(hit["after"])} for hit in result["hits"]]}


def attack(result: Result) -> Compared:
    """Rows of kind attack."""
    same = fields(result, "attacker_heat_built_up", "shots_after") | {"to_hit": struck(result["to_hit"])}
    return same | ({"target_after": after(result["target_after"])} if "target_after" in result else {})


def heat(result: Result) -> Compared:
    """Rows of kind heat."""
    names = ("heat_after", "shut_down_after", "fire_modifier_after", "walk_mp_after", "ammunition_explodes")
    return fields(result, *names)


def fall(result: Result) -> Compared:
    """Rows of kind fall."""
    return fields(result, "damage_sum", "prone")


def explosion(result: Result) -> Compared:
    """Rows of kind explosion: state and consciousness numbers after each step."""
    return {
        "steps": [
            {"after": after(step["after"]), **fields(step, "consciousness_numbers")}
            for step in result["steps"]
        ]
    }
