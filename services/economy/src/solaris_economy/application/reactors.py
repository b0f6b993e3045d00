"""What economy does on public facts of the league and of combat.

Two reactors with checkpoints of their own: the facts of two services arrive in no common order, and a
settlement that halts must not keep accounts from being opened.
"""

from uuid import UUID, uuid5

from solaris_economy.application.mechs import mech_stream, take_damage
from solaris_economy.application.special_ammunition import charge_loadout, note_seats, return_charge
from solaris_economy.application.transfers import (
    ensure_account,
    ensure_bank,
    find_transfer,
    lock_accounts,
    post,
)
from solaris_economy.domain.account import ORGANISERS, WORKSHOP
from solaris_economy.domain.mech_instance import evolve
from solaris_economy.domain.repair import RepairTerms
from solaris_economy.domain.transfer import PurseBarred, PursePaid, Transfer
from solaris_economy.foreign_events import (
    COMBAT,
    LEAGUE,
    FightConcluded,
    FightVoided,
    FoughtSide,
    LoadoutFixed,
    MechwarriorEntered,
)
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor

MECHWARRIOR_ENTERED, FIGHT_VOIDED = LEAGUE
FIGHT_CONCLUDED, FIGHT_OPENED, LOADOUT_FIXED = COMBAT


def accounts_reactor() -> Reactor:
    """An account for everybody who enters the lists; starting money is 0 (R 5)."""
    return Reactor("accounts", {MECHWARRIOR_ENTERED: open_mechwarrior_account})


def settlement_reactor(terms: RepairTerms) -> Reactor:
    """Special ammunition when it is loaded, purses and repairs when a fight is over; nothing for a fight
    that the league called off.

    One reactor for all facts, since they arrive in any order: what was paid before is taken back.
    """

    async def settle_fight(tx: Transaction, stored: Stored) -> None:
        fight: FightConcluded = stored.event
        if await is_barred(tx, fight.fight_id):
            return
        await prepare_accounts(tx, fight)
        for side in fight.sides:
            await pay_purse(tx, fight, side)
        for side in fight.sides:
            if side.mech.damaged or side.mech.destroyed or terms.without_damage:
                await take_damage(tx, terms, side.mech.instance_id, fight.fight_id, side.mech.destroyed)

    handles = {
        FIGHT_OPENED: note_seats,
        LOADOUT_FIXED: charge_special_ammunition,
        FIGHT_CONCLUDED: settle_fight,
        FIGHT_VOIDED: bar_purse,
    }
    return Reactor("settlement", handles)


async def charge_special_ammunition(tx: Transaction, stored: Stored) -> None:
    """Charge for a load-out, unless the league has called the fight off."""
    loadout: LoadoutFixed = stored.event
    if not await is_barred(tx, loadout.fight_id):
        await charge_loadout(tx, loadout)


async def open_mechwarrior_account(tx: Transaction, stored: Stored) -> None:
    """Open the account unless the fact of a fight was here first and did."""
    entered: MechwarriorEntered = stored.event
    owner = str(entered.mechwarrior_id)
    await lock_accounts(tx, (owner,))
    await ensure_account(tx, owner, "mechwarrior", entered.person_id)


def purse_stream(fight_id: UUID) -> str:
    return f"purse-{fight_id}"


async def is_barred(tx: Transaction, fight_id: UUID) -> bool:
    """Whether the league has called the fight off."""
    return (await tx.load(purse_stream(fight_id), lambda _, event: event)).state is not None


async def bar_purse(tx: Transaction, stored: Stored) -> None:
    """A voided fight pays nothing; what was paid before the news came goes back to the organisers, into the
    red if need be. What was repaired stays repaired."""
    fight: FightVoided = stored.event
    await tx.append(purse_stream(fight.fight_id), 0, PurseBarred(fight.fight_id))
    owners = [str(side.mechwarrior_id) for side in fight.sides]
    await lock_accounts(tx, (ORGANISERS, *owners))
    for owner in owners:
        paid = await find_transfer(tx, purse_id(fight.fight_id, owner))
        if paid is not None:
            await return_purse(tx, fight.fight_id, owner, paid)
        await return_charge(tx, fight.fight_id, owner)


async def return_purse(tx: Transaction, fight_id: UUID, owner: str, amount: int) -> None:
    await post(
        tx,
        Transfer(
            transfer_id=uuid5(fight_id, f"purse-return/{owner}"),
            payer=owner,
            payee=ORGANISERS,
            amount=amount,
            purpose="purse-return",
            reference=str(fight_id),
            mandatory=True,
        ),
    )


def purse_id(fight_id: UUID, owner: str) -> UUID:
    """The transfer that pays this purse, at most once."""
    return uuid5(fight_id, f"purse/{owner}")


async def prepare_accounts(tx: Transaction, fight: FightConcluded) -> None:
    """Lock every account the settlement may touch, in id order, and open those whose MechwarriorEntered is
    under way."""
    owners = {ORGANISERS, WORKSHOP}
    for side in fight.sides:
        owners.add(str(side.mechwarrior_id))
        mech = (await tx.load(mech_stream(side.mech.instance_id), evolve)).state
        if mech is not None and mech.owner:
            owners.add(mech.owner)
    await lock_accounts(tx, owners)
    await ensure_bank(tx)
    for side in fight.sides:
        await ensure_account(tx, str(side.mechwarrior_id), "mechwarrior", side.person_id)


async def pay_purse(tx: Transaction, fight: FightConcluded, side: FoughtSide) -> None:
    """The organisers pay what the terms of this fight give for the side's result; a purse of 0 moves
    nothing."""
    amount = {"win": fight.purse.win, "draw": fight.purse.draw, "loss": fight.purse.loss}[side.result]
    if amount == 0:
        return
    owner = str(side.mechwarrior_id)
    await post(
        tx,
        Transfer(
            transfer_id=purse_id(fight.fight_id, owner),
            payer=ORGANISERS,
            payee=owner,
            amount=amount,
            purpose="purse",
            reference=str(fight.fight_id),
            fact=PursePaid(fight.fight_id, fight.round, fight.class_, owner, side.result, amount),
        ),
    )
