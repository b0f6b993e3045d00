"""What the world may know of economy: an allow-list. Everything not named here stays private."""

from solaris_economy.domain.account import AccountOpened, AccountRecovered, AccountWentNegative
from solaris_economy.domain.mech_instance import MechWrittenOff
from solaris_economy.domain.special_ammunition import SpecialAmmoCharged
from solaris_economy.domain.transfer import PursePaid, RepairCharged
from solaris_shared.log.event_log import PublicEvent


def publish(event: object, stream: str) -> PublicEvent | None:
    """The public fact of a private event, or None."""
    id_ = stream.partition("-")[2]
    match event:
        case AccountOpened():
            return fact("account-opened", f"account/{id_}", {"owner": event.owner, "kind": event.kind})
        case AccountWentNegative():
            return fact(
                "account-went-negative", f"account/{id_}", {"owner": event.owner, "balance": event.balance}
            )
        case AccountRecovered():
            return fact(
                "account-recovered", f"account/{id_}", {"owner": event.owner, "balance": event.balance}
            )
        case PursePaid():
            return fact("purse-paid", f"transfer/{id_}", purse_data(event))
        case RepairCharged():
            return fact("repair-charged", f"transfer/{id_}", repair_data(event))
        case SpecialAmmoCharged():
            return fact("special-ammo-charged", f"transfer/{id_}", special_ammo_data(event))
        case MechWrittenOff():
            return fact("mech-written-off", f"mech/{id_}", written_off_data(event))
        case _:
            return None


def fact(name: str, subject: str, data: dict) -> PublicEvent:
    """A public event of this service."""
    return PublicEvent(type=f"solaris.economy.{name}.v1", subject=subject, data=data)


def purse_data(event: PursePaid) -> dict:
    """A purse is news: who got it for what."""
    return {
        "fight_id": str(event.fight_id),
        "round": event.round,
        "class": event.class_,
        "mechwarrior_id": event.mechwarrior_id,
        "result": event.result,
        "amount": event.amount,
    }


def repair_data(event: RepairCharged) -> dict:
    """Who paid which repair, and how it is reckoned."""
    return {
        "fight_id": str(event.fight_id),
        "instance_id": str(event.instance_id),
        "model": event.model,
        "owner": event.owner,
        "price": event.price,
        "rate_percent": event.rate_percent,
        "amount": event.amount,
    }


def special_ammo_data(event: SpecialAmmoCharged) -> dict:
    """Who paid for which special ammunition: news like a purse."""
    return {
        "fight_id": str(event.fight_id),
        "mechwarrior_id": event.mechwarrior_id,
        "loads": [{"bin": one.bin, "munition": one.munition, "price": one.price} for one in event.loads],
        "amount": event.amount,
    }


def written_off_data(event: MechWrittenOff) -> dict:
    """A 'Mech that will not come back."""
    return {
        "instance_id": str(event.instance_id),
        "fight_id": str(event.fight_id),
        "model": event.model,
        "owner": event.owner,
        "price": event.price,
    }
