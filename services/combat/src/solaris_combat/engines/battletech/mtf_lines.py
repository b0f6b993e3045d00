"""The lines of an MTF file, sorted into names, keys and slots; what belongs to none of them is reported.

Source: mtf-format.md sections 1, 3, 5 and 7.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.record_sheet import DesignRefused

LOCATIONS = {
    "left arm": Location.LA,
    "right arm": Location.RA,
    "left torso": Location.LT,
    "right torso": Location.RT,
    "center torso": Location.CT,
    "head": Location.HD,
    "left leg": Location.LL,
    "right leg": Location.RL,
    "front left leg": Location.LA,
    "front right leg": Location.RA,
    "rear left leg": Location.LL,
    "rear right leg": Location.RL,
}
KEYS = frozenset(
    (
        *("chassis", "model", "config", "techbase", "era", "source", "rules level", "mass", "engine"),
        *("structure", "myomer", "heat sinks", "walk mp", "jump mp", "armor", "cockpit", "gyro"),
        *("ejection", "nocrit", "base chassis heat sinks", "lam", "motive"),
        *(
            f"{place} armor"
            for place in ("la", "ra", "lt", "rt", "ct", "hd", "ll", "rl", "rtl", "rtr", "rtc")
        ),
        *(f"{at} armor" for at in ("fll", "frl", "rll", "rrl", "cl")),
    )
)
"""Keys that mean something; every other one is passed over and reported."""

_KEY = re.compile(r"(?P<key>[A-Za-z][A-Za-z ]{0,30}?)\s*:(?P<value>.*)")
MOST_LINES = 3000
"""Lines of the longest file that is looked at."""
_REPORTED = 200
"""Most things passed over that are named one by one."""


@dataclass(slots=True)
class Lines:
    """What stands in a file: `keys` in lower case, slots by heading, and what is passed over."""

    keys: dict[str, str] = field(default_factory=dict)
    headings: dict[str, list[str]] = field(default_factory=dict)
    uncounted: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    comments: int = 0
    summary: int = 0


def lines_of(text: str) -> Lines:
    """Sort the lines of a file; DesignRefused if it does not begin like one, or says a thing twice."""
    plain = re.split(r"\r\n|\r|\n", text)
    if len(plain) > MOST_LINES:
        raise DesignRefused(f"{len(plain)} lines are too many for a 'Mech (at most {MOST_LINES})")
    numbered = [(number, line.strip()) for number, line in enumerate(plain, 1)]
    found = Lines()
    rest = _names(found, numbered)
    section: str | None = None
    for number, line in rest:
        section = _line(found, number, line, section)
    if found.comments:
        found.ignored.insert(0, f"{found.comments} comment lines")
    if len(found.ignored) > _REPORTED:
        found.ignored[_REPORTED:] = [f"and {len(found.ignored) - _REPORTED} more"]
    return found


def _names(found: Lines, numbered: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Take the bare lines after `Version:`, if the file begins so; the lines that follow."""
    start = next((n for n, (_, line) in enumerate(numbered) if line and not line.startswith("#")), None)
    if start is None:
        raise DesignRefused("there is nothing in it")
    found.comments += sum(1 for _, line in numbered[:start] if line)
    if not numbered[start][1].lower().startswith("version:"):
        return numbered[start:]
    version = numbered[start][1].partition(":")[2].strip()
    if version not in ("1.0", "1.1", "1.2"):
        raise DesignRefused(f"line {numbered[start][0]}: version {version[:20]!r} is not 1.0, 1.1 or 1.2")
    names = [line for _, line in numbered[start + 1 : start + 3]]
    found.keys |= dict(zip(("chassis", "model"), [*names, "", ""], strict=False))
    return numbered[start + 3 :]


def _line(found: Lines, number: int, line: str, section: str | None) -> str | None:
    """Put one line where it belongs; the section that the next line stands in."""
    if not line:
        return None if section == "weapons" else section
    if line.startswith("#"):
        found.comments += 1
        return section
    heading = line.removesuffix(":").lower()
    if line.endswith(":") and heading in (*LOCATIONS, "center leg"):
        if heading in found.headings:
            raise DesignRefused(f"line {number}: {heading} stands twice")
        found.headings[heading] = []
        return heading
    match = _KEY.match(line)
    if section != "weapons" and match and not line.lower().startswith("is ammo"):
        return _key(found, number, match["key"].strip().lower(), match["value"].strip())
    if section in found.headings:
        found.headings[section].append(line)
    elif section == "weapons":
        found.summary += 1
    else:
        found.ignored.append(f"line {number}: text outside every location")
    return section


def _key(found: Lines, number: int, key: str, value: str) -> str | None:
    if key == "weapons":
        found.ignored.append(f"line {number}: Weapons (a summary: the slots are read)")
        return "weapons"
    if key == "nocrit":
        found.uncounted.append(value)
    elif key not in KEYS:
        found.ignored.append(f"line {number}: {key}")
    elif key in found.keys:
        raise DesignRefused(f"line {number}: {key} stands twice")
    else:
        found.keys[key] = value
    return None
