"""What a callsign looks like, so that no two look the same; unknown for those from before."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("ALTER TABLE roster ADD COLUMN callsign_shape text CONSTRAINT roster_shape UNIQUE")
