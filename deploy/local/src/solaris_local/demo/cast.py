"""Who takes part: the commission and eight house mechwarriors of Class 3 with their lent mechs."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid5

NAMESPACE: Final = UUID("7c1d7a52-50a1-4f0e-8f3a-501a41570007")
"""Names of the demonstration become ids below this one, so that a second run means the same things."""

CLASS: Final = 3
ARENA: Final = "la-cantera"
RULESET: Final = "solaris7/1"
TURNS: Final = 8
TURN_SECONDS: Final = 172_800
COMMISSION: Final = "comision"
OWNER: Final = "organisers"


@dataclass(frozen=True, slots=True)
class Fighter:
    """A house mechwarrior: a person with a mailbox, a callsign and a lent mech."""

    handle: str
    callsign: str
    affiliation: str
    model: str
    language: str

    @property
    def address(self) -> str:
        """Where its letters go (the mail sink of the local runtime)."""
        return f"{self.handle}@casa.example"

    @property
    def instance_id(self) -> str:
        """Id of the mech lent to the pool for this fighter."""
        return str(uuid5(NAMESPACE, f"mech/{self.handle}"))


FIGHTERS: Final = (
    Fighter("casa-halcon", "Halcón", "Davion", "PNT-9R", "es"),
    Fighter("casa-loba", "Loba", "Kurita", "JVN-10N", "es"),
    Fighter("casa-trueno", "Trueno", "Steiner", "COM-2D", "es"),
    Fighter("casa-ceniza", "Ceniza", "Marik", "JR7-D", "es"),
    Fighter("casa-mistral", "Mistral", "Liao", "WLF-1", "en"),
    Fighter("casa-yunque", "Yunque", "Rasalhague", "VND-1R", "es"),
    Fighter("casa-centella", "Centella", "Mercenarios", "HBK-4G", "en"),
    Fighter("casa-orion", "Orión", "Periferia", "SHD-2H", "es"),
)

PLAYER: Final = Fighter("jugador", "Forastero", "Mercenarios", "ENF-4R", "es")
"""Who is at the console: a person's mechwarrior, entered for the second round."""
PARTNER: Final = Fighter("casa-eco", "Eco", "Davion", "GRF-1N", "es")
"""A ninth house mechwarrior, so that nobody rests in the second round."""
HOUSE: Final = (*FIGHTERS, PARTNER)
EVERYBODY: Final = (*HOUSE, PLAYER)
