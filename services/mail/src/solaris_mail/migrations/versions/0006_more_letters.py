"""Letters about substitutes, rulings, challenges, injuries and who rests; what a fight asks for now."""

from alembic import op

revision = "0006"
down_revision = "0005"

STATEMENTS = (
    "ALTER TABLE letter DROP CONSTRAINT letter_kind_check",
    """ALTER TABLE letter ADD CONSTRAINT letter_kind_check
        CHECK (kind IN ('scheduled', 'turn', 'result', 'voided', 'substitution', 'ruling', 'challenge',
        'challenge-answer', 'injuries', 'resting', 'confirmation'))""",
    "ALTER TABLE fight ADD COLUMN request jsonb, ADD COLUMN deadline timestamptz, ADD COLUMN change jsonb",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
