"""Letters about a round that is off."""

from alembic import op

revision = "0009"
down_revision = "0008"

STATEMENTS = (
    "ALTER TABLE letter DROP CONSTRAINT letter_kind_check",
    """ALTER TABLE letter ADD CONSTRAINT letter_kind_check
        CHECK (kind IN ('scheduled', 'turn', 'result', 'voided', 'substitution', 'ruling', 'challenge',
        'challenge-answer', 'injuries', 'resting', 'class', 'length', 'round-voided',
        'confirmation'))""",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
