"""The switches of a ruleset: what the league changes in the Master Rules and what is PROPOSED.

With every switch off the engine plays the plain BattleTech Master Rules.
Source: R 4.5.1, R 4.5.5.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """`floating_critical`: R 4.5.1, a location roll of 2 is rolled again and the critical goes along.

    `automatic_rolls`: R 4.5.5, with weapons 2 always misses and 12 always hits.
    """

    floating_critical: bool = False
    automatic_rolls: bool = False


MASTER_RULES = Rules()
"""The plain rules."""
LEAGUE_RULES = Rules(floating_critical=True, automatic_rolls=True)
"""What every class of the league plays (R 4.5)."""
