"""Stored names of economy's events."""

from solaris_economy.domain import account, mech_instance, special_ammunition, transfer
from solaris_shared.log.codec import EventTypes

EVENT_TYPES = EventTypes(
    {
        "account-opened": account.AccountOpened,
        "account-credited": account.AccountCredited,
        "account-debited": account.AccountDebited,
        "account-went-negative": account.AccountWentNegative,
        "account-recovered": account.AccountRecovered,
        "hold-placed": account.HoldPlaced,
        "hold-released": account.HoldReleased,
        "transfer-posted": transfer.TransferPosted,
        "purse-barred": transfer.PurseBarred,
        "purse-paid": transfer.PursePaid,
        "repair-charged": transfer.RepairCharged,
        "fight-seated": special_ammunition.FightSeated,
        "special-ammo-charged": special_ammunition.SpecialAmmoCharged,
        "mech-registered": mech_instance.MechRegistered,
        "damage-reported": mech_instance.DamageReported,
        "mech-repaired": mech_instance.MechRepaired,
        "mech-written-off": mech_instance.MechWrittenOff,
    }
)
