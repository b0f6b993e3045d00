"""The log's sentence about a referee's correction: what stands now, in words.

Source: rulings.py, which says what may be corrected.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.mech import TORSOS
from solaris_combat.engines.battletech.ruling_events import UnitCorrected
from solaris_combat.engines.battletech.tongue import Facts, Tongue


def corrected(event: UnitCorrected, t: Tongue) -> Facts:
    """A correction with its reason."""
    changes = "; ".join(_change(name, value, t) for name, value in sorted(event.changes.items()))
    return "", {"who": t.who(event.side), "changes": changes, "reason": event.reason}


def _change(name: str, value: Any, t: Tongue) -> str:
    """A value that stands now: "heat 1", "armour: left arm 4 (rear 0)"."""
    if isinstance(value, bool):
        return t.word(f"corrected.{name}.{'yes' if value else 'no'}")
    if not isinstance(value, dict):
        return f"{t.word(f'corrected.{name}')} {value}"
    say = t.mount if name == "rounds" else lambda at: t.word(f"at.{at}")
    return f"{t.word(f'corrected.{name}')}: " + ", ".join(
        f"{say(at)} {_points(at, left, t)}" for at, left in sorted(value.items())
    )


def _points(at: str, left: Any, t: Tongue) -> str:
    """Points left; of armour front and rear."""
    if not isinstance(left, list | tuple):
        return str(left)
    front, rear = left
    return f"{front} ({t.word('rear')} {rear})" if at in TORSOS else str(front)
