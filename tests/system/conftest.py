"""Makes `worlds` importable for the tests of this folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import worlds as places


@pytest.fixture
def eyes(tmp_path: Path) -> Iterator["places.Eyes"]:
    """Everybody who looks, with tokens that this test's services accept."""
    with places.keys(tmp_path) as key:
        yield places.Eyes(key)
