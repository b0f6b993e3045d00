"""The log's sentences about ammunition: jams, feedback, Inferno, loaded launchers, explosions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solaris_combat.engines.battletech import fire_events as fire
from solaris_combat.engines.battletech import harm
from solaris_combat.engines.battletech.tongue import Facts, Tongue, salvo_said


def _jammed(event: fire.WeaponJammed, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "name": t.mount(event.weapon)}


def _exploded(event: harm.Explosion, t: Tongue) -> Facts:
    """Ammunition in its bin or launcher; or a weapon that itself goes up, which is no shot."""
    facts = {"who": t.who(event.side), "item": t.mount(event.item), "shots": t.count(event.shots, "round")}
    where = t.word(f"at.{event.location}")
    weapon = "-ammo-" not in event.item and not event.bin
    return "weapon" if weapon else "hot" if event.heat else "", facts | {
        "heat": event.heat,
        "damage": event.damage,
        "cause": t.word("explosion." + event.cause),
        "location": where,
    }


def _feedback(event: fire.FeedbackRolled, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "weapon": t.mount(event.weapon), "number": event.number}
    return "" if event.safe else "explodes", facts | {"dice": t.dice(event.rolls)}


def _inferno(event: fire.InfernoStuck, t: Tongue) -> Facts:
    missiles = t.count(event.missiles, "missile")
    return "", {"who": t.who(event.side), "missiles": missiles, "until": event.until}


def _washed(event: fire.InfernoWashedOff, t: Tongue) -> Facts:
    return "", {"who": t.who(event.side), "hex": event.hex}


def _struck(event: harm.LauncherStruck, t: Tongue) -> Facts:
    dice = f" ({t.dice(event.rolls)})" if event.rolls else ""
    facts = {"who": t.who(event.side), "item": t.mount(event.item), "bin": t.mount(event.bin), "dice": dice}
    return "" if event.explodes else "harmless", facts | {"salvo": salvo_said(event.salvo, t)}


def _lost(event: harm.WeaponLost, t: Tongue) -> Facts:
    where = t.word(f"at.{event.location}")
    return "", {"who": t.who(event.side), "item": t.mount(event.item), "location": where}


def _chain(event: harm.ChainReaction, t: Tongue) -> Facts:
    facts = {"who": t.who(event.side), "item": t.mount(event.item), "number": event.number}
    return "explodes" if event.explodes else "", facts | {"dice": t.dice(event.rolls)}


FACTS: Mapping[str, Callable[[Any, Tongue], Facts]] = {
    "weapon-jammed": _jammed,
    "ammo-exploded": _exploded,
    "feedback-rolled": _feedback,
    "inferno-stuck": _inferno,
    "inferno-washed-off": _washed,
    "launcher-struck": _struck,
    "weapon-lost": _lost,
    "chain-reaction-rolled": _chain,
}
"""Event -> what its phrase needs."""
