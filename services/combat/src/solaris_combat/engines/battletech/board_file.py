"""Board files: what a `.board` file says, read and written without loss, and the board a fight can use.

Nothing here touches a disk. `read` takes any file whose terrain codes are known; `playable_board` refuses by
name every code the engine does not play.
Source: boards-format.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from solaris_combat.engines.battletech.board import LARGEST, Board, board_of
from solaris_combat.engines.battletech.hex import Hex, neighbours
from solaris_combat.engines.battletech.mtf import text_of
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import (
    Ground,
    TerrainRefused,
    ground_from_text,
    marks_of,
)
from solaris_combat.engines.frozen import replace

LARGEST_FILE = 256 * 1024
"""Bytes of the largest file that is looked at."""
MOST_LINES = 4000
"""Lines of the longest file that is looked at."""
MOST_TERRAINS = 30
"""Terrains in one hex, at most."""
LEVELS = range(-99, 100)

_CODES = table("terrain_codes")
PLAYED, DRAWING = frozenset(_CODES["played"]), frozenset(_CODES["drawing"])
REFUSED: Mapping[str, str] = _CODES["refused"]
_WORD = re.compile(r'"([^"]*)"|#.*|([^\s"#]+)')
_PART = re.compile(r"([a-z_]{1,30}):(-?[0-9]{1,3})(?::([0-9]{1,2}))?")
_NUMBER = re.compile(r"-?[0-9]{1,3}")
_SWAMPS = (2, 3)
"""States of quicksand, later rules: read as plain swamp (boards-format.md section 4)."""
SIDED = ("road", "building")
"""Terrain whose sides have an effect."""
_RUBBLES = range(2, 6)
"""What building or wall rubble was (boards-format.md section 3): read as plain rubble."""


class BoardRefused(ValueError):
    """A board file that cannot be read or is not played; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Code:
    """One terrain of a hex; `exits` is the mask of its sides where the file fixes it, else None."""

    name: str
    level: int
    exits: int | None = None


@dataclass(frozen=True, slots=True)
class FileHex:
    """What a file says of a hex; a hex that says nothing is clear ground on level 0."""

    level: int = 0
    codes: tuple[Code, ...] = ()
    theme: str = ""


@dataclass(frozen=True, slots=True)
class BoardFile:
    """The contents of a file; `hexes` has only those that say something."""

    width: int
    height: int
    hexes: Mapping[Hex, FileHex] = field(default_factory=dict)
    roads_to_pavement: bool = True
    descriptions: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A board file and everything in it that was passed over."""

    file: BoardFile
    ignored: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    size: tuple[int, int] | None = None
    hexes: dict[Hex, FileHex] = field(default_factory=dict)
    roads: bool = True
    descriptions: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def read(data: bytes) -> ReadBoard:
    """The board in a file's bytes; BoardRefused with the line for what cannot be read."""
    if len(data) > LARGEST_FILE:
        raise BoardRefused(f"{len(data)} bytes are too many for a board (at most {LARGEST_FILE})")
    reading = _Reading()
    lines = re.split(r"\r\n|\r|\n", text_of(data))
    if len(lines) > MOST_LINES:
        raise BoardRefused(f"{len(lines)} lines are too many for a board (at most {MOST_LINES})")
    for number, line in enumerate(lines, 1):
        words = [match[2] if match[1] is None else f'"{match[1]}' for match in _WORD.finditer(line)]
        words = [word for word in words if word]
        if words and words[0].lower() == "end":
            break
        if words:
            _record(reading, number, words)
    if reading.size is None:
        raise BoardRefused("there is no board in it: no size")
    hexes = {h: said for h, said in reading.hexes.items() if said != FileHex()}
    texts = (tuple(reading.descriptions), tuple(reading.notes))
    return ReadBoard(BoardFile(*reading.size, hexes, reading.roads, *texts), tuple(reading.ignored[:200]))


