"""The arenas' own names, as combat has them, in both languages of the letters; a test holds them together."""

from collections.abc import Mapping
from typing import Final

PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "boreal-reach": {"es": "Confín Boreal", "en": "Boreal Reach"},
    "coliseum": {"es": "El Coliseo", "en": "The Coliseum"},
    "factory": {"es": "La Factoría", "en": "The Factory"},
    "hartford-gardens": {"es": "Jardines de Hartford", "en": "Hartford Gardens"},
    "ishiyama": {"es": "Ishiyama", "en": "Ishiyama"},
    "jungle": {"es": "La Jungla", "en": "The Jungle"},
    "la-cantera": {"es": "La Cantera", "en": "The Quarry"},
}


def place(arena: str, language: str) -> str:
    """An arena's name; of one that is not known, its id as a proper name: "Steiner Stadium"."""
    return PLACES.get(arena, {}).get(language) or arena.replace("-", " ").title()
