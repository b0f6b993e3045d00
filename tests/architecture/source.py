"""The project's own source as data: modules, functions, identifiers (parsed, never imported)."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "solaris_shared": ROOT / "shared/src/solaris_shared",
    "solaris_league": ROOT / "services/league/src/solaris_league",
    "solaris_combat": ROOT / "services/combat/src/solaris_combat",
    "solaris_economy": ROOT / "services/economy/src/solaris_economy",
    "solaris_mail": ROOT / "services/mail/src/solaris_mail",
    "solaris_console": ROOT / "console/src/solaris_console",
    "solaris_local": ROOT / "deploy/local/src/solaris_local",
}
SERVICES = ("solaris_league", "solaris_combat", "solaris_economy", "solaris_mail")


@dataclass(frozen=True)
class Module:
    """One source file."""

    package: str
    path: Path
    lines: int
    tree: ast.Module

    @property
    def name(self) -> str:
        """Path inside the repository, for messages."""
        return str(self.path.relative_to(ROOT))

    @property
    def dotted(self) -> str:
        """Import name."""
        relative = self.path.relative_to(PACKAGES[self.package].parent).with_suffix("")
        return ".".join(relative.parts).removesuffix(".__init__")

    @property
    def layer(self) -> str:
        """First folder or module inside the package: `domain`, `api`, `main`."""
        return [*self.dotted.split("."), ""][1]


@dataclass(frozen=True)
class Function:
    """One function or method, measured without its docstring."""

    module: str
    name: str
    lines: int


@cache
def modules() -> tuple[Module, ...]:
    """Every module of every package."""
    return tuple(
        _read(package, path) for package, folder in PACKAGES.items() for path in sorted(folder.rglob("*.py"))
    )


def _read(package: str, path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(package, path, text.count("\n"), ast.parse(text, str(path)))


@cache
def functions() -> tuple[Function, ...]:
    """Every function of every package."""
    return tuple(function for module in modules() for function in _functions(module))


def _functions(module: Module) -> Iterator[Function]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(module.name, node.name, _length(node))


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without decorators and docstring."""
    total = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node, clean=False) is None:
        return total
    docstring = node.body[0]
    return total - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def identifiers(module: Module) -> Iterator[tuple[str, int]]:
    """Names that the module defines or binds, with their line."""
    for node in ast.walk(module.tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno


def imports(module: Module) -> Iterator[tuple[str, int]]:
    """Dotted names that the module imports, with their line."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno
