"""What happens to the ground, told in sentences: the facts for the phrases of tables/log.toml.

`log` gives the tongue and looks up the phrases; hidden events have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solaris_combat.engines.battletech import ground_events as ev
from solaris_combat.engines.battletech.terrain import AND

Facts = tuple[str, dict[str, Any]]


def hex_shot(event: Any, t: Any, name: str, verdict: str) -> Facts:
    """A shot at a hex, or into the air or the ground."""
    facts = {
        "who": t.who(event.side),
        "name": name,
        "hex": event.hex or t.word("the-air"),
        "intent": f" ({t.word('intent.' + event.intent)})" if event.intent else "",
        "distance": t.count(event.distance, "hex"),
        "number": event.number,
        "items": t.items(event.modifiers),
        "dice": t.dice(event.rolls),
        "verdict": verdict,
        "impossible": t.word(event.impossible),
    }
    if event.impossible:
        return "impossible", facts | {"target": f" {event.hex}"}
    return "at-hex" if event.rolls else "at-nothing", facts


def blow(event: Any, facts: dict[str, Any]) -> Facts:
    """A physical attack on a turret, wall or building."""
    return "impossible" if event.impossible else "at-hex", facts | {"hex": event.hex}


def _wind(event: ev.WindDrawn, t: Any) -> Facts:
    return "", {"direction": event.direction, "dice": t.dice(event.rolls)}


def _ignition(event: ev.IgnitionRolled, t: Any) -> Facts:
    bound = t.word("or-less" if event.cause in ev.ACCIDENTS else "or-more")
    facts = {
        "hex": event.hex,
        "cause": t.word(f"ignition.{event.cause}"),
        "number": f"{event.number} {bound}",
    }
    verdict = t.word("burns" if event.success else "burns-not")
    source = f" ({event.source} → {event.hex})" if event.source else ""
    return "", facts | {"dice": t.dice(event.rolls), "verdict": verdict, "source": source}


def _lit(event: ev.FireLit, t: Any) -> Facts:
    until = "" if event.until is None else f" ({t.word('until-turn')} {event.until})"
    return "", {"hex": event.hex, "until": until}


def _hex(event: Any, t: Any) -> Facts:
    return "", {"hex": event.hex}


def _smoke(event: ev.SmokeDrifted, t: Any) -> Facts:
    return "" if event.hexes else "none", {"hexes": ", ".join(event.hexes)}


def _clearing(event: ev.ClearingRolled, t: Any) -> Facts:
    facts = {"who": t.who(event.side), "hex": event.hex, "damage": event.damage}
    verdict = t.word("cleared" if event.success else "cleared-not")
    return "", facts | {"dice": t.dice(event.rolls), "verdict": verdict}


def _terrain(event: ev.TerrainChanged, t: Any) -> Facts:
    before, after = (" + ".join(map(t.word, key.split(AND))) for key in (event.before, event.after))
    facts = {"hex": event.hex, "before": before, "after": after}
    return "trap" if event.cause == "trap" else "", facts


def _factor(event: ev.FactorReduced, t: Any) -> Facts:
    return "", {"hex": event.hex, "points": event.points, "after": event.after}


def _collapsed(event: ev.Collapsed, t: Any) -> Facts:
    return event.cause, {"hex": event.hex, "levels": t.count(event.levels, "level"), "factor": event.factor}


def _mine(event: ev.MineExploded, t: Any) -> Facts:
    facts = {"who": t.who(event.side), "hex": event.hex, "damage": event.damage}
    return "vibrabomb" if event.vibrabomb else "", facts


def _swept(event: ev.MinesSwept, t: Any) -> Facts:
    verdict = t.word("mines-swept" if event.success else "mines-stay")
    return "", {"who": t.who(event.side), "hex": event.hex, "dice": t.dice(event.rolls), "verdict": verdict}


def _rose(event: ev.TurretRose, t: Any) -> Facts:
    facts = {"trap": event.trap, "hex": event.hex, "kind": t.word(f"turret.{event.kind}")}
    return "", facts | {"dice": t.dice(event.rolls)}


def _fired(event: ev.TurretFired, t: Any) -> Facts:
    missiles = f", {t.count(event.missiles, 'missile')}" if event.missiles is not None else ""
    facts = {
        "hex": event.hex,
        "target": t.who(event.target),
        "name": t.word(event.name),
        "distance": t.count(event.distance, "hex"),
        "number": event.number,
        "items": t.items(event.modifiers),
        "dice": t.dice(event.rolls),
        "verdict": t.word("hit" if event.hit else "miss") + missiles,
    }
    return "", facts


def _turret(event: ev.TurretDamaged, t: Any) -> Facts:
    facts = {"hex": event.hex, "points": event.points, "armor": event.armor}
    return "" if event.armor else "destroyed", facts


def _stuck(event: ev.UnitStuck, t: Any) -> Facts:
    return "", {"who": t.who(event.side), "hex": event.hex, "mire": t.word(event.mire)}


def _skidded(event: ev.UnitSkidded, t: Any) -> Facts:
    facts = {"who": t.who(event.side), "hex": event.hex, "damage": event.damage}
    return "", facts | {"hexes": t.count(len(event.hexes), "hex")}


def _freed(event: ev.UnitFreed, t: Any) -> Facts:
    return "", {"who": t.who(event.side), "hex": event.hex}


FACTS: Mapping[str, Callable[[Any, Any], Facts]] = {
    "wind-drawn": _wind,
    "ignition-rolled": _ignition,
    "fire-lit": _lit,
    "fire-out": _hex,
    "smoke-drifted": _smoke,
    "clearing-rolled": _clearing,
    "terrain-changed": _terrain,
    "construction-factor-reduced": _factor,
    "collapsed": _collapsed,
    "mine-exploded": _mine,
    "mines-swept": _swept,
    "turret-rose": _rose,
    "turret-fired": _fired,
    "turret-damaged": _turret,
    "unit-skidded": _skidded,
    "unit-stuck": _stuck,
    "unit-freed": _freed,
}
