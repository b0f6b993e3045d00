"""Charging for special ammunition: combat names sides and prices, the seats of the fight say who pays.

What is paid is lost whether it is fired or not (D). A fight that the league calls off gives it back
(PROPOSED).
"""

from uuid import UUID, uuid5

from solaris_economy.application.transfers import (
    ensure_account,
    ensure_bank,
    find_transfer,
    lock_accounts,
    post,
)
from solaris_economy.domain.account import ORGANISERS, WORKSHOP
from solaris_economy.domain.special_ammunition import (
    FightSeated,
    Seat,
    SpecialAmmoCharged,
    SpecialLoad,
    charge,
)
from solaris_economy.domain.transfer import Transfer
from solaris_economy.foreign_events import FightOpened, LoadoutFixed
from solaris_shared.errors import NotFound
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction


def seats_stream(fight_id: UUID) -> str:
    return f"seats-{fight_id}"


def charge_id(fight_id: UUID, owner: str) -> UUID:
    """The transfer that pays a mechwarrior's special ammunition, at most once."""
    return uuid5(fight_id, f"special-ammo/{owner}")


async def note_seats(tx: Transaction, stored: Stored) -> None:
    """Keep who sits on which side."""
    fight: FightOpened = stored.event
    seats = tuple(Seat(one.side, one.mechwarrior_id, one.person_id) for one in fight.sides)
    await tx.append(seats_stream(fight.fight_id), 0, FightSeated(fight.fight_id, seats))


async def find_seat(tx: Transaction, fight_id: UUID, side: str) -> Seat:
    """Who sits on a side; NotFound if the fight or the side is not known."""
    seated: FightSeated | None = (await tx.load(seats_stream(fight_id), lambda _, event: event)).state
    found = None if seated is None else next((seat for seat in seated.seats if seat.side == side), None)
    if found is None:
        raise NotFound("seat-unknown", f"nobody is known to sit on side {side} of fight {fight_id}")
    return found


async def charge_loadout(tx: Transaction, loadout: LoadoutFixed) -> None:
    """The mechwarrior pays the organisers, into the red if need be; nothing for a conventional load."""
    loads = tuple(SpecialLoad(one.bin, one.munition, one.price) for one in loadout.special)
    amount = charge(loads)
    if amount == 0:
        return
    seat = await find_seat(tx, loadout.fight_id, loadout.side)
    owner = str(seat.mechwarrior_id)
    await lock_accounts(tx, (ORGANISERS, WORKSHOP, owner))
    await ensure_bank(tx)
    await ensure_account(tx, owner, "mechwarrior", seat.person_id)
    await post(
        tx,
        Transfer(
            transfer_id=charge_id(loadout.fight_id, owner),
            payer=owner,
            payee=ORGANISERS,
            amount=amount,
            purpose="special-ammo",
            reference=str(loadout.fight_id),
            mandatory=True,
            fact=SpecialAmmoCharged(loadout.fight_id, owner, loads, amount),
        ),
    )


async def return_charge(tx: Transaction, fight_id: UUID, owner: str) -> None:
    """Give back what was paid for a fight that is off; the accounts' locks must be held."""
    paid = await find_transfer(tx, charge_id(fight_id, owner))
    if paid is not None:
        await post(
            tx,
            Transfer(
                transfer_id=uuid5(fight_id, f"special-ammo-return/{owner}"),
                payer=ORGANISERS,
                payee=owner,
                amount=paid,
                purpose="special-ammo-return",
                reference=str(fight_id),
                mandatory=True,
            ),
        )
