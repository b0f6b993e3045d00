"""Makes the builders in `sheets` importable wherever the tests run from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
