"""Makes the little test game importable as `ropes` wherever the tests run from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
