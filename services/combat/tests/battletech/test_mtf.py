"""MTF files: both dialects, bytes of every kind, what is refused by name, and files that are broken."""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solaris_combat.engines.battletech import construction, mtf
from solaris_combat.engines.battletech.catalogue import DESIGNS, SHEETS
from solaris_combat.engines.battletech.equipment import EQUIPMENT
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.record_sheet import DesignRefused
from solaris_combat.engines.battletech.sheet_text import named, sheet_text
from solaris_combat.engines.battletech.tongue import Tongue

PANTHER = mtf.write(SHEETS["PNT-9R"])
SHARED = Path(os.environ.get("SOLARIS_SHARED") or Path(__file__).parents[5] / "shared")
FILES = sorted((SHARED / "data" / "mechs").glob("*.mtf"))
WORDS = (b"Clan", b"LAM", b"99999999", b"\xff", b":", b"\n", b"(Split)", b"-Empty-", b"ISAC20", b"#", b"\xe9")
names = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=("C", "Z")), min_size=1
)


@pytest.mark.parametrize("model", sorted(SHEETS))
def test_import_of_an_export_is_the_identity(model: str) -> None:
    read = mtf.read(mtf.write(SHEETS[model]).encode())
    assert read.sheet == SHEETS[model]
    assert read.ignored == ()


@settings(max_examples=100, deadline=None)
@given(model=st.sampled_from(sorted(SHEETS)), name=names, year=st.integers(0, 9999), level=st.integers(0, 5))
def test_identity_with_any_name(model: str, name: str, year: int, level: int) -> None:
    sheet = replace(SHEETS[model], name=name, model=name[::-1], year=year, rules_level=level, source=name)
    assert mtf.read(mtf.write(sheet).encode()).sheet == sheet


@pytest.mark.parametrize("path", FILES or [None], ids=lambda p: p.stem if p else "absent")
def test_every_file_of_the_shared_folder(path: Path | None) -> None:
    if path is None:
        pytest.skip(f"no reference files in {SHARED}")
    sheet = mtf.read(path.read_bytes()).sheet
    assert mtf.read(mtf.write(sheet).encode()).sheet == sheet
    assert construction.half_tons(sheet) == sheet.tons * 2
    if sheet.model in SHEETS:
        facts = {"name": sheet.name, "source": sheet.source}
        assert replace(SHEETS[sheet.model], **facts) == sheet


def test_io3_both_dialects_are_one_sheet() -> None:
    """IO3: bare lines after `Version:`, or `chassis:` and `model:` after comments."""
    rest = PANTHER.split("\n", 3)[3]
    modern = (
        f"# a notice\n# of two lines\nuuid:1\nchassis:Panther\nmodel:PNT-9R\nrole:Sniper\n{rest}quirk:odd\n"
    )
    modern = modern.replace("Heat Sinks:13 Single", "heat sinks:13 IS Single")
    read = mtf.read(modern.encode())
    assert read.sheet == SHEETS["PNT-9R"]
    assert read.ignored[0] == "2 comment lines"
    assert [line.partition(": ")[2] for line in read.ignored[1:]] == ["uuid", "role", "quirk"]


@pytest.mark.parametrize(
    "data",
    [
        "Mélée Größe".encode(),
        b"\xef\xbb\xbf" + "Mélée Größe".encode(),
        "Mélée Größe".encode("cp1252"),
    ],
)
def test_io5_letters_outside_ascii(data: bytes) -> None:
    """IO5: UTF-8, with a mark, Latin-1; and CRLF."""
    mark = data[:3] if data.startswith(b"\xef") else b""
    text = PANTHER.encode().replace(b"Panther", data.removeprefix(b"\xef\xbb\xbf"), 1)
    assert mtf.read(mark + text.replace(b"\n", b"  \r\n")).sheet.name == "Mélée Größe"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Config:Biped", "Config:LAM", "LAM"),
        ("Config:Biped", "Config:Tripod", "three-legged"),
        ("Config:Biped", "Config:Biped Omnimech", "OmniMech"),
        ("TechBase:Inner Sphere", "TechBase:Clan", "Clan technology"),
        ("TechBase:Inner Sphere", "TechBase:Mixed (IS Chassis)", "mixed technology"),
        ("140 Fusion Engine", "140 XL (Clan) Engine(IS)", "engine"),
        ("140 Fusion Engine", "140 Light Engine", "engine"),
        ("13 Single", "13 Laser", "heat sinks"),
        ("Structure:Standard", "Structure:Composite", "structure"),
        ("Armor:Standard(Inner Sphere)", "Armor:Stealth", "armor"),
        ("Myomer:Standard", "Gyro:Heavy Duty Gyro\nMyomer:Standard", "gyro"),
        ("SRM 4", "CLERMediumLaser", "Clan equipment"),
        ("SRM 4", "SRM 4 (OS)", "one-shot"),
        ("SRM 4", "SRM 4 (omnipod)", "OmniMech pods"),
        ("SRM 4", "Long Tom", "artillery"),
        ("SRM 4", "Death Ray", "unknown equipment: Death Ray"),
        ("Mass:35", "Mass:30", "engine of 140"),
        ("Mass:35", "Mass:" + "9" * 5000, "mass"),
        ("LA Armor:10", "LA Armor:30", "armour 30 in LA, at most 12"),
        ("Jump MP:4", "Jump MP:3", "4 jump jets for jump 3"),
        ("13 Single", "15 Single", "heat sinks in slots"),
        ("13 Single", "13 Double", "mixed"),
        ("Hand Actuator", "PPC", "neighbouring"),
        ("Version:1.0", "Version:7", "version"),
        ("Right Leg:", "Left Leg:", "twice"),
        ("Mass:35\n", "", "mass is missing"),
        ("PNT-9R", "PNT\0-9R", "a name of one line"),
        ("Panther", "\x1b[2JPanther", "a name of one line"),
    ],
)
def test_what_is_refused_is_named(old: str, new: str, told: str) -> None:
    assert old in PANTHER
    with pytest.raises(DesignRefused, match=told):
        mtf.read(PANTHER.replace(old, new).encode())


