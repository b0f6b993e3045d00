"""MTF files: the record sheet in a file's bytes, and the file of a record sheet. Nothing here touches a disk.

Both header dialects are read (`Version:` with bare lines; `chassis:` and `model:` keys), one is written.
Source: mtf-format.md; what is refused: sections 2 and 3 there and the league's set of weapons.yaml.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import dataclass
from unicodedata import category

from solaris_combat.engines.battletech import construction, mtf_header, mtf_slots
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.mtf_header import ARMOR_KEYS, REAR_KEYS
from solaris_combat.engines.battletech.mtf_lines import lines_of
from solaris_combat.engines.battletech.mtf_names import name_of
from solaris_combat.engines.battletech.record_sheet import DesignRefused, RecordSheet

LARGEST = 128 * 1024
"""Bytes of the largest file that is looked at."""
HEADINGS = {
    Location.LA: "Left Arm",
    Location.RA: "Right Arm",
    Location.LT: "Left Torso",
    Location.RT: "Right Torso",
    Location.CT: "Center Torso",
    Location.HD: "Head",
    Location.LL: "Left Leg",
    Location.RL: "Right Leg",
}
QUAD_HEADINGS = HEADINGS | {
    Location.LA: "Front Left Leg",
    Location.RA: "Front Right Leg",
    Location.LL: "Rear Left Leg",
    Location.RL: "Rear Right Leg",
}


@dataclass(frozen=True, slots=True)
class Imported:
    """A legal record sheet read from a file, and everything in the file that was passed over."""

    sheet: RecordSheet
    ignored: tuple[str, ...]


def read(data: bytes) -> Imported:
    """The sheet of a file; DesignRefused for what cannot be read, is not played or is not legal."""
    if len(data) > LARGEST:
        raise DesignRefused(f"{len(data)} bytes are too many for a 'Mech (at most {LARGEST})")
    if data.removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        raise DesignRefused("XML, such as a MUL file, is not read; an MTF file is wanted")
    lines = lines_of(text_of(data))
    header = mtf_header.header_of(lines)
    slots = mtf_slots.slots_of(lines, header)
    sheet = construction.check(_with_plain_names(RecordSheet(**header, slots=slots)))
    return Imported(sheet, tuple(lines.ignored))


def text_of(data: bytes) -> str:
    """Bytes as text: UTF-8, with or without a mark, else Windows-1252, else Latin-1."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _with_plain_names(sheet: RecordSheet) -> RecordSheet:
    """The sheet; DesignRefused if a name of it could not stand in a file, or would steer a terminal."""
    for words in (sheet.name, sheet.model, sheet.source):
        printed = all(letter.isprintable() or category(letter) == "Zs" for letter in words)
        if words != words.strip() or not printed:
            raise DesignRefused(f"a name of one line without blanks around it, not {words[:40]!r}")
    return sheet


def write(sheet: RecordSheet) -> str:
    """The file of a sheet, in the dialect with a version; DesignRefused if its names cannot stand in one."""
    _with_plain_names(sheet)
    if not sheet.name:
        raise DesignRefused("a 'Mech without a name cannot be written")
    parts = [_head(sheet), _build(sheet), _armor(sheet), *(_location(sheet, at) for at in HEADINGS)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _head(sheet: RecordSheet) -> list[str]:
    head = ["Version:1.0", sheet.name, sheet.model, "", f"Config:{'Quad' if sheet.quad else 'Biped'}"]
    head += ["TechBase:Inner Sphere"]
    facts = (("Era", sheet.year), ("Source", sheet.source), ("Rules Level", sheet.rules_level))
    return head + [f"{key}:{value}" for key, value in facts if value]


def _build(sheet: RecordSheet) -> list[str]:
    held = {entry for entries in sheet.slots.values() for entry in entries}
    myomer = "MASC" if "masc" in held else "Triple-Strength" if "tsm" in held else "Standard"
    return [
        f"Mass:{sheet.tons}",
        f"Engine:{sheet.engine_rating} {'XL Engine' if sheet.engine == 'xl' else 'Fusion Engine'}",
        f"Structure:{'Endo Steel' if sheet.frame == 'endo-steel' else 'Standard'}",
        f"Myomer:{myomer}",
        "",
        f"Heat Sinks:{sheet.heat_sinks} {'Double' if sheet.double_heat_sinks else 'Single'}",
        f"Walk MP:{sheet.walk}",
        f"Jump MP:{sheet.jump}",
    ]


def _armor(sheet: RecordSheet) -> list[str]:
    plating = "Ferro-Fibrous" if sheet.plating == "ferro-fibrous" else "Standard"
    front = [f"{key} Armor:{sheet.armor[at][0]}" for key, at in ARMOR_KEYS[sheet.quad].items()]
    rear = [f"{key} Armor:{sheet.armor[at][1]}" for key, at in REAR_KEYS.items()]
    return [f"Armor:{plating}(Inner Sphere)", *front, *rear]


def _location(sheet: RecordSheet, location: Location) -> list[str]:
    heading = (QUAD_HEADINGS if sheet.quad else HEADINGS)[location]
    names = [name_of(entry, sheet.double_heat_sinks) for entry in sheet.slots[location]]
    return [f"{heading}:", *names, *["-Empty-"] * (12 - len(names))]
