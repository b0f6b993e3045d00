"""The ground as everybody sees it: what is not as on the arena's board. Nothing hidden is looked at here."""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.battlefield import Battlefield
from solaris_combat.engines.battletech.hex import league_facing

Json = dict[str, Any]


def ground_view(ground: Battlefield) -> Json:
    """Hexes by their numbers; the wind blows towards side `wind`, 1 = north."""

    def name(index: int) -> str:
        return str(ground.base.hex_at(index))

    return {
        "wind": league_facing(ground.wind),
        "changed": {
            name(index): {
                "terrain": now.terrain.key,
                "level": now.level,
                "height": now.height,
                "construction_factor": now.construction_factor,
            }
            for index, now in sorted(ground.changed.items())
        },
        "fires": {name(index): {"until": fire.until} for index, fire in sorted(ground.fires.items())},
        "smoke": [name(index) for index in sorted(ground.smoke)],
        "turrets": {
            name(index): {"kind": turret.kind, "armor": turret.armor, "salvoes": turret.salvoes}
            for index, turret in sorted(ground.turrets.items())
        },
        "mines": [name(index) for index in sorted(ground.known_mines)],
    }