def test_weight_is_checked() -> None:
    heavy = PANTHER.replace("LT Armor:10", "LT Armor:11")
    with pytest.raises(DesignRefused, match=r"weighs 35\.5 tons, not 35"):
        mtf.read(heavy.encode())


def test_split_weapons_are_joined_with_and_without_the_mark() -> None:
    """An AC/20 of ten slots, six in the arm and four further in, fires in the arc of the torso."""
    base = SHEETS["HBK-4G"]
    right = [entry for entry in base.slots[Location.RT] if entry != "ac-20"]
    arm = (*base.slots[Location.RA][:4], *["ac-20 split"] * 6)
    slots = {**base.slots, Location.RA: (*arm, "empty", "empty")}
    slots[Location.RT] = tuple([*["ac-20 split"] * 4, *[e for e in right if e != "empty"]] + ["empty"] * 8)[
        :12
    ]
    moved = [e for e in base.slots[Location.RA][4:] if e != "empty"]
    slots[Location.LT] = tuple(
        [*[e for e in base.slots[Location.LT] if e != "empty"], *moved] + ["empty"] * 12
    )[:12]
    sheet = construction.check(replace(base, slots=slots))
    written = mtf.write(sheet)
    assert written.count("(Split)") == 10
    assert mtf.read(written.encode()).sheet == sheet
    assert mtf.read(written.replace(" (Split)", "").encode()).sheet == sheet
    assert construction.half_tons(sheet) == 100


RUNAWAY_SECONDS = 3


def bounded(data: bytes) -> None:
    """Parsed or refused, never anything else, and nothing runs away (a guard far above what is measured)."""
    start = time.process_time()
    try:
        mtf.read(data)
    except DesignRefused as refused:
        assert str(refused)
    assert time.process_time() - start <= RUNAWAY_SECONDS


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A file of the project with bytes cut out, repeated or put in."""
    data = bytearray(mtf.write(SHEETS[draw(st.sampled_from(sorted(SHEETS)))]).encode())
    for _ in range(draw(st.integers(1, 6))):
        at, end = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
        piece = draw(st.sampled_from(WORDS) | st.binary(max_size=12))
        data[at : min(end, at + draw(st.integers(0, 200)))] = piece * draw(st.sampled_from((1, 1, 1, 40)))
    return bytes(data)


@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(spoilt())
def test_2000_broken_files(data: bytes) -> None:
    bounded(data)


@pytest.mark.soak
@settings(max_examples=50000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(spoilt() | st.binary(max_size=4096))
def test_50000_broken_files(data: bytes) -> None:
    bounded(data)


@pytest.mark.parametrize("filler", [b"\n", b"#\n", b"PPC\n", b":", b"a:b\n", b"(R) ", b"\x00", b"9"])
def test_the_largest_files_cost_little(filler: bytes) -> None:
    bounded(PANTHER.encode() + filler * ((mtf.LARGEST - len(PANTHER)) // len(filler)))
    bounded(PANTHER.encode() + filler * 2800)
    with pytest.raises(DesignRefused, match="too many"):
        mtf.read(b"x" * (mtf.LARGEST + 1))


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_design_can_be_shown(language: str) -> None:
    """In Spanish as in English, with no key of a table left in it."""
    for model, sheet in SHEETS.items():
        facts = {"price": DESIGNS[model].price, "battle_value": 1, "affiliation": ("Liao",)}
        shown = sheet_text(sheet, facts, language)
        assert shown.startswith(f"{sheet.name} {model}\n")
        assert max(map(len, shown.splitlines())) <= 100
        assert not re.search(r"\{|_|sheet\.|slot\.", shown)


def test_slots_are_named_in_spanish_first() -> None:
    shown = sheet_text(SHEETS["CPLT-C1"])
    for name in ("hombro", "AMLA/15", "munición AMLA/15", "radiador", "retrorreactor", "giróscopo"):
        assert name in shown
    assert "heat-sink" not in shown
    assert "shoulder" in sheet_text(SHEETS["CPLT-C1"], language="en")


def test_every_kind_of_slot_has_a_spanish_name() -> None:
    english, spanish = Tongue("en"), Tongue("es")
    same = {"CASE", "Artemis IV", "TAG", "MASC"}
    for key in EQUIPMENT:
        assert named(spanish, key) != named(english, key) or named(spanish, key) in same, key
