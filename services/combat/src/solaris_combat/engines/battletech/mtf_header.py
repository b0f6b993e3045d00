"""The header of an MTF file as facts of a record sheet; what is not played is refused by its name.

Source: mtf-format.md section 2; the league plays Inner Sphere bipeds and quads of BMR levels 1 and 2.
"""

from __future__ import annotations

import re
from typing import Any

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.mtf_lines import Lines
from solaris_combat.engines.battletech.record_sheet import DesignRefused

_TORSOS = {"LT": Location.LT, "RT": Location.RT, "CT": Location.CT, "HD": Location.HD}
_LIMBS = {"LA": Location.LA, "RA": Location.RA, "LL": Location.LL, "RL": Location.RL}
_LEGS = {"FLL": Location.LA, "FRL": Location.RA, "RLL": Location.LL, "RRL": Location.RL}
ARMOR_KEYS = {False: _LIMBS | _TORSOS, True: _LEGS | _TORSOS}
"""Armour keys of bipeds and of quads, by the answer to "is it a quad?"."""
REAR_KEYS = {"RTL": Location.LT, "RTR": Location.RT, "RTC": Location.CT}

_ENGINES = {"fusion": "fusion", "fusion engine": "fusion"} | dict.fromkeys(
    ("xl", "xl engine", "xl fusion", "xl fusion engine"), "xl"
)
_FRAMES = {"standard": "standard", "endo steel": "endo-steel"}
_PLATINGS = {"standard": "standard", "standard armor": "standard", "ferro fibrous": "ferro-fibrous"}
_MYOMERS = ("", "standard", "masc", "ismasc", "triple strength", "triple strength myomer", "tsm")
_BASE = re.compile(r"\s*\((?:is|inner sphere|is/clan|\(?unknown technology base\)?)\)$")


def header_of(lines: Lines) -> dict[str, Any]:
    """Facts of a record sheet but for its slots; DesignRefused says what is missing or not played."""
    quad = _config(lines)
    _refuse_oddities(lines)
    rating, engine = _engine(lines)
    sinks, double = _sinks(lines)
    return {
        "name": _name(lines),
        "model": lines.keys.get("model", ""),
        "quad": quad,
        "tons": _number(lines, "mass"),
        "engine": engine,
        "engine_rating": rating,
        "frame": _one_of(lines, "structure", _FRAMES),
        "plating": _one_of(lines, "armor", _PLATINGS),
        "heat_sinks": sinks,
        "double_heat_sinks": double,
        "walk": _number(lines, "walk mp"),
        "jump": _number(lines, "jump mp"),
        "armor": _armor(lines, quad),
        "year": _number(lines, "era", missing=0),
        "rules_level": _number(lines, "rules level", missing=0),
        "source": lines.keys.get("source", ""),
    }


def _name(lines: Lines) -> str:
    if not lines.keys.get("chassis"):
        raise DesignRefused("there is no name of a 'Mech in it")
    return lines.keys["chassis"]


def _config(lines: Lines) -> bool:
    """True for a quad."""
    config = _said(lines, "config").lower()
    base = _said(lines, "techbase").lower()
    if config not in ("biped", "quad"):
        raise DesignRefused(f"{_named(config)} is not played")
    if base != "inner sphere":
        kind = "Clan technology" if base.startswith("clan") else "mixed technology"
        raise DesignRefused(f"{kind if base.startswith(('clan', 'mixed')) else _quoted(base)} is not played")
    return config == "quad"


def _named(config: str) -> str:
    kinds = {"lam": "a LAM (land-air 'Mech)", "quadvee": "a QuadVee", "tripod": "a three-legged 'Mech"}
    for word, kind in kinds.items():
        if config.startswith(word):
            return kind
    return "an OmniMech" if "omni" in config else f"a 'Mech of the kind {_quoted(config)}"


def _quoted(words: str) -> str:
    return repr(words[:40])


def _refuse_oddities(lines: Lines) -> None:
    """Components beyond the standard ones, and equipment without a slot."""
    for key in ("cockpit", "gyro"):
        value = lines.keys.get(key, "standard").lower()
        if value not in ("", "standard", f"standard {key}"):
            raise DesignRefused(f"{key} {_quoted(value)} is not played")
    if "full head" in lines.keys.get("ejection", "").lower():
        raise DesignRefused("a full-head ejection system is not played")
    if "ejection" in lines.keys:
        lines.ignored.append("ejection")
    if _folded(lines.keys.get("myomer", "")) not in _MYOMERS:
        raise DesignRefused(f"myomer {_quoted(lines.keys['myomer'])} is not played")
    for key in ("lam", "motive", "base chassis heat sinks", "cl armor"):
        if key in lines.keys:
            raise DesignRefused(f"{key} belongs to a kind of 'Mech that is not played")
    for value in lines.uncounted:
        if value.partition(":")[0].strip().lower() != "standard":
            raise DesignRefused(f"equipment without a slot: {_quoted(value)}")
        lines.ignored.append(f"nocrit {value[:40]}")


def _said(lines: Lines, key: str) -> str:
    if key not in lines.keys:
        raise DesignRefused(f"{key} is missing")
    return lines.keys[key]


def _number(lines: Lines, key: str, missing: int | None = None) -> int:
    value = lines.keys.get(key, "") if missing is not None else _said(lines, key)
    if not value and missing is not None:
        return missing
    if not re.fullmatch(r"[0-9]{1,4}", value):
        raise DesignRefused(f"{key} {_quoted(value)} is not a number")
    return int(value)


def _folded(value: str) -> str:
    """Words in lower case without hyphens and without the technology base."""
    return _BASE.sub("", value.lower().replace("-", " ")).removeprefix("is ").strip()


def _one_of(lines: Lines, key: str, known: dict[str, str]) -> str:
    value = _said(lines, key)
    if _folded(value) not in known:
        raise DesignRefused(f"{key} {_quoted(value)} is not played")
    return known[_folded(value)]


def _engine(lines: Lines) -> tuple[int, str]:
    value = _said(lines, "engine")
    match = re.fullmatch(r"([0-9]{1,3})\s+(.+)", value)
    kind = _ENGINES.get(_folded(match[2])) if match else None
    if match is None or kind is None:
        raise DesignRefused(f"engine {_quoted(value)} is not played")
    return int(match[1]), kind


def _sinks(lines: Lines) -> tuple[int, bool]:
    value = _said(lines, "heat sinks")
    match = re.fullmatch(r"([0-9]{1,2})(?:\s+(.+))?", value)
    kind = _folded(match[2] or "single") if match else ""
    if match is None or kind not in ("single", "double"):
        raise DesignRefused(f"heat sinks {_quoted(value)} are not played")
    return int(match[1]), kind == "double"


def _armor(lines: Lines, quad: bool) -> dict[Location, tuple[int, int]]:
    front = {at: _number(lines, f"{key.lower()} armor") for key, at in ARMOR_KEYS[quad].items()}
    rear = {at: _number(lines, f"{key.lower()} armor") for key, at in REAR_KEYS.items()}
    return {at: (front[at], rear.get(at, 0)) for at in Location}
