"""The mechwarrior: wounds, consciousness, death (BMR, mechwarrior damage; tables/pilot.toml).

Source: BMR mechwarrior damage; pilot.yaml.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.harm import Chain, Consciousness, Destroyed, Harm, Wound
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import DEADLY_WOUNDS, Unit, pilot_dead
from solaris_combat.engines.dice import Dice

CONSCIOUSNESS: tuple[int, ...] = tuple(table("pilot")["wounds"]["consciousness"])
HEAD_WOUNDS: int = table("pilot")["head"]["wounds"]


def consciousness_number(wounds: int) -> int | None:
    """2D6 needed to stay conscious (or wake up) with this many wounds; None for a dead mechwarrior."""
    return CONSCIOUSNESS[wounds - 1] if 0 < wounds < DEADLY_WOUNDS else None


def wound(chain: Chain, wounds: int, cause: str) -> None:
    """Wound the mechwarrior, unless he is dead; the sixth wound kills him and ends the 'Mech's fight."""
    unit = chain.unit
    if pilot_dead(unit) or wounds <= 0:
        return
    total = min(unit.pilot_hits + wounds, DEADLY_WOUNDS)
    chain.add(Wound(unit.side, wounds, total, cause))
    if total >= DEADLY_WOUNDS:
        chain.add(Destroyed(unit.side, "mechwarrior"))


def kill(chain: Chain, cause: str) -> None:
    """The mechwarrior dies with head or cockpit, whatever his wounds."""
    wound(chain, DEADLY_WOUNDS - chain.unit.pilot_hits, cause)


def check_consciousness(unit: Unit, dice: Dice) -> Harm:
    """A roll for each wound not yet rolled for, at the number of wounds after it, until one fails."""
    chain = Chain(unit)
    first = unit.pilot_hits - unit.unchecked_wounds + 1
    for wounds in range(first, unit.pilot_hits + 1):
        number = consciousness_number(wounds)
        if number is None or not chain.unit.conscious:
            break
        roll = dice.roll(2, 6, "consciousness")
        chain.add(Consciousness(unit.side, "stay", number, roll.total >= number, (roll,)))
    return chain.harm()


def wake_up(unit: Unit, dice: Dice) -> Harm:
    """An unconscious mechwarrior tries to wake up, in the end phase of a later turn than he went under."""
    chain = Chain(unit)
    number = consciousness_number(unit.pilot_hits)
    if not unit.conscious and number is not None:
        roll = dice.roll(2, 6, "wake up")
        chain.add(Consciousness(unit.side, "wake", number, roll.total >= number, (roll,)))
    return chain.harm()
