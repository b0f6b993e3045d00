"""'Mech instances: registration by the commission, and what a fight did to them (R 4.7)."""

from typing import Any
from uuid import UUID, uuid5

from solaris_economy.application.account_state import load_account
from solaris_economy.application.transfers import post
from solaris_economy.domain.account import WORKSHOP
from solaris_economy.domain.mech_instance import MechRepaired, evolve, register, report_damage, settle
from solaris_economy.domain.repair import RepairTerms
from solaris_economy.domain.transfer import RepairCharged, Transfer
from solaris_shared.log.unit_of_work import Transaction


def mech_stream(instance_id: UUID) -> str:
    return f"mech-{instance_id}"


async def register_mech(
    tx: Transaction, terms: RepairTerms, instance_id: UUID, model: str, price: int, owner: str
) -> dict[str, Any]:
    """Enter an instance; damage reported before is settled at once. The answer tells what is left open.

    NotFound: the owner has no account. Conflict: registered before.
    """
    await load_account(tx, owner)
    loaded = await tx.load(mech_stream(instance_id), evolve)
    await tx.append(loaded.stream, loaded.version, *register(loaded.state, instance_id, model, price, owner))
    await settle_damage(tx, terms, instance_id)
    mech = (await tx.load(loaded.stream, evolve)).state
    return {"state": "written-off" if mech.written_off else "ready", "open_damage": len(mech.open_damage)}


async def take_damage(
    tx: Transaction, terms: RepairTerms, instance_id: UUID, fight_id: UUID, destroyed: bool
) -> None:
    """Note the damage of a fight and settle it, if the instance is registered."""
    loaded = await tx.load(mech_stream(instance_id), evolve)
    events = report_damage(loaded.state, fight_id, destroyed)
    if events:
        await tx.append(loaded.stream, loaded.version, *events)
        await settle_damage(tx, terms, instance_id)


async def settle_damage(tx: Transaction, terms: RepairTerms, instance_id: UUID) -> None:
    """Repair or write off, and charge the owner; nothing while the instance is unknown to the books."""
    loaded = await tx.load(mech_stream(instance_id), evolve)
    mech = loaded.state
    if mech is None or mech.model is None:
        return
    settled = settle(mech, instance_id, terms)
    if settled:
        await tx.append(loaded.stream, loaded.version, *settled)
    for event in settled:
        if isinstance(event, MechRepaired) and event.cost > 0:
            fact = RepairCharged(
                event.fight_id,
                instance_id,
                mech.model,
                event.owner,
                mech.price,
                terms.rate_percent,
                event.cost,
            )
            await post(tx, repair_transfer(fact))


def repair_transfer(fact: RepairCharged) -> Transfer:
    """The owner pays the workshop, whether he can or not (R 4.7, "obligatoriamente")."""
    return Transfer(
        transfer_id=uuid5(fact.instance_id, f"repair/{fact.fight_id}"),
        payer=fact.owner,
        payee=WORKSHOP,
        amount=fact.amount,
        purpose="repair",
        reference=str(fact.fight_id),
        mandatory=True,
        fact=fact,
    )
