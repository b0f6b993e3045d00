"""The dependency rules of architecture section 2, checked by import-linter (contracts in pyproject.toml)."""

import subprocess
import sys
from pathlib import Path

from source import ROOT, SERVICES, imports, modules

PURE_LAYERS = ("domain", "engines")
ALLOWED_KERNEL = ("solaris_shared.money", "solaris_shared.ids", "solaris_shared.errors")
IMPURE = {
    "asyncio", "asyncpg", "fastapi", "httpx", "logging", "nats", "os", "pydantic", "random",
    "secrets", "socket", "sqlalchemy", "starlette", "structlog", "subprocess", "time", "urllib",
}  # fmt: skip


def test_import_linter_contracts_are_kept() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_domain_and_engines_do_no_input_output() -> None:
    """Rule 4: no I/O, clock, randomness or framework; of the kernel only money, ids and errors."""
    found = []
    for module in modules():
        if (
            module.package in SERVICES
            and module.dotted.split(".")[1:2]
            and module.dotted.split(".")[1] in PURE_LAYERS
        ):
            found += [f"{module.name}:{line} {name}" for name, line in imports(module) if _impure(name)]
    assert not found


def _impure(name: str) -> bool:
    if name.split(".", maxsplit=1)[0] == "solaris_shared":
        return name != "solaris_shared" and not name.startswith(ALLOWED_KERNEL)
    return name in IMPURE or name.split(".", maxsplit=1)[0] in IMPURE


def test_only_one_module_speaks_to_nats() -> None:
    """Rule 6."""
    found = {m.name for m in modules() for name, _ in imports(m) if name.split(".")[0] == "nats"}
    assert found <= {"shared/src/solaris_shared/messaging/jetstream.py"}
