"""The league's rule figures, read from the package's TOML table."""

import tomllib
from importlib.resources import files

from solaris_league.domain.rules import LeagueRules, parse


def load_rules() -> LeagueRules:
    """The figures of tables/league.toml."""
    text = files("solaris_league").joinpath("tables/league.toml").read_text(encoding="utf-8")
    return parse(tomllib.loads(text))
