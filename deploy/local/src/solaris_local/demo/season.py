"""Seeds the demonstration league. Every step is a command with a fixed key: a repeat changes nothing."""

import asyncio
import email
import email.policy
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from solaris_local.demo import cast
from solaris_local.demo.cast import FIGHTERS, Fighter
from solaris_local.demo.client import Client, Refused, until

CODE: Final = re.compile(r"^(?:Código|Code): (\S+)\s*$", re.MULTILINE)
Password = Callable[[str], str]
"""Handle -> password; made once and kept in the data folder."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A house mechwarrior who is logged in."""

    fighter: Fighter
    client: Client
    person_id: str
    mechwarrior_id: str


@dataclass(frozen=True, slots=True)
class Season:
    """The league as it stands once everybody is in."""

    commission: Client
    entrants: tuple[Entrant, ...]
    round_id: str


async def log_in(client: Client, handle: str, password: str) -> tuple[Client, str]:
    """A caller with a session token, and the person's id."""
    answer = await client.post("league", "/v1/sessions", f"session-{handle}", _secret(handle, password))
    return client.person(answer["token"]), answer["person_id"]


def _secret(handle: str, password: str) -> dict[str, str]:
    return {"handle": handle, "password": password}


async def seed(public: Client, password: Password, letters: Path) -> Season:
    """Everybody registered, entered and reachable; mechs in the books; round 1 drawn."""
    commission, _ = await log_in(public, cast.COMMISSION, password(cast.COMMISSION))
    entrants = [await enter(public, fighter, password(fighter.handle)) for fighter in FIGHTERS]
    await asyncio.gather(*(confirm_contact(entrant, letters) for entrant in entrants))
    await register_mechs(commission, FIGHTERS)
    await until(lambda: accounts_open(commission), "the accounts of all mechwarriors")
    return Season(commission, tuple(entrants), await draw_round(commission))


async def enter(public: Client, fighter: Fighter, password: str) -> Entrant:
    """Register the person, log in, enter the mechwarrior."""
    body = _secret(fighter.handle, password)
    await public.post("league", "/v1/persons", f"demo-register-{fighter.handle}", body)
    client, person_id = await log_in(public, fighter.handle, password)
    entry = {"name": fighter.callsign, "affiliation": fighter.affiliation}
    answer = await client.post("league", "/v1/mechwarriors", "demo-enter", entry)
    return Entrant(fighter, client, person_id, answer["mechwarrior_id"])


async def confirm_contact(entrant: Entrant, letters: Path) -> None:
    """Give an address and prove it with the code that arrives there."""
    client, fighter = entrant.client, entrant.fighter
    if not await _known_address(client):
        contact = {"address": fighter.address, "language": fighter.language, "zone": "Europe/Madrid"}
        await client.put("mail", "/v1/me/contact", "demo-contact", contact | {"channels": ["mail"]})
    if await _known_address(client) == "confirmed":
        return

    async def code() -> str | None:
        return code_sent_to(fighter.address, letters)

    token = await until(code, f"the letter with the code for {fighter.handle}")
    await client.post("mail", "/v1/contact-confirmations", f"demo-confirm-{fighter.handle}", {"token": token})


async def _known_address(client: Client) -> str:
    """`""` (none given), `pending` or `confirmed`."""
    try:
        contact = await client.get("mail", "/v1/me/contact")
    except Refused as refusal:
        if refusal.status == 404:
            return ""
        raise
    return "confirmed" if contact["confirmed_at"] else "pending"


def code_sent_to(address: str, letters: Path) -> str | None:
    """The confirmation code in the newest letter to an address, as its reader would find it."""
    for file in sorted(letters.glob("*.eml"), reverse=True):
        message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain",))
        found = CODE.search(body.get_content()) if body and address in str(message["To"]) else None
        if found:
            return found[1]
    return None


async def register_mechs(commission: Client, fighters: Iterable[Fighter]) -> None:
    """Enter each lent mech into the books, at the price the catalogue states."""
    for fighter in fighters:
        price = (await commission.get("combat", f"/v1/mechs/{fighter.model}"))["price"]
        body = {
            "instance_id": fighter.instance_id,
            "model": fighter.model,
            "price": price,
            "owner": cast.OWNER,
        }
        await commission.post("economy", "/v1/mech-instances", f"demo-mech-{fighter.instance_id}", body)


async def accounts_open(commission: Client) -> bool:
    """True once economy has heard of everybody."""
    accounts = [account async for account in commission.pages("economy", "/v1/balances")]
    return sum(account["kind"] == "mechwarrior" for account in accounts) >= len(FIGHTERS)


async def draw_round(commission: Client, number: int = 1, fighters: Iterable[Fighter] = FIGHTERS) -> str:
    """Open a round and draw it; one for which fewer than two are fit is called off."""
    pool = [{"instance_id": fighter.instance_id, "model": fighter.model} for fighter in fighters]
    terms = {"class": cast.CLASS, "ruleset": cast.RULESET, "arenas": [cast.ARENA], "pool": pool}
    terms |= {"turns": cast.TURNS, "turn_seconds": cast.TURN_SECONDS}
    opened = await commission.post("league", "/v1/rounds", f"demo-round-{number}", terms)
    path = f"/v1/rounds/{opened['round_id']}"
    try:
        await commission.post("league", f"{path}/draw", f"demo-draw-{number}", {})
    except Refused as refusal:
        if refusal.code not in ("too-few-entrants", "round-voided"):
            raise
        reason = {"reason": "No hay dos mechwarriors que puedan luchar."}
        await commission.post("league", f"{path}/void", f"demo-void-{number}", reason)
    return str(opened["round_id"])
