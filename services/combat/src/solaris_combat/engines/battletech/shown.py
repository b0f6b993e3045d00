"""What the world may look up: record sheets, arenas and the ruleset with its marks, as JSON."""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.board import arena, arena_ids, draw
from solaris_combat.engines.battletech.catalogue import DESIGNS, NOT_PLAYED
from solaris_combat.engines.battletech.hex import league_facing
from solaris_combat.engines.battletech.mech import Location, MechDesign
from solaris_combat.engines.battletech.ruleset import ruleset, ruleset_hash
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.victory import weight_class
from solaris_combat.engines.battletech.weapons import WEAPONS

Json = dict[str, Any]


def models() -> dict[str, Json]:
    """Every record sheet by model; those that fights refuse say why in `not_played`."""
    return {model: sheet(design) | _played(model) for model, design in sorted(DESIGNS.items())}


def _played(model: str) -> Json:
    return {"playable": not NOT_PLAYED[model], "not_played": list(NOT_PLAYED[model])}


def sheet(design: MechDesign) -> Json:
    """A record sheet."""
    return {
        "model": design.model,
        "name": design.name,
        "tons": design.tons,
        "weight_class": weight_class(ruleset().scoring, design.tons),
        "movement": {"walk": design.walk, "run": design.run, "jump": design.jump},
        "heat_sinks": design.heat_sinks,
        "double_heat_sinks": design.double_heat_sinks,
        "price": design.price,
        "battle_value": design.battle_value,
        "affiliation": list(design.affiliation),
        "source": design.source,
        "locations": {str(location): _location(design, location) for location in Location},
        "weapons": [_weapon(design, mount.id) for mount in design.mounts],
        "gear": [{"id": g.id, "equipment": g.key, "location": str(g.location)} for g in design.gear],
        "bins": [
            {"id": b.id, "ammunition": b.ammunition, "location": str(b.location), "holds": b.shots}
            for b in design.bins
        ],
    }


def _location(design: MechDesign, location: Location) -> Json:
    front, rear = design.armor[location]
    slots = [slot.kind + (f" {slot.item}" if slot.item else "") for slot in design.slots[location]]
    return {"armor": front, "rear": rear, "structure": design.structure[location], "slots": slots}


def _weapon(design: MechDesign, mount_id: str) -> Json:
    found = next(mount for mount in design.mounts if mount.id == mount_id)
    weapon = WEAPONS[found.weapon]
    return {
        "id": found.id,
        "weapon": found.weapon,
        "name": {"es": weapon.spanish or weapon.name, "en": weapon.name},
        "location": str(found.location),
        "rear": found.rear,
        "heat": weapon.heat,
        "damage": weapon.damage,
        "rack": weapon.rack,
        "ranges": [weapon.minimum, weapon.short, weapon.medium, weapon.long],
    }


def arenas() -> dict[str, Json]:
    """Every arena by id: its board as drawn and hex by hex, and where sides begin."""
    return {arena_id: _arena(arena_id) for arena_id in arena_ids()}


def _arena(arena_id: str) -> Json:
    found = arena(arena_id)
    board = found.board
    return {
        "id": found.id,
        "name": {"es": found.name_es, "en": found.name},
        "description": {"es": found.description_es, "en": found.description},
        "width": board.width,
        "height": board.height,
        "map": draw(board),
        "hexes": {
            str(h): {
                "terrain": board.ground(h).terrain.key,
                "level": board.ground(h).level,
                "depth": max(board.ground(h).terrain.depth, 0),
                "height": board.ground(h).height,
                "construction_factor": board.ground(h).construction_factor,
            }
            for h in board.hexes()
        },
        "hidden": {
            "traps": found.traps,
            "mines": found.mines,
            "vibrabombs": found.vibrabombs,
            "setting": found.setting,
        },
        "initiative": found.initiative,
        "starts": [
            {"place": place, "hex": str(h), "facing": league_facing(facing)}
            for place, (h, facing) in enumerate(found.starts, 1)
        ],
    }


SHOWN_TABLES = (
    *("anti_missile", "buildings", "clearing", "critical_hits", "fire", "heat", "level3", "mines"),
    *("munition_effects", "munitions", "physical", "traps"),
)
"""Tables of the league's own rules, and all that hold a PROPOSED figure, shown for their marks."""


def rules() -> Json:
    """The ruleset: every switch with its mark and source, the league's tables, and the hash that pins all."""
    own = {name: table(name) for name in SHOWN_TABLES}
    return {**ruleset().table, "tables": own, "hash": ruleset_hash()}
