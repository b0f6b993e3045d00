"""What economy does on public facts of the league and of combat.

Two reactors with checkpoints of their own: the facts of two services arrive in no common order, and a
settlement that halts must not keep accounts from being opened.
"""

from uuid import uuid5

from solaris_economy.application.mechs import mech_stream, take_damage
from solaris_economy.application.transfers import ensure_account, ensure_bank, lock_accounts, post
from solaris_economy.domain.account import ORGANISERS, WORKSHOP
from solaris_economy.domain.mech_instance import evolve
from solaris_economy.domain.repair import RepairTerms
from solaris_economy.domain.transfer import PursePaid, Transfer
from solaris_economy.foreign_events import COMBAT, LEAGUE, FightConcluded, FoughtSide, MechwarriorEntered
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor

(MECHWARRIOR_ENTERED,) = LEAGUE
(FIGHT_CONCLUDED,) = COMBAT


def accounts_reactor() -> Reactor:
    """An account for everybody who enters the lists; starting money is 0 (R 5)."""
    return Reactor("accounts", {MECHWARRIOR_ENTERED: open_mechwarrior_account})


def settlement_reactor(terms: RepairTerms) -> Reactor:
    """Purses and repairs when a fight is over."""

    async def settle_fight(tx: Transaction, stored: Stored) -> None:
        fight: FightConcluded = stored.event
        await prepare_accounts(tx, fight)
        for side in fight.sides:
            await pay_purse(tx, fight, side)
        for side in fight.sides:
            if side.mech.damaged or side.mech.destroyed or terms.without_damage:
                await take_damage(tx, terms, side.mech.instance_id, fight.fight_id, side.mech.destroyed)

    return Reactor("settlement", {FIGHT_CONCLUDED: settle_fight})


async def open_mechwarrior_account(tx: Transaction, stored: Stored) -> None:
    """Open the account unless the fact of a fight was here first and did."""
    entered: MechwarriorEntered = stored.event
    owner = str(entered.mechwarrior_id)
    await lock_accounts(tx, (owner,))
    await ensure_account(tx, owner, "mechwarrior", entered.person_id)


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
            transfer_id=uuid5(fight.fight_id, f"purse/{owner}"),
            payer=ORGANISERS,
            payee=owner,
            amount=amount,
            purpose="purse",
            reference=str(fight.fight_id),
            fact=PursePaid(fight.fight_id, fight.round, fight.class_, owner, side.result, amount),
        ),
    )
