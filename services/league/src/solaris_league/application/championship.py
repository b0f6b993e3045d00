"""A championship file (`.s7c`, docs/reference/championship.md): written from the log, taken into an empty
league."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from solaris_league.application import identity, mechwarriors, rounds
from solaris_league.application.event_types import EVENT_TYPES
from solaris_league.domain.championship import (
    MECHWARRIOR,
    ROUND,
    Championship,
    ChampionshipDamaged,
    Fact,
    check,
    closed_part,
    folded,
    is_id,
    known_kinds,
)
from solaris_league.domain.championship_facts import check_facts
from solaris_league.domain.lookalikes import shape
from solaris_league.domain.names import fold
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import Rejected, SolarisError
from solaris_shared.log.unit_of_work import Store, Transaction

Json = dict[str, Any]
FORMAT = "s7c/1"
STREAMS = {MECHWARRIOR: mechwarriors.stream, ROUND: rounds.stream}
KEYS = """
SELECT 'mechwarrior' AS kind, mechwarrior_id AS key FROM roster
UNION ALL SELECT 'round', round_id FROM round_number
"""


def canonical(value: Any) -> bytes:
    """One spelling of a line: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


async def export(store: Store, rules: LeagueRules) -> bytes:
    """The file of this league, up to its last closed rounds."""
    async with store.connection() as conn, conn.transaction(isolation="repeatable_read", readonly=True):
        found = []
        for row in await conn.fetch(KEYS):
            for stored in await store.log.load(conn, STREAMS[row["kind"]](row["key"])):
                found.append((stored.ordinal, Fact(row["kind"], row["key"], stored.event)))
    facts = closed_part([fact for _, fact in sorted(found, key=lambda pair: pair[0])])
    return write(facts, rules)


def write(facts: Iterable[Fact], rules: LeagueRules) -> bytes:
    """Header, facts, standings, digest."""
    facts = tuple(facts)
    championship = folded(facts)
    header = {"line": "header", "format": FORMAT, "release": version("solaris-league")}
    lines = [header, *map(_fact_line, facts), *standings(championship, rules)]
    body = b"".join(map(canonical, lines))
    return body + canonical({"line": "digest", "sha256": hashlib.sha256(body).hexdigest()})


def _fact_line(fact: Fact) -> Json:
    type_, number, data = EVENT_TYPES.encode(fact.event)
    return {
        "line": "fact",
        "of": fact.kind,
        "id": fact.key,
        "type": type_,
        "version": number,
        "data": data,
    }


def standings(championship: Championship, rules: LeagueRules) -> list[Json]:
    """The league table: a line for each mechwarrior of each class."""
    return [
        {
            "line": "standing",
            "class": class_,
            "round": championship.latest(class_),
            "rank": row.rank,
            "mechwarrior_id": row.mechwarrior_id,
            "name": championship.mechwarriors[row.mechwarrior_id].name,
            "points": row.points,
            "fights": row.fights,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
        }
        for class_, rows in championship.tables(rules.ranking).items()
        for row in rows
    ]


def read(data: bytes, rules: LeagueRules) -> tuple[Fact, ...]:
    """The facts of a file. Raises ChampionshipDamaged, in one line: for what is not spelled as it was
    written, not whole, has a fact that no league could have written (with its line), or does not come to
    the standings that stand in it."""
    lines = _lines(data)
    header, told = lines[0], [line for line in lines if line.get("line") == "standing"]
    if header.get("line") != "header" or header.get("format") != FORMAT:
        raise ChampionshipDamaged(f"line 1: not a championship of the form {FORMAT}")
    facts = tuple(_fact(number, line) for number, line in enumerate(lines[1 : len(lines) - 1 - len(told)], 2))
    try:
        championship = folded(facts)
        check_facts(enumerate(facts, 2), rules)
        check(championship)
        found = standings(championship, rules)
    except (TypeError, AttributeError, KeyError) as error:
        raise ChampionshipDamaged(f"the facts do not belong together: {error}") from error
    if found != told:
        raise ChampionshipDamaged("the facts do not come to the standings in the file by this league's rules")
    return facts


def _lines(data: bytes) -> list[Json]:
    *raw, rest = data.split(b"\n")
    lines = []
    for number, one in enumerate(raw, 1):
        try:
            line = json.loads(one)
            spelled = isinstance(line, dict) and canonical(line) == one + b"\n"
        except (ValueError, RecursionError):
            spelled = False
        if not spelled:
            raise ChampionshipDamaged(f"line {number}: not a line of canonical JSON")
        lines.append(line)
    body = b"".join(one + b"\n" for one in raw[:-1])
    digest = {"line": "digest", "sha256": hashlib.sha256(body).hexdigest()}
    if rest or len(lines) < 2 or lines[-1] != digest:
        raise ChampionshipDamaged("cut off or changed: the digest is not that of the lines before it")
    return lines


def _fact(number: int, line: Json) -> Fact:
    kinds = {EVENT_TYPES.name_of(event): kind for event, kind in known_kinds().items()}
    try:
        kind, key, type_ = line["of"], line["id"], line["type"]
        if line["line"] != "fact" or kinds.get(type_) != kind or not is_id(key):
            raise ChampionshipDamaged(f"line {number}: no fact of a mechwarrior or a round")
        return Fact(kind, key, EVENT_TYPES.decode(type_, line["version"], line["data"]))
    except ChampionshipDamaged:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, SolarisError) as error:
        raise ChampionshipDamaged(f"line {number}: {' '.join(str(error).split())}") from error


def people(facts: Iterable[Fact]) -> dict[str, str]:
    """Person -> callsign, which is the handle at first."""
    return {one.person_id: one.name for one in folded(facts).mechwarriors.values()}


async def take_in(
    tx: Transaction, rules: LeagueRules, facts: Iterable[Fact], passwords: Mapping[str, str]
) -> Json:
    """All facts into a league without mechwarriors and rounds, with an account for each person; `passwords`
    (hashed) by person. Raises Rejected `league-not-empty`, Conflict `handle-taken`."""
    await tx.conn.execute("SELECT pg_advisory_xact_lock(hashtextextended('championship', 0))")
    if await tx.conn.fetch(KEYS):
        raise Rejected("league-not-empty", "There are mechwarriors or rounds here already.")
    facts = tuple(facts)
    championship = folded(facts)
    for one in championship.mechwarriors.values():
        registration = identity.Registration(one.name, passwords[one.person_id])
        await identity.register(tx, registration, one.person_id)
        await tx.conn.execute(
            "INSERT INTO roster (mechwarrior_id, person_id, callsign_key, class, callsign_shape)"
            " VALUES ($1, $2, $3, $4, $5)",
            one.mechwarrior_id,
            one.person_id,
            fold(one.name),
            one.class_,
            shape(one.name, rules.lookalikes),
        )
    for round_ in championship.rounds.values():
        row = (round_.terms.class_, round_.number, round_.round_id)
        await tx.conn.execute("INSERT INTO round_number VALUES ($1, $2, $3)", *row)
    versions: dict[str, int] = {}
    for fact in facts:
        stream = STREAMS[fact.kind](fact.key)
        versions[stream] = await tx.append(stream, versions.get(stream, 0), fact.event)
    counted = {"mechwarriors": championship.mechwarriors, "rounds": championship.rounds, "facts": facts}
    return {name: len(found) for name, found in counted.items()}
