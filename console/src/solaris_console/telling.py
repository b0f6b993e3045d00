"""The log of a fight in groups, its problems in words: what pages about a fight have in common."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from solaris_console.apis import Trouble
from solaris_console.draft import Unclear
from solaris_console.texts import Speech

Json = dict[str, Any]
SMALL: Final = frozenset({"fire-declared", "turn-ended"})
"""Facts that say nothing which another does not say better."""
MOST: Final = 30
REASONED: Final = frozenset({"shot-impossible"})
"""Refusals that have many reasons: the one of combat is told."""
PLACE: Final = re.compile(r"line (\d+), column (\d+): ")
"""Where combat stopped to understand a text of orders."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One phase of one turn with its lines."""

    turn: int
    phase: str
    lines: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why orders are not accepted: in words, with the rule that says so."""

    text: str
    rule: str = ""
    place: str = ""


def chapters(lines: Iterable[Json]) -> list[Chapter]:
    """Lines by turn and phase, in order."""
    grouped = groupby(lines, key=lambda line: (line["turn"], line["phase"]))
    return [Chapter(turn, phase, tuple(found)) for (turn, phase), found in grouped]


def latest(lines: Sequence[Json]) -> list[Json]:
    """What the last resolution brought: everything that was recorded with the last line."""
    return [line for line in lines if line["time"] == lines[-1]["time"]] if lines else []


def headlines(lines: Sequence[Json]) -> list[Json]:
    """The last resolution for whoever has a minute: facts without consequences, the newest never cut."""
    told = [line for line in latest(lines) if not line["detail"] and line["type"] not in SMALL]
    kept = told[-MOST:]
    return [line for n, line in enumerate(kept) if line["type"] != "phase-began" or _followed(kept, n)]


def _followed(lines: Sequence[Json], at: int) -> bool:
    return at + 1 < len(lines) and lines[at + 1]["type"] != "phase-began"


def complaints(speech: Speech, found: Iterable[Json]) -> list[Complaint]:
    """Violations of an API in the reader's words; the API's own where the code has none."""
    return [
        Complaint(_said(speech, one), one.get("rule", ""), _place(one.get("pointer", ""))) for one in found
    ]


def _said(speech: Speech, violation: Json) -> str:
    detail = str(violation.get("detail", ""))
    code = str(violation.get("code", ""))
    known = speech.known(f"violation.{code}") or speech.text("orders.broken-rule", code=code)
    if code in REASONED:
        known = _with_reason(speech, code, detail) or known
    if place := PLACE.match(detail):
        known += " " + speech.text("orders.place", line=place[1], column=place[2])
    return known if speech.language == "es" else detail or known


def _with_reason(speech: Speech, code: str, detail: str) -> str:
    """A refusal with combat's own reason, the end of its detail, where the vocabulary has it; else ""."""
    reason = detail.rpartition(": ")[2]
    said = (speech.words or {}).get(reason)
    return speech.text(f"reasoned.{code}", reason=said) if said else ""


def _place(pointer: str) -> str:
    """Which part of the form: the first part of the pointer."""
    part = pointer.strip("/").partition("/")[0]
    return part if part in ("fire", "movement", "initial", "answers") else ""


def problem_words(speech: Speech, trouble: Trouble) -> str:
    """A refusal in one sentence; details of the APIs are English, their titles in the reader's language."""
    detail = "" if speech.language == "es" else trouble.detail
    return speech.known(f"problem.{trouble.code}") or detail or trouble.title or speech.text("failed")


def unclear_words(speech: Speech, unclear: Unclear) -> str:
    """What a form does not say, weapons by their names."""
    facts = {name: speech.mount(fact) if name == "weapon" else fact for name, fact in unclear.facts.items()}
    return speech.text(f"unclear.{unclear.key}", **facts)
