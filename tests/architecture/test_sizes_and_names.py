"""Sizes and names of architecture section 7."""

import ast
import re
import statistics

import pytest
from source import PACKAGES, Module, functions, identifiers, modules

FORBIDDEN_MODULES = {"utils", "util", "helpers", "helper", "manager", "managers", "base", "common", "misc"}
GAME_NOUNS = ("mech", "fight", "league", "stable", "arena", "purse", "weapon", "pilot", "dice", "referee")
NOUN = re.compile("|".join(GAME_NOUNS))
EXEMPT_WORDS = re.compile("mechanism|unstable|stable_key|autopilot")
KERNEL_BUDGETS = {("log", "messaging", "processing"): 2000, ("http", "ops"): 2400}
RUNNER_LOOPS = {
    "deploy/local/src/solaris_local/nursery.py",
    "deploy/local/src/solaris_local/cases/runner.py",
    "shared/src/solaris_shared/runner.py",
}


def test_functions_are_short() -> None:
    lengths = sorted(function.lines for function in functions())
    long = [f"{f.module}:{f.name} {f.lines}" for f in functions() if f.lines > 60]
    assert not long, "over 60 lines: " + ", ".join(long)
    assert statistics.median(lengths) <= 8, statistics.median(lengths)
    share = sum(length <= 30 for length in lengths) / len(lengths)
    assert share >= 0.90, f"{share:.1%} of the functions have at most 30 lines"


def test_modules_are_short() -> None:
    assert not [f"{module.name}: {module.lines}" for module in modules() if module.lines > 500]


def test_no_module_is_named_after_nothing() -> None:
    assert not [module.name for module in modules() if module.path.stem in FORBIDDEN_MODULES]
    assert not [module.name for module in modules() if set(module.path.parent.parts) & FORBIDDEN_MODULES]


@pytest.mark.parametrize(("folders", "budget"), KERNEL_BUDGETS.items())
def test_the_kernel_stays_small(folders: tuple[str, ...], budget: int) -> None:
    root = PACKAGES["solaris_shared"]
    lines = {
        m.name: m.lines for m in modules() if any(m.path.is_relative_to(root / name) for name in folders)
    }
    assert sum(lines.values()) <= budget, lines


def test_the_kernel_knows_no_game_noun() -> None:
    found = []
    for module in modules():
        if module.package == "solaris_shared":
            words = [*identifiers(module), (module.path.stem, 1)]
            found += [f"{module.name}:{line} {word}" for word, line in words if _names_the_game(word)]
    assert not found


def _names_the_game(word: str) -> bool:
    return NOUN.search(EXEMPT_WORDS.sub("", word.lower())) is not None


def test_broad_excepts_stand_only_in_runner_loops() -> None:
    found = [
        f"{m.name}:{line}" for m in modules() if m.name not in RUNNER_LOOPS for line in _broad_excepts(m)
    ]
    assert not found


def _broad_excepts(module: Module) -> list[int]:
    """Broad handlers that may swallow: those that raise again on some path are clean-up, not swallowing."""
    handlers = [node for node in ast.walk(module.tree) if isinstance(node, ast.ExceptHandler)]
    return [node.lineno for node in handlers if _is_broad(node) and not _raises_again(node)]


def _is_broad(handler: ast.ExceptHandler) -> bool:
    names = (
        [part.id for part in ast.walk(handler.type) if isinstance(part, ast.Name)] if handler.type else [""]
    )
    return bool({"", "Exception", "BaseException"} & set(names))


def _raises_again(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler))


def test_every_public_module_says_what_it_is() -> None:
    silent = [m.name for m in modules() if m.path.name != "__init__.py" and not ast.get_docstring(m.tree)]
    assert not silent
