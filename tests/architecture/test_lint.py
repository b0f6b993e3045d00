"""What `make lint` asks beside the imports (test_dependencies.py): style of everything, types of the kernel
and of the rules engines."""

import subprocess
import sys
from pathlib import Path

import pytest
from source import ROOT


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", "mypy"])
def test_lint_is_clean(command: str) -> None:
    program, *arguments = command.split()
    path = str(Path(sys.executable).with_name(program))
    answer = subprocess.run([path, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
