"""Names of MTF slots: which entry of a record sheet a spelling means, and how an entry is written.

Source: mtf-format.md sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech.record_sheet import DesignRefused
from solaris_combat.engines.battletech.tables import table

_TABLE = table("mtf_names")
_SPELT: Mapping[str, tuple[str, ...]] = {
    entry: tuple(names) for part in ("systems", "items") for entry, names in _TABLE[part].items()
}
_BY_NAME = {name.lower(): entry for entry, names in _SPELT.items() for name in names}
_REFUSED = {name.lower(): reason for reason, names in _TABLE["refused"].items() for name in names}
_SUFFIXES = {
    "(armored)": "armoured components",
    "(omnipod)": "OmniMech pods",
    "(t)": "turrets",
    "(fl)": "grenade launchers",
    "(fr)": "grenade launchers",
    "(rl)": "grenade launchers",
    "(rr)": "grenade launchers",
}
"""Ends of a slot's text that say what no duel is played with."""


def entry_of(text: str) -> str:
    """The entry of a slot's text; DesignRefused names the text.

    Sinks are "heat-sink" or "double-heat-sink" here: the header tells which a sheet may have.
    """
    name, marks = " ".join(text.lower().split()), ""
    for mark, word in (("(split)", " split"), ("(r)", " rear"), ("(split)", " split")):
        if name.endswith(mark) and word not in marks:
            name, marks = name.removesuffix(mark).rstrip(), word + marks
    for suffix, what in _SUFFIXES.items():
        if name.endswith(suffix):
            raise DesignRefused(f"{what} are not played: {text}")
    marks = (" rear" if " rear" in marks else "") + (" split" if " split" in marks else "")
    return _known(name, text) + marks


def _known(name: str, text: str) -> str:
    for spelling in (name, f"is {name}", f"is{name}", name.removeprefix("is ")):
        if spelling in _BY_NAME:
            return _BY_NAME[spelling]
    if name in _REFUSED:
        raise DesignRefused(f"{_REFUSED[name]} are outside the league's set: {text}")
    if name.startswith(("cl", "clan ")):
        raise DesignRefused(f"Clan equipment is not played: {text}")
    raise DesignRefused(f"unknown equipment: {text}")


def name_of(entry: str, double_heat_sinks: bool) -> str:
    """How an entry is written; KeyError for an entry that no sheet may have."""
    marks = ""
    for word, mark in ((" split", " (Split)"), (" rear", " (R)")):
        if entry.endswith(word):
            entry, marks = entry.removesuffix(word), mark + marks
    if entry == "heat-sink" and double_heat_sinks:
        entry = "double-heat-sink"
    return _SPELT[entry][0] + marks
