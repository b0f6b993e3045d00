"""Letters about a fight that stands still."""

from alembic import op

revision = "0010"
down_revision = "0009"

STATEMENTS = (
    "ALTER TABLE letter DROP CONSTRAINT letter_kind_check",
    """ALTER TABLE letter ADD CONSTRAINT letter_kind_check
        CHECK (kind IN ('scheduled', 'turn', 'result', 'voided', 'substitution', 'ruling', 'challenge',
        'challenge-answer', 'injuries', 'resting', 'class', 'length', 'round-voided', 'parked',
        'confirmation'))""",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
