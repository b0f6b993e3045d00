"""The ruleset `solaris7/1`: its switches and figures, and the hash that pins it with every table it uses.

A fight ends under the ruleset it began with; the hash covers the ruleset, every table of figures, every
record sheet and every arena, but not the phrases of the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from solaris_combat.engines.battletech import tables
from solaris_combat.engines.battletech.rules import Rules
from solaris_combat.engines.battletech.victory import Scoring, scoring

RULESET = "solaris7/1"
TABLE = "rulesets/solaris7-1"
NOT_RULES = ("log", "words", "order_words")
"""Tables without any figure of the rules."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What the engine asks of the league's rules, read once from their table."""

    id: str
    table: Mapping[str, Any]
    rules: Rules
    scoring: Scoring

    @property
    def classes(self) -> tuple[int, ...]:
        """Classes this release plays."""
        return tuple(self.table["classes"]["played"])

    @property
    def turns(self) -> int:
        """Length of a fight in turns."""
        return int(self.table["turns"]["fixed"])

    @property
    def longest(self) -> int:
        """Most turns a fight may be agreed to last."""
        return int(self.table["turns"]["longest"])

    @property
    def length_by_agreement(self) -> tuple[int, ...]:
        """Classes in which the sides may agree on a longer fight."""
        return tuple(self.table["turns"]["by_agreement"])

    @property
    def overtime_turns(self) -> int:
        """Turns of one piece of extra time of a permanence fight."""
        return int(self.table["overtime"]["turns"])

    @property
    def overtime_limit(self) -> int:
        """Turn after which a permanence fight ends in any case."""
        return int(self.table["overtime"]["limit"])

    def plays(self, rule: str, fight_class: int) -> bool:
        """Whether a rule that only some classes play holds in one (solaris7-tables 1.9)."""
        return fight_class in self.table[rule]["classes"]

    def rounds_per_turn(self, family: str, fight_class: int, *, permanence: bool = False) -> int:
        """Rounds of a weapon a 'Mech may carry for each turn, by the family of its ammunition (C-11)."""
        cap = self.table["ammunition_cap"]
        twice = family in cap["twice_always"]
        if family in cap["twice_at_double_rate"]:
            twice = self.plays("double_rate", fight_class)
        if permanence:
            twice = twice and fight_class in self.table["overtime"]["twice_in_classes"]
        return int(cap["per_turn"]) * (2 if twice else 1)

    @property
    def special_price(self) -> int:
        """What one kind of special ammunition in one bin costs, in C-bills."""
        return int(self.table["special_ammunition"]["price"])

    @property
    def special_salvoes(self) -> int:
        """Most salvoes of one special kind in one bin of missiles."""
        return int(self.table["special_ammunition"]["salvoes_per_bin"])

    @property
    def inferno_is_special(self) -> bool:
        """Whether Inferno counts as special ammunition (C-07)."""
        return bool(self.table["inferno_is_special"]["on"])


@cache
def ruleset() -> Ruleset:
    """The ruleset `solaris7/1`."""
    return ruleset_from(tables.table(TABLE))


def ruleset_from(data: Mapping[str, Any]) -> Ruleset:
    """A ruleset from its table; KeyError if a switch is missing."""
    rules = Rules(
        floating_critical=data["floating_critical"]["on"],
        automatic_rolls=data["automatic_hit_and_miss"]["on"],
    )
    return Ruleset(data["id"], data, rules, scoring(data))


@cache
def ruleset_hash() -> str:
    """SHA-256 (hex) of all tables of rules, by name, in canonical JSON (sorted keys, no spaces, UTF-8)."""
    every = {name: tables.table(name) for name in sorted(_names(files(tables.__package__), ""))}
    text = json.dumps(every, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _names(folder: Traversable, prefix: str) -> list[str]:
    found: list[str] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".toml") and prefix + entry.name[:-5] not in NOT_RULES:
            found.append(prefix + entry.name[:-5])
    return found
