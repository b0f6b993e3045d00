"""What each worker says of itself."""

from solaris_shared.migrate import create_worker_status

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    create_worker_status()
