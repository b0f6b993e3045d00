"""Letters call the arenas as combat does: mail asks nobody for their names."""

import tomllib
from pathlib import Path

from solaris_mail.domain.places import PLACES, place

ROOT = Path(__file__).resolve().parents[2]
ARENAS = ROOT / "services/combat/src/solaris_combat/engines/battletech/tables/arenas"


def test_letters_and_combat_have_the_same_names_for_arenas():
    arenas = [tomllib.loads(file.read_text(encoding="utf-8")) for file in ARENAS.glob("*.toml")]
    assert {arena["id"]: arena["name"] for arena in arenas} == PLACES
    assert place("jungle", "es") == "La Jungla" and place("old-pit", "en") == "Old Pit"
