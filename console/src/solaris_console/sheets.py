"""A record sheet as it is shown: what is left of what was built, place by place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Json = Mapping[str, Any]
PLACES: Final = ("HD", "CT", "LT", "RT", "LA", "RA", "LL", "RL")
REAR: Final = ("CT", "LT", "RT")
HOTTEST: Final = 30


@dataclass(frozen=True, slots=True)
class Place:
    """A location: armour, rear armour (None: it has none) and structure, each now and as built."""

    key: str
    armor: tuple[int, int]
    rear: tuple[int, int] | None
    structure: tuple[int, int]
    hits: tuple[tuple[int, str], ...]
    lost: bool

    @property
    def state(self) -> str:
        """In one word, for shape and colour: whole, scratched, open, broken, lost."""
        if self.lost:
            return "lost"
        if self.structure[0] < self.structure[1]:
            return "broken"
        if self.armor[0] == 0 or (self.rear is not None and self.rear[0] == 0):
            return "open"
        worn = self.armor[0] < self.armor[1] or (self.rear is not None and self.rear[0] < self.rear[1])
        return "scratched" if worn else "whole"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side's 'Mech."""

    side: str
    unit: Json
    title: str
    places: tuple[Place, ...]
    holds: Mapping[str, int]
    sinks: int

    def place(self, key: str) -> Place:
        """A location by its letters."""
        return next(one for one in self.places if one.key == key)


def sheet_of(side: str, unit: Json, mech: Json | None) -> Sheet:
    """The sheet; without the design (combat's catalogue is away) what is there counts as whole."""
    built = (mech or {}).get("locations", {})
    places = tuple(_place(key, unit["locations"][key], built.get(key, {})) for key in PLACES)
    holds = {one["id"]: one["holds"] for one in (mech or {}).get("bins", [])}
    title = f"{(mech or {}).get('name', '')} {unit['model']}".strip()
    return Sheet(side, unit, title, places, holds, (mech or {}).get("heat_sinks", 0))


def _place(key: str, now: Json, built: Json) -> Place:
    def pair(name: str) -> tuple[int, int]:
        return now[name], built.get(name, now[name])

    hits = tuple((hit["slot"], hit["kind"]) for hit in now["hits"])
    lost = now["structure"] == 0 or now["blown_off"]
    return Place(key, pair("armor"), pair("rear") if key in REAR else None, pair("structure"), hits, lost)