def _record(reading: _Reading, number: int, words: list[str]) -> None:
    keyword, rest = words[0].lower(), words[1:]
    if keyword == "size" and reading.size is None:
        reading.size = _size(number, rest)
    elif keyword == "size":
        raise BoardRefused(f"line {number}: a second size")
    elif keyword == "hex":
        _hex(reading, number, rest)
    elif keyword == "option" and [word.lower() for word in rest[:1]] == ["exit_roads_to_pavement"]:
        reading.roads = [word.lower() for word in rest[1:2]] != ["false"]
    elif keyword == "description":
        reading.descriptions += [word[1:] for word in rest[:1] if word.startswith('"')]
    elif keyword == "note" and len(rest) == 2 and rest[1].startswith('"'):
        reading.notes.append((rest[0][:8], rest[1][1:]))
    else:
        reading.ignored.append(f"line {number}: {keyword[:20]}")


def _size(number: int, rest: list[str]) -> tuple[int, int]:
    if len(rest) != 2 or not all(_NUMBER.fullmatch(word) for word in rest):
        raise BoardRefused(f"line {number}: a size is two numbers")
    width, height = map(int, rest)
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise BoardRefused(f"line {number}: {width} x {height} hexes (from 1 to {LARGEST} each)")
    return width, height


def _hex(reading: _Reading, number: int, rest: list[str]) -> None:
    if reading.size is None:
        raise BoardRefused(f"line {number}: a hex before the size")
    if len(rest) < 2 or not re.fullmatch(r"[0-9]{4}", rest[0]) or not _NUMBER.fullmatch(rest[1]):
        raise BoardRefused(f"line {number}: a hex is its number, its level and its terrain")
    terrain, theme = (_quoted(number, word) for word in [*rest[2:4], '"', '"'][:2])
    reading.ignored += [f"line {number}: more than a terrain and a theme" for _ in rest[4:5]]
    at, level = Hex(int(rest[0][:2]), int(rest[0][2:])), int(rest[1])
    if not (1 <= at.col <= reading.size[0] and 1 <= at.row <= reading.size[1]) or level not in LEVELS:
        raise BoardRefused(f"line {number}: hex {rest[0]} on level {level} is not on the board")
    if at in reading.hexes:
        reading.ignored.append(f"line {number}: an earlier hex {rest[0]}")
    reading.hexes[at] = FileHex(level, tuple(_codes(terrain, rest[0])), theme)


def _quoted(number: int, word: str) -> str:
    if not word.startswith('"'):
        raise BoardRefused(f"line {number}: {word[:40]!r} stands in no quotation marks")
    return word[1:]


def _codes(terrain: str, number: str) -> Iterator[Code]:
    parts = tuple(filter(None, (part.strip() for part in terrain.split(";"))))
    if len(parts) > MOST_TERRAINS:
        raise BoardRefused(f"hex {number}: {len(parts)} terrains in one hex (at most {MOST_TERRAINS})")
    for part in parts:
        match = _PART.fullmatch(part.lower())
        if match is None:
            raise BoardRefused(f"hex {number}: {part[:40]!r} is not a terrain")
        if match[1] not in PLAYED | DRAWING | REFUSED.keys():
            raise BoardRefused(f"hex {number}: unknown terrain {match[1]}")
        yield Code(match[1], int(match[2]), None if match[3] is None else int(match[3]))


def write(board: BoardFile) -> str:
    """The file of a board, every hex in it."""
    lines = [f"size {board.width} {board.height}"]
    if not board.roads_to_pavement:
        lines.append("option exit_roads_to_pavement false")
    for row in range(1, board.height + 1):
        for col in range(1, board.width + 1):
            said = board.hexes.get(Hex(col, row), FileHex())
            lines.append(f'hex {col:02}{row:02} {said.level} "{terrain_text(said)}" "{said.theme}"')
    lines += [f'description "{text}"' for text in board.descriptions]
    lines += [f'note {at} "{text}"' for at, text in board.notes]
    return "\n".join([*lines, "end"]) + "\n"


