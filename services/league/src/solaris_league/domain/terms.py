"""What the Commission lays down for fights: no 'Mech is lent twice, and no arena stands in the lot twice."""

from collections.abc import Sequence

from solaris_league.domain.pairing import LentMech
from solaris_shared.errors import Unprocessable

TWICE_LENT = "Ese 'Mech está dos veces en el préstamo / the same 'Mech is lent twice"
TWICE_DRAWN = "Esa arena está dos veces en el sorteo / the same arena is in the lot twice"


def invalid(pointer: str, detail: str, code: str = "not-allowed") -> Unprocessable:
    """The error for one field of what the Commission lays down."""
    error = {"pointer": pointer, "code": code, "detail": detail}
    return Unprocessable("invalid", "1 error(s) in the data.", errors=[error])


def check_pool(mechs: Sequence[LentMech], lent: Sequence[LentMech] = ()) -> None:
    """R 3: each mechwarrior has a 'Mech of his own. Raises Unprocessable for an instance that stands in
    `mechs` twice, or is `lent` already."""
    known = {mech.instance_id for mech in lent}
    for place, mech in enumerate(mechs):
        if mech.instance_id in known:
            told = f"{TWICE_LENT}: {mech.instance_id}."
            raise invalid(f"/pool/{place}/instance_id", told, "mech-lent-twice")
        known.add(mech.instance_id)


def check_arenas(arenas: Sequence[str]) -> None:
    """R 4.1: the lot draws each arena with the same chance. Raises Unprocessable for one that stands there
    twice."""
    for place, arena in enumerate(arenas):
        if arena in arenas[:place]:
            raise invalid(f"/arenas/{place}", f"{TWICE_DRAWN}: {arena}.", "arena-twice")
