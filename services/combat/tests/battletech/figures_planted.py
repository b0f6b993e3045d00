"""Plants one wrong figure after the other into a rules table and prints those that no test notices.

Run by test_planted_figures.py in a process of its own: `python figures_planted.py TABLE MOST TEST_MODULE...`.
Of a table with more than MOST figures so many are planted, spread evenly; 0 plants all.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import _pytest.outcomes

from solaris_combat.engines.battletech.tables import table

TEXTS = (
    "mark",
    "source",
    "name",
    "description",
    "spanish",
    "model",
    "affiliation",
    "not_played",
    "year",
    "rules_level",
    "base",
)
BUILDERS = ("sheets", "duels", "volleys")
"""Modules of the tests that hold on to the rules they were imported with."""
SHEETS = ("test_every_sheet_of_the_league",)
ENGINE = "solaris_combat.engines.battletech."
Place = tuple[Any, ...]
Trouble = (AssertionError, ArithmeticError, LookupError, ValueError, TypeError, StopIteration, AttributeError)


def figures(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every figure of a table with its place; texts for people are not figures."""
    if isinstance(value, dict):
        for key in value:
            if key not in TEXTS:
                yield from figures(value[key], (*place, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from figures(entry, (*place, index))
    elif isinstance(value, str) and "\n" in value:
        yield from (((*place, index), mark) for index, mark in enumerate(value.split()))
    else:
        yield place, value


STEPS = {"arcs": 15, "rulesets/solaris7-1": -1}
"""By how much a figure is wrong that is a multiple of something (angles) or the most there can be."""


MARKS = ("w", "W", "r", "R", "#", "p", "P", "~1", "~2")
"""Marks of boards that are drawn; a wrong hex is clear, a clear one woods."""
WRONG = {"CT": "LL", "front": "rear", "rear": "front", "left": "front"}
WRONG |= dict.fromkeys(MARKS, ".") | {".": "w"}


def wrong(value: Any, step: int = 1) -> Any:
    """A wrong figure in the place of a right one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + step
    if value.isdigit() and len(value) == 4:
        return f"{int(value) + 1:04d}"
    return WRONG.get(value, "CT")


def plant(data: dict[str, Any], place: Place, value: Any) -> None:
    """Write a figure to its place; a board that is drawn has a figure in each hex."""
    *way, last = place
    for key in way[:-1]:
        data = data[key]
    within = data[way[-1]] if way else data
    if isinstance(within, str):
        marks = iter(value if n == last else mark for n, mark in enumerate(within.split()))
        data[way[-1]] = "\n".join(
            " ".join(islice(marks, len(row.split()))) for row in within.strip().split("\n")
        )
    else:
        within[last] = value


def tests_of(path: str) -> list[Callable[[], None]]:
    """The tests of a module that need no fixture, freshly imported with everything they test."""
    for name in list(sys.modules):
        if f"{name}.".startswith(ENGINE) and name != f"{ENGINE}tables":
            del sys.modules[name]
    for name in [name for name in sys.modules if name in BUILDERS or name.startswith("test_")]:
        del sys.modules[name]
    spec = importlib.util.spec_from_file_location("planted", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [getattr(module, name) for name in dir(module) if name.startswith("test_")]
    return [test for test in found if not test.__code__.co_argcount] + [
        partial(test, value) for test in found for value in values_of(test)
    ]


def values_of(test: Callable[..., None]) -> Sequence[Any]:
    """What a test of one parameter is given: every sheet of the league, one after the other."""
    marks = getattr(test, "pytestmark", [])
    return marks[0].args[1] if test.__code__.co_argcount == 1 and marks and test.__name__ in SHEETS else ()


def noticed(modules: list[str]) -> bool:
    """Whether a test fails, or the rules refuse the table when they are read."""
    for path in modules:
        try:
            for test in tests_of(path):
                test()
        except (*Trouble, _pytest.outcomes.Failed):
            return True
        except Exception as error:
            if type(error).__module__.startswith(ENGINE):
                return True
            raise
    return False


def spread(places: list[Any], most: int) -> list[Any]:
    """So many of the places, evenly spread over all; 0 for all of them."""
    if not most or len(places) <= most:
        return places
    return [places[n * len(places) // most] for n in range(most)]


def main(name: str, most: int, modules: list[str]) -> None:
    """Print the number of figures and the places of those whose change nothing notices, as JSON."""
    data = table(name)
    sys.path.insert(0, str(Path(__file__).parent))
    places = spread(list(figures(data)), most)
    if noticed(modules):
        raise SystemExit("the tests fail with the right figures")
    unnoticed = []
    for place, value in places:
        plant(data, place, wrong(value, STEPS.get(name, 1)))
        if not noticed(modules):
            unnoticed.append(place)
        plant(data, place, value)
    print(json.dumps({"figures": len(places), "unnoticed": unnoticed}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
