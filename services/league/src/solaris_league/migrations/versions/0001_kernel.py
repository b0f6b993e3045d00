"""The kernel's tables."""

from solaris_shared.migrate import create_kernel_tables

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kernel_tables()
