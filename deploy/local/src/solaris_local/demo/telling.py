"""What the demonstration prints: one fight in words and the league's figures, asked of the APIs."""

import asyncio
import email
import email.policy
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from solaris_combat.engines.battletech.log import account
from solaris_combat.rulesets import rulesets
from solaris_local.demo.cast import CLASS, FIGHTERS
from solaris_local.demo.client import Client, until
from solaris_local.demo.season import Season

RESULT_KIND: Final = "result"
SCHEDULED_KIND: Final = "scheduled"
SIDES: Final = 2
LETTER_SECONDS: Final = 240.0
"""A letter in the hands of a worker that was killed is taken up again when its lease of two minutes ends."""
FINAL_STATES: Final = ("sent", "refused", "expired", "superseded")

RESULT_TITLES: Final = ("Victoria ante", "Empate con", "Derrota ante")
RESULTS: Final = {"win": "gana", "draw": "empata", "loss": "pierde"}
FIGHT_STATES: Final = {"scheduled": "por disputar", "voided": "anulado"}
HOUSES: Final = {"bank": "banco", "organisers": "organización", "workshop": "taller"}
WITHOUT_FIGHT: Final = {
    "rests": "en la ronda {number} no combates: descansas",
    "hurt": "en la ronda {number} no combates: tu mechwarrior está lesionado",
    "dead": "en la ronda {number} no combates: tu mechwarrior ha muerto",
}
LETTERS: Final = {
    "scheduled": "combate fijado", "turn": "turno abierto", "result": "resultado",
    "voided": "combate anulado", "confirmation": "confirmación de dirección",
    "injuries": "lesiones", "resting": "descanso", "round-voided": "ronda anulada",
}  # fmt: skip
STATES: Final = {
    "queued": "en cola", "sent": "enviadas", "refused": "rechazadas", "expired": "caducadas",
    "superseded": "superadas por otra",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """The league in numbers; the same after every restart."""

    standings: list[dict[str, Any]]
    balances: list[dict[str, Any]]
    fights: list[dict[str, Any]]
    letters: Counter[tuple[str, str]]


async def settled(public: Client, season: Season) -> None:
    """Wait until ranking, money and letters have followed the fights."""
    fights = [f["fight_id"] async for f in public.pages("league", "/v1/fights", round_id=season.round_id)]
    await asyncio.gather(
        until(lambda: round_closed(public, season.round_id), "the ranking of the round"),
        until(lambda: purses_paid(season.commission), "the purses"),
        until(
            lambda: letters_out(season.commission, RESULT_KIND, fights),
            "the letters with the results",
            LETTER_SECONDS,
        ),
    )


async def round_closed(public: Client, round_id: str) -> bool:
    """True once every fight of the round has been counted, or it is off."""
    return (await public.get("league", f"/v1/rounds/{round_id}"))["state"] in ("closed", "voided")


async def purses_paid(commission: Client) -> bool:
    """True once every fighter has a purse (even a lost fight pays)."""
    accounts = [a async for a in commission.pages("economy", "/v1/balances") if a["kind"] == "mechwarrior"]
    return sum(account["balance"] != 0 for account in accounts) >= len(FIGHTERS)


async def letters_out(commission: Client, kind: str, fights: Iterable[str]) -> bool:
    """True once both sides of every fight have their letter of that kind and no letter at all waits."""
    letters = [letter async for letter in commission.pages("mail", "/v1/deliveries", limit=200)]
    written = Counter(letter["fight_id"] for letter in letters if letter["kind"] == kind)
    waits = any(letter["state"] not in FINAL_STATES for letter in letters)
    return not waits and all(written[fight] >= SIDES for fight in fights)


async def figures(public: Client, season: Season) -> Figures:
    """Ask for everything that is printed."""
    standings = (await public.get("league", "/v1/standings", **{"class": CLASS}))["items"]
    balances = [account async for account in season.commission.pages("economy", "/v1/balances")]
    fights = [f async for f in public.pages("league", "/v1/fights", round_id=season.round_id)]
    letters = [letter async for letter in season.commission.pages("mail", "/v1/deliveries", limit=200)]
    return Figures(standings, balances, fights, Counter((x["kind"], x["state"]) for x in letters))


def story(record: bytes, language: str) -> Iterator[str]:
    """A fight in words, from its record alone."""
    lines = [msgspec.json.decode(line) for line in record.splitlines()]
    types = rulesets().newest(lines[0]["ruleset"]).event_types
    events = [
        msgspec.convert(line["data"], types[line["event"]]) for line in lines if line["line"] == "event"
    ]
    yield from account(events, language)


def tables(found: Figures) -> Iterator[str]:
    """Fights, standings, balances and letters as text, in the players' language."""
    names = {row["mechwarrior_id"]: row["name"] for row in found.standings} | HOUSES
    yield "Combates de la ronda 1"
    yield from (f"  {fight_line(fight)}" for fight in found.fights)
    yield f"Clasificación de la Clase {CLASS}"
    for row in found.standings:
        record = f"ganados {row['wins']}, empatados {row['draws']}, perdidos {row['losses']}"
        who = f"{row['rank']:>2}. {row['name']:10} {row['affiliation']:12}"
        yield f"  {who} {row['points']:>2} PR   {record}"
    yield "Saldos (billetes ComStar)"
    for row in found.balances:
        yield f"  {names.get(row['owner'], row['owner']):14} {money(row['balance']):>14}"
    yield f"  {'suma':14} {money(sum(row['balance'] for row in found.balances)):>14}"
    yield "Cartas"
    for (kind, state), count in sorted(found.letters.items()):
        yield f"  {count:>4} {LETTERS.get(kind, kind)}, {STATES.get(state, state)}"


def money(amount: int) -> str:
    """1.234.567, as it is written in Spanish."""
    return f"{amount:,}".replace(",", ".")


def fight_line(fight: dict[str, Any]) -> str:
    """One fight: who, with what, how it ended."""
    sides = " - ".join(f"{side['name']} ({side['mech']['model']})" for side in fight["sides"])
    results = fight["result"] or []
    ends = ", ".join(
        f"{side['side']} {RESULTS[side['result']]} con {side['victory_points']} PV" for side in results
    )
    return f"{sides}: {ends or FIGHT_STATES.get(fight['state'], fight['state'])}"


def result_letter(letters: Path, address: str) -> str:
    """The newest letter to an address that tells how a fight ended, as its reader sees it."""
    for file in sorted(letters.glob("*.eml"), reverse=True):
        message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain",))
        ended = any(title in str(message["Subject"]) for title in RESULT_TITLES)
        if body and ended and address in str(message["To"]):
            return f"Para: {message['To']}\nAsunto: {message['Subject']}\n\n{body.get_content().strip()}"
    return ""
