"""What combat may refuse in orders, the console can say in both languages."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMBAT = ROOT / "services/combat/src/solaris_combat"
TEXTS = tomllib.loads((ROOT / "console/src/solaris_console/texts.toml").read_text(encoding="utf-8"))
CODE = re.compile(r"""(?:Violation|\b_no)\(\s*"([a-z][a-z-]+)""")
AT_SET_UP = ("registry.py", "examples.py", "rulings.py")
SET_UP_CODES = {
    "class-not-played", "equipment-not-played", "no-start-place", "one-team", "sides-invalid",
    "sides-not-played", "skill-out-of-range", "teams-invalid", "turn-seconds-invalid", "turns-not-allowed",
    "unknown-arena", "unknown-model", "unknown-ruleset", "unknown-side",
}  # fmt: skip
"""Told to whoever sets a fight up, by the API; no form of the console asks for these."""


WRITTEN_BY_HAND = {"hex-malformed", "nonce-malformed", "not-in-range", "step-not-here", "list-too-long"}
"""What is malformed in orders is mostly out of a form's reach; these are fields that people fill in."""


def test_every_reason_to_refuse_orders_has_words_in_both_languages():
    files = [file for file in COMBAT.rglob("*.py") if file.name not in AT_SET_UP]
    codes = {code for file in files for code in CODE.findall(file.read_text(encoding="utf-8"))}
    assert len(codes) > 40
    needed = {f"violation.{code}" for code in codes - SET_UP_CODES | WRITTEN_BY_HAND}
    for language, said in TEXTS.items():
        assert needed - said.keys() == set(), f"console/src/solaris_console/texts.toml [{language}]"
