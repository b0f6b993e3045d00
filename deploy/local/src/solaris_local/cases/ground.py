"""Operations of the league's cases on fire, woods and mines."""

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech import clearing, fire_spread, ignition, mines, vibrabombs
from solaris_combat.engines.battletech.board import Board, board_of
from solaris_combat.engines.battletech.hex import Hex, internal_facing
from solaris_combat.engines.battletech.terrain import TERRAINS, Ground, ground_from_text, wall
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_local.cases.named_weapons import weapon_of

Given = Mapping[str, Any]
Answer = dict[str, Any]
PLAIN = {"clear": "", "rubble": "rubble:1"}
"""Terrain that cases name without a code."""
SIZE = 30
"""Columns and rows of the board of a case that names none."""


def _weapon(name: str) -> Weapon:
    """The weapon of a case; infernos come out of a launcher."""
    return weapon_of({"inferno": "SRM-6", "laser": "Medium Laser"}.get(name.lower(), name))


def board_of_texts(hexes: Mapping[str, Any]) -> Board:
    """A board with the terrain of a case; walls stand on its ground."""
    return board_of(SIZE, SIZE, {Hex.parse(number): _ground(text) for number, text in hexes.items()})


def _ground(text: str) -> Ground:
    """A hex in the words of a case; buildings get a height, which no case names."""
    if text == "wall":
        return wall(0)
    if text.startswith("building") and "elev" not in text:
        text = f"{text};bldg_elev:1"
    return ground_from_text(0, PLAIN.get(text, text))


def _ignite(given: Given) -> Answer:
    """D: what each attack needs, and which one lights the hex."""
    terrain = TERRAINS[given["target"]]
    if not all(ignition.can_ignite(_weapon(attack["weapon"])) for attack in given["attacks"]):
        return {"refused": True}
    needed: list[int | None] = []
    lit: int | None = None
    for number, attack in enumerate(given["attacks"], 1):
        inferno = attack["weapon"].lower() == "inferno"
        needed.append(ignition.ignition_number(_weapon(attack["weapon"]), terrain, inferno))
        total = attack.get("total", 0)
        if attack["hit"] and ignition.lights(needed[-1], total, lit is not None):
            lit = number
    return {"needed": needed, "fires": int(lit is not None), "lit_by_attack": lit}


def _spread(given: Given) -> Answer:
    """D: what it takes for a fire to spread to a hex."""
    board = board_of_texts(given["terrain"])
    fire, target = (board.index(Hex.parse(given[key])) for key in ("fire", "target"))
    wind = internal_facing(given["wind"])
    chances = fire_spread.spread_chances(board, fire, wind)
    return {"needed": next((chance.number for chance in chances if chance.to == target), None)}


def _heat(given: Given) -> Answer:
    """D: a fire of this turn heats nobody who stands in it before the next one."""
    standing = given["in_fire"] and not given.get("lit_this_turn", False)
    items = fire_spread.fire_heat(standing, given["burning_hexes_left"])
    return {"heat": sum(item.value for item in items)}


def _clear_woods(given: Given) -> Answer:
    """D: woods are fired at to clear them: before any attempt they may burn instead; then a hit clears."""
    terrain = _ground(given["terrain"]).terrain
    if not clearing.can_be_cleared(terrain):
        return {"terrain": given["terrain"], "burning": False}
    burning = ignition.clearing_lights(given["fire_total"])
    if given["hit"] and not burning and clearing.clears(given["clear_total"], given["damage"]):
        terrain = clearing.cleared(terrain)
    return {"terrain": terrain.text, "burning": burning}


def _conventional(given: Given) -> Answer:
    """D: a unit enters a minefield."""
    explodes = mines.explodes(given["total"])
    damage = given.get("damage", mines.DAMAGE) if explodes else 0
    table = mines.TABLE if explodes else None
    return {"explodes": explodes, "damage": damage, "table": table, "known": explodes}


def _clear_mines(given: Given) -> Answer:
    weapon = _weapon(given["weapon"]).key
    if not mines.can_clear(weapon):
        return {"refused": True}
    return {"cleared": mines.clears(weapon, given["hit"], given.get("total", 0)), "damage": 0}


def _vibrabomb(given: Given) -> Answer:
    """D: a 'Mech comes as near as this to a vibrabomb."""
    explodes = vibrabombs.goes_off(given["setting_tons"], given["tons"], given["distance"])
    groups = list(vibrabombs.damage_groups(given["distance"])) if explodes else []
    return {"explodes": explodes, "damage": sum(groups), "groups": groups, "explosions": int(explodes)}


OPS = {
    "combat.fire.ignite": _ignite,
    "combat.fire.spread": _spread,
    "combat.fire.heat": _heat,
    "combat.clear_woods": _clear_woods,
    "combat.mine.conventional": _conventional,
    "combat.mine.clear": _clear_mines,
    "combat.mine.vibrabomb": _vibrabomb,
}
