"""The figures of the rules as TOML, one file per topic, each figure with its source.

They are part of the program: read once from the installed package, never from a path given by anybody.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The table `name`.toml of this folder ("arenas/..." too); FileNotFoundError if there is none."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def names(folder: str) -> tuple[str, ...]:
    """Names of the tables in a sub-folder, sorted, each as `table` takes it."""
    entries = (entry.name for entry in files(__package__).joinpath(folder).iterdir())
    return tuple(sorted(f"{folder}/{name[:-5]}" for name in entries if name.endswith(".toml")))
