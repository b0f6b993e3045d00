"""A language of the log: words, counts, sums and dice as people read them (tables/words.toml)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.hot_loading import DICE_KEPT
from solaris_combat.engines.battletech.munitions import is_hot, munition
from solaris_combat.engines.battletech.tables import names, table
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS
from solaris_combat.engines.dice import Roll

Facts = tuple[str, dict[str, Any]]
"""Which variant of a phrase tells an event, and what fills its braces."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language with the names of the sides; knows how to say the small things."""

    language: str
    names: Mapping[str, str] = field(default_factory=dict)

    def who(self, side: str) -> str:
        """A side's callsign, or its letter."""
        return self.names.get(side, side)

    def at(self, target: str, key: str) -> str:
        """Whom an attack is made at, where more than two fight: " contra Borja"."""
        return f" {self.word(key)} {self.who(target)}" if len(self.names) > 2 else ""

    def arena(self, arena_id: str) -> str:
        """An arena by its own name; the id made readable where there is none of that id."""
        return arena_names(self.language).get(f"arena.{arena_id}") or arena_id.replace("-", " ").title()

    def knows(self, key: str) -> bool:
        """Whether there is a word of its own for a key."""
        return key in table("words")[self.language]

    def word(self, key: str) -> str:
        """The word for a key; the key itself, made readable, where none is known."""
        known = table("words")[self.language].get(key)
        if known is None and key in WEAPONS:
            weapon = WEAPONS[key]
            known = weapon.spanish if self.language == "es" and weapon.spanish else weapon.name
        elif known is None and key in AMMUNITION and AMMUNITION[key].base:
            kind = AMMUNITION[key]
            known = f"{self.word(kind.base)} {self.word(f'munition.{kind.munition}')}"
        return str(known or key.replace("_", " ").replace("-", " "))

    def mount(self, name: str) -> str:
        """A weapon or bin by its id ("ra-ppc-1", "lt-srm-4-ammo-2"): what it is and where."""
        place, _, rest = name.partition("-")
        what, _, number = rest.rpartition("-")
        if not (what and number.isdecimal()):
            return name
        ordinal = f" {number}" if int(number) > 1 else ""
        return f"{self.word(what.removesuffix('-ammo'))}{ordinal}, {self.word(f'at.{place.upper()}')}"

    def count(self, number: int, key: str) -> str:
        """A number of things, in the singular or plural."""
        return f"{number} {self.word(key if number == 1 else key + '.many')}"

    def money(self, amount: int) -> str:
        """An amount of C-bills: 150.000 or 150,000."""
        said = f"{amount:,}"
        return said.replace(",", ".") if self.language == "es" else said

    def items(self, items: Iterable[ev.Item]) -> str:
        """The summands of a number: "4 gunnery, +2 medium range"."""
        said = []
        for n, item in enumerate(items):
            sign = "" if n == 0 or item.value < 0 else "+"
            said.append(f"{sign}{item.value} {self.word(item.reason)}")
        return ", ".join(said)

    def dice(self, rolls: Iterable[Roll]) -> str:
        """Dice with their faces: "3+5=8"; a single die is its face."""
        return " / ".join(self._roll(roll) for roll in rolls)

    def _roll(self, roll: Roll) -> str:
        """The faces and their sum; of three for missile hits, the sum of those that count (R 4.5.3)."""
        faces = "+".join(str(face) for face in roll.faces)
        if roll.purpose == "missile hits" and len(roll.faces) > DICE_KEPT:
            return f"{faces} ({self.word('lowest-two')}: {sum(sorted(roll.faces)[:DICE_KEPT])})"
        return faces if len(roll.faces) == 1 else f"{faces}={roll.total}"


def arena_names(language: str) -> dict[str, str]:
    """The arenas' own names, by "arena." and their ids."""
    arenas = [table(name) for name in names("arenas")]
    return {f"arena.{arena['id']}": arena["name"][language] for arena in arenas}


def salvo_said(salvo: str, t: Tongue) -> str:
    """A salvo by its munition: "Dead-Fire (hot)"."""
    said = t.word(f"munition.{munition(salvo)}")
    return f"{said} ({t.word('munition.hot')})" if is_hot(salvo) else said