def terrain_text(said: FileHex) -> str:
    """The terrain of a hex as a file has it."""
    parts = (f"{c.name}:{c.level}" + ("" if c.exits is None else f":{c.exits}") for c in said.codes)
    return ";".join(parts)


def playable_board(file: BoardFile) -> tuple[Board, tuple[str, ...]]:
    """The board of a file and what of it has no effect; BoardRefused names hex and terrain it cannot have."""
    ignored: list[str] = []
    grounds = {}
    for at, said in file.hexes.items():
        kept = []
        for code in said.codes:
            if code.name in REFUSED:
                raise BoardRefused(f"hex {at}: {code.name} is refused: {REFUSED[code.name]}")
            if code.name in DRAWING:
                ignored.append(f"hex {at}: {code.name}, a picture")
            else:
                kept.append(_plain(_sided(file, at, code), at, ignored))
        try:
            grounds[at] = ground_from_text(said.level, ";".join(kept))
        except TerrainRefused as refused:
            raise BoardRefused(f"hex {at}: {refused}") from None
    try:
        return board_of(file.width, file.height, grounds), tuple(ignored)
    except ValueError as error:
        raise BoardRefused(str(error)) from None


def _sided(file: BoardFile, at: Hex, code: Code) -> Code:
    """A road of a board on which roads do not lead onto pavement by themselves: to other roads only."""
    if code.name != "road" or code.exits is not None or file.roads_to_pavement:
        return code
    beside = (file.hexes.get(h, FileHex()) for h in neighbours(at))
    roads = (any(one.name == "road" for one in said.codes) for said in beside)
    return replace(code, exits=sum(1 << way for way, there in enumerate(roads) if there))


def _plain(code: Code, at: Hex, ignored: list[str]) -> str:
    if code.exits is not None and code.name not in SIDED:
        ignored.append(f"hex {at}: sides of {code.name}")
    if code.name == "swamp" and code.level in _SWAMPS:
        ignored.append(f"hex {at}: quicksand of swamp:{code.level}")
        return "swamp:1"
    if code.name == "rubble" and code.level in _RUBBLES:
        ignored.append(f"hex {at}: the building before rubble:{code.level}")
        return "rubble:1"
    sides = f":{code.exits}" if code.exits is not None and code.name in SIDED else ""
    return f"{code.name}:{code.level}{sides}"


def file_of(board: Board) -> BoardFile:
    """The file of a board, an arena's for instance."""
    hexes = {}
    for at in board.hexes():
        ground = board.ground(at)
        codes = list(_codes_of(ground))
        if ground.terrain.raised:
            codes += [Code("bldg_elev", ground.height), Code("bldg_cf", ground.construction_factor)]
        said = FileHex(ground.level, tuple(codes))
        if said != FileHex():
            hexes[at] = said
    return BoardFile(board.width, board.height, hexes)


def _codes_of(ground: Ground) -> Iterator[Code]:
    """The codes of a hex's terrain, one for each kind, with their sides where they are fixed."""
    for part in ground.terrain.parts:
        name, _, level = part.text.partition(":")
        sides = (ground.joined or None) if part.building else ground.road if part.road else None
        if name:
            yield Code(name, part.depth if part.depth >= 0 else int(level), sides)


def not_fought_on(board: Board) -> tuple[str, ...]:
    """Terrain of the board on which not every rule of a fight is built."""
    return tuple(sorted({g.terrain.key for g in board.grounds if g and not g.terrain.fights}))


def map_text(board: Board) -> str:
    """The board as text: a line a row, level and mark of a hex; "b" and its height for a building."""
    rows = [
        [marks_of(board.ground(Hex(c, r))) for c in range(1, board.width + 1)]
        for r in range(1, board.height + 1)
    ]
    size = max(len(cell) for row in rows for cell in row)
    return "\n".join(" ".join(cell.ljust(size) for cell in row).rstrip() for row in rows) + "\n"
