"""Checking a record against nothing but itself and the rules: digest, commitments, nonces, dice, every event.

The fight in the record is played again from its opened seed and orders; the result must be the same bytes.
"""

import json

from solaris_combat.domain import record
from solaris_combat.domain.commitment import commitment, seed_commitment
from solaris_combat.domain.events import Opened
from solaris_combat.domain.resimulation import Line, RecordRefused, opened_orders, play_again
from solaris_combat.engines.canonical import canonical, sha256
from solaris_combat.engines.registry import Registry

KINDS = ("header", "loadout", "orders", "act", "event", "phase", "renewed", "result", "digest")


def verify(data: bytes, registry: Registry) -> Line:
    """The result line of a sound record; RecordRefused otherwise."""
    lines = _lines(data)
    _check_frame(data, lines)
    _check_seed(lines[0], lines[-2], len(lines) - 1)
    _check_commitments(lines)
    _compare(data, b"".join(play_again(lines, registry)))
    return lines[-2]


def _lines(data: bytes) -> list[Line]:
    if not data.endswith(b"\n"):
        raise RecordRefused("the last line does not end: the file is cut or changed")
    return [_parse(number, raw) for number, raw in enumerate(data[:-1].split(b"\n"), 1)]


def _parse(number: int, raw: bytes) -> Line:
    try:
        line = json.loads(raw)
        same = isinstance(line, dict) and canonical(line) == raw
    except (ValueError, TypeError, RecursionError):
        same = False
    if not same:
        raise RecordRefused(f"line {number}: not canonical JSON")
    return line


def _check_frame(data: bytes, lines: list[Line]) -> None:
    kinds = [line.get("line") for line in lines]
    for number, kind in enumerate(kinds, 1):
        if kind not in KINDS:
            raise RecordRefused(f"line {number}: no such kind of line")
    if len(lines) < 4 or kinds[0] != "header" or kinds[-2:] != ["result", "digest"]:
        raise RecordRefused("a record begins with a header and ends with a result and a digest")
    if lines[0].get("format") != record.FORMAT:
        raise RecordRefused(f"line 1: format {lines[0].get('format')!r} is not {record.FORMAT!r}")
    body = data[: data.rindex(b"\n", 0, len(data) - 1) + 1]
    if lines[-1] != {"line": "digest", "sha256": sha256(body)}:
        raise RecordRefused(f"line {len(lines)}: the digest is not that of the lines before it")


def _check_seed(header: Line, result: Line, number: int) -> None:
    try:
        seed = bytes.fromhex(result["seed"])
    except (KeyError, TypeError, ValueError):
        raise RecordRefused(f"line {number}: no seed in hexadecimal") from None
    if seed_commitment(seed) != header.get("seed_commitment"):
        raise RecordRefused(f"line {number}: the opened seed is not the one committed to in line 1")


def _check_commitments(lines: list[Line]) -> None:
    for number, line in enumerate(lines, 1):
        if line.get("line") == "orders":
            for plan in opened_orders(number, line).plans:
                for opened in (plan.opened, *plan.answers):
                    _check_commitment(number, plan.side, opened)


def _check_commitment(number: int, side: str, opened: Opened) -> None:
    if not opened.commitment and not opened.salt:
        return  # a default: the re-simulation proves that it is the engine's own
    try:
        salt = bytes.fromhex(opened.salt)
        kept = salt.hex() == opened.salt and commitment(salt, opened.orders) == opened.commitment
    except ValueError:
        kept = False
    if not kept:
        raise RecordRefused(f"line {number}: the orders of side {side} are not those committed to")


def _compare(given: bytes, again: bytes) -> None:
    if given == again:
        return
    pairs = zip(given.split(b"\n"), again.split(b"\n"), strict=False)
    number = next((n for n, (one, other) in enumerate(pairs, 1) if one != other), given.count(b"\n"))
    raise RecordRefused(f"line {number}: playing the fight again gives another line")
