"""What each worker says of itself."""

from solaris_shared.migrate import create_worker_status

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    create_worker_status()
