"""Coherent examples of the events whose public facts stand in the contracts."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from solaris_economy.domain.account import AccountOpened, AccountRecovered, AccountWentNegative
from solaris_economy.domain.mech_instance import MechWrittenOff
from solaris_economy.domain.special_ammunition import SpecialAmmoCharged, SpecialLoad
from solaris_economy.domain.transfer import PursePaid, RepairCharged

FIGHT = UUID("0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10")
MECH = UUID("3c0c7f0e-6a55-4a39-8f5e-2f6b1f0d9a21")
OWNER = "8d2f0a6e-3a51-4f0b-9a34-1f1c9b7e6d32"

EXAMPLES: Mapping[str, Sequence[object]] = {
    "account-opened": (
        AccountOpened("organisers", "organisers", None),
        AccountOpened(OWNER, "mechwarrior", 0, "5e0f7a90-6f0a-4f62-8a52-0c3f5d1b9e43"),
    ),
    "account-went-negative": (AccountWentNegative(OWNER, -147_626),),
    "account-recovered": (AccountRecovered(OWNER, 152_374),),
    "purse-paid": (PursePaid(FIGHT, 1, 3, OWNER, "win", 300_000),),
    "repair-charged": (RepairCharged(FIGHT, MECH, "PNT-9R", "organisers", 2_476_260, 10, 247_626),),
    "special-ammo-charged": (
        SpecialAmmoCharged(
            FIGHT,
            OWNER,
            (
                SpecialLoad("lt-lrm-15-ammo-1", "dead-fire", 50_000),
                SpecialLoad("lt-lrm-15-ammo-1", "heat-seeking", 50_000),
                SpecialLoad("rt-lrm-15-ammo-1", "dead-fire", 50_000),
            ),
            150_000,
        ),
    ),
    "mech-written-off": (MechWrittenOff(MECH, FIGHT, "PNT-9R", "organisers", 2_476_260),),
}
