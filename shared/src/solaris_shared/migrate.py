"""Schema migrations: each service has an alembic script folder whose first revision creates the kernel's
tables.

A service's folder holds `env.py` (two lines: `from solaris_shared.migrate import run_env` and `run_env()`)
and `versions/0001_kernel.py` as in `solaris_shared/migrations`. There are no downgrades: a mistake is
corrected forward.
"""

from pathlib import Path

from alembic import command, context, op
from alembic.config import Config
from sqlalchemy import Connection, text

from solaris_shared.database import open_engine, statements

LOCK = 7_345_001
"""Key of the transaction-scoped advisory lock that lets one migration run at a time."""


GRANTS = (
    "GRANT CREATE ON DATABASE {database} TO {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT INSERT ON event, log, outbox, command_result, operator_action TO {role}",
    "GRANT INSERT, DELETE ON pending TO {role}",
    "GRANT UPDATE ON head TO {role}",
    "GRANT INSERT, UPDATE, DELETE ON projection, reactor, timer, messaging, worker_status TO {role}",
)
"""What the app role may do with kernel tables. It owns nothing but the schemas of its read models, which
can be rebuilt; a service grants its own mutable tables in its own migrations, where
`context.config.attributes["app_role"]` names the role ("" = none).
"""


def create_kernel_tables() -> None:
    """For a service's first revision."""
    for statement in statements("tables.sql"):
        op.execute(text(statement.replace(":", "\\:")))


def create_worker_status() -> None:
    """For a later revision of every service: what each worker says of itself, and unreadable messages
    quickly.
    """
    op.execute(
        "CREATE TABLE worker_status (name text PRIMARY KEY, started_at timestamptz NOT NULL,"
        " seen_at timestamptz NOT NULL, lags jsonb NOT NULL, failing jsonb NOT NULL)"
    )
    op.execute("CREATE INDEX event_unreadable ON event (stream) WHERE type = 'foreign-unreadable'")


def run_env() -> None:
    """What every `env.py` calls."""
    context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


def _upgrade(connection: Connection, scripts: Path, app_role: str) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["app_role"] = app_role
    command.upgrade(config, "head")
    if app_role:
        grant(connection, app_role)


def grant(connection: Connection, app_role: str) -> None:
    """Give the app role what the kernel's processes need, and no more."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    database = connection.execute(text("SELECT current_database()")).scalar_one()
    for statement in GRANTS:
        connection.execute(text(statement.format(role=quote(app_role), database=quote(database))))


async def migrate(url: str, scripts: Path, app_role: str = "") -> None:
    """Bring the database at `url` (the migrator's address) to the newest revision of `scripts`."""
    engine = open_engine(url, name="solaris-migrate")
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, scripts, app_role)
    finally:
        await engine.dispose()
