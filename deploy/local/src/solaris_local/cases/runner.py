"""Runs case files: .jsonl by the kind of its stem, .yaml with `cases:` by the op of each case."""

import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from solaris_local import cases
from solaris_local.cases.agreement import NotBuilt
from solaris_local.cases.exceptions import Exceptions, line_hash

Kind = Callable[[Mapping[str, Any]], tuple[Any, Any]]
Op = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: what came out and what was expected; `trouble` says why nothing came out.

    `excepted`: the rules contradict the row, so it must not agree (docs/rules/battletech/differences.md).
    """

    case: str
    got: Any = None
    expected: Any = None
    trouble: str = ""
    excepted: bool = False

    @property
    def passed(self) -> bool:
        """Whether the case agrees."""
        return not self.trouble and self.got == self.expected


NOT_BUILT = "not built: "
STALE = "agrees, though differences.md excepts this row"


def run_files(paths: Iterable[Path], excepted: Exceptions = frozenset()) -> Iterator[Outcome]:
    """All cases of the files in turn. What cannot be read, a file or a row of it, is one failure with its
    place, and the next one is read.

    An excepted row that agrees after all fails: its exception is stale. What is not built is never excepted.
    """
    for path in paths:
        try:
            run = READ[path.suffix]
            outcomes = run(path, path.read_text(encoding="utf-8"), excepted)
        except KeyError:
            outcomes = iter([Outcome(f"{path}", trouble="not a .jsonl or .yaml file")])
        except FileNotFoundError:
            outcomes = iter([Outcome(f"{path}", trouble="there is no such file")])
        except (OSError, ValueError) as error:
            outcomes = iter([Outcome(f"{path}", trouble=f"cannot be read: {_reason(error)}")])
        if (first := next(outcomes, None)) is None:
            first = Outcome(f"{path}", trouble="there is no case in it")
        yield from chain((first,), outcomes)


def _reason(error: BaseException) -> str:
    """Why, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _run_lines(path: Path, text: str, excepted: Exceptions) -> Iterator[Outcome]:
    kind = kinds().get(path.stem)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            case = str(row["id"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            yield Outcome(f"{path}:{number}", trouble=f"not a case: {_reason(error)}")
            continue
        if kind is None:
            yield Outcome(case, trouble=f"kind {path.stem} is not built")
        else:
            outcome = _try(case, lambda row=row: kind(row))
            listed = (case, line_hash(line)) in excepted
            yield _excepted(outcome) if listed else outcome


def _excepted(outcome: Outcome) -> Outcome:
    if outcome.passed:
        return replace(outcome, trouble=STALE)
    return replace(outcome, excepted=not outcome.trouble.startswith(NOT_BUILT))


def _run_yaml(path: Path, text: str, _: Exceptions) -> Iterator[Outcome]:
    try:
        rows = list(yaml.safe_load(text)["cases"])
    except (yaml.YAMLError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield Outcome(f"{path}", trouble=f"no list `cases`: {_reason(error)}")
        return
    for number, row in enumerate(rows, 1):
        try:
            case, op, given, expected = str(row["id"]), str(row["op"]), row["in"], row["expect"]
        except (KeyError, TypeError) as error:
            reason = f"not a case with id, op, in and expect: {_reason(error)}"
            yield Outcome(f"{path}: case {number}", trouble=reason)
            continue
        if op not in ops():
            yield Outcome(case, trouble=f"op {op} is not built")
        else:
            yield _try(case, lambda op=op, given=given, e=expected: (_asked(ops()[op](given), e), e))


READ = {".jsonl": _run_lines, ".yaml": _run_yaml, ".yml": _run_yaml}
"""How a file is read, by its suffix."""


def _asked(answer: Any, expected: Any) -> Any:
    """The part of an answer that the case asks for; a refusal must be nothing but one."""
    if not (isinstance(answer, Mapping) and isinstance(expected, Mapping)):
        return answer
    if "refused" in answer or "refused" in expected:
        return answer
    return {key: answer[key] for key in expected if key in answer}


def _try(case: str, run: Callable[[], tuple[Any, Any]]) -> Outcome:
    """One case of the runner's loop. Whatever goes wrong in it is that case's failure, and the next one
    runs: a report of 1,000 cases must not end at the first that breaks the engine.
    """
    try:
        got, expected = run()
    except NotBuilt as reason:
        return Outcome(case, trouble=f"{NOT_BUILT}{reason}")
    except Exception as error:  # noqa: BLE001 - a broken case must not hide the others
        return Outcome(case, trouble=f"{type(error).__name__}: {error}")
    return Outcome(case, got, expected)


@cache
def kinds() -> Mapping[str, Kind]:
    """The kinds of JSON Lines files by their stems, of all adapter modules."""
    return _registered("KINDS")


@cache
def ops() -> Mapping[str, Op]:
    """The operations of YAML files, of all adapter modules."""
    return _registered("OPS")


def _registered(name: str) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for module in pkgutil.iter_modules(cases.__path__, f"{cases.__name__}."):
        for key, function in getattr(import_module(module.name), name, {}).items():
            if key in found:
                raise ValueError(f"{name}: {key} is registered twice")
            found[key] = function
    return found
