"""The catalogue: the 'Mechs of the league, from the record sheets in tables/mechs.

Every sheet is valid by the construction rules; those with equipment that fights cannot be played with yet are
shown, exported and refused at set-up, with the equipment named.
Source: record sheets (BMR); price, Battle Value and affiliation from the league's tables 1.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech.assembly import design_of
from solaris_combat.engines.battletech.mech import MechDesign
from solaris_combat.engines.battletech.playable import not_played
from solaris_combat.engines.battletech.record_sheet import (
    DesignRefused,
    RecordSheet,
    sheet_from,
    slot_count,
)
from solaris_combat.engines.battletech.tables import names, table

__all__ = ["CATALOGUE", "DESIGNS", "NOT_PLAYED", "SHEETS", "DesignRefused", "design_from", "slot_count"]


def design_from(data: Mapping[str, Any]) -> MechDesign:
    """The design of a catalogue table; DesignRefused for what is unknown, KeyError for what is missing."""
    return design_of(sheet_from(data), listed(data))


def listed(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the league's tables say of a design and its record sheet does not."""
    affiliation = tuple(data["affiliation"])
    return {"price": data["price"], "battle_value": data["battle_value"], "affiliation": affiliation}


_TABLES: Mapping[str, Mapping[str, Any]] = {
    data["model"]: data for data in (table(name) for name in names("mechs"))
}
SHEETS: Mapping[str, RecordSheet] = {model: sheet_from(data) for model, data in _TABLES.items()}
"""Every record sheet by model."""
NOT_PLAYED: Mapping[str, tuple[str, ...]] = {model: not_played(sheet) for model, sheet in SHEETS.items()}
"""Why fights refuse a model, empty for those they take."""
DESIGNS: Mapping[str, MechDesign] = {
    model: design_of(sheet, listed(_TABLES[model])) for model, sheet in SHEETS.items()
}
"""Every design by model, those that fights refuse too."""
CATALOGUE: Mapping[str, MechDesign] = {
    model: design for model, design in DESIGNS.items() if not NOT_PLAYED[model]
}
"""Every playable design by model."""
