"""Letters about fights that were called off."""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    "ALTER TABLE letter DROP CONSTRAINT letter_kind_check",
    """ALTER TABLE letter ADD CONSTRAINT letter_kind_check
        CHECK (kind IN ('scheduled', 'turn', 'result', 'voided', 'confirmation'))""",
    "CREATE INDEX letter_voided ON letter (fight_id) WHERE kind = 'voided'",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
