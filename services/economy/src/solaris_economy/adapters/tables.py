"""Rule figures of economy, read from the package's TOML tables."""

import tomllib
from importlib.resources import files

from solaris_economy.domain.repair import RepairTerms


def load_repair_terms() -> RepairTerms:
    """The repair table (R 4.7)."""
    text = files("solaris_economy").joinpath("tables/repair.toml").read_text(encoding="utf-8")
    figures = tomllib.loads(text)["repair"]
    return RepairTerms(rate_percent=figures["rate_percent"], without_damage=figures["without_damage"])
