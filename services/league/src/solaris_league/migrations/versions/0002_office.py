"""What the office keeps outside the log: handles and passwords (personal data), names in use, numbers of
rounds."""

from alembic import context, op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """CREATE TABLE account (
        person_id text PRIMARY KEY,
        handle text NOT NULL,
        handle_key text NOT NULL CONSTRAINT account_handle UNIQUE,
        password_hash text NOT NULL,
        created_at timestamptz NOT NULL)""",
    """CREATE TABLE token_name (
        token_id text PRIMARY KEY,
        person_id text NOT NULL REFERENCES account ON DELETE CASCADE,
        name text NOT NULL)""",
    """CREATE TABLE roster (
        mechwarrior_id text PRIMARY KEY,
        person_id text NOT NULL CONSTRAINT roster_person UNIQUE,
        callsign_key text NOT NULL CONSTRAINT roster_callsign UNIQUE,
        class integer NOT NULL)""",
    """CREATE TABLE round_number (
        class integer NOT NULL,
        number integer NOT NULL,
        round_id text NOT NULL UNIQUE,
        PRIMARY KEY (class, number))""",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
    role = context.config.attributes.get("app_role")
    if role:
        op.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON account, token_name, roster TO "{role}"')
        op.execute(f'GRANT SELECT, INSERT ON round_number TO "{role}"')
