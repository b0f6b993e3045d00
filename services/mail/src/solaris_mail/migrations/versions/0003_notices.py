"""What each person is told about his letters: written, bounced. Numbered by person, without gaps."""

from alembic import context, op

revision = "0003"
down_revision = "0002"

STATEMENTS = (
    "CREATE TABLE notice_count (person_id text PRIMARY KEY, last integer NOT NULL)",
    """CREATE TABLE notice (
        person_id text NOT NULL,
        number integer NOT NULL,
        kind text NOT NULL CHECK (kind IN ('letter-written', 'letter-bounced')),
        at timestamptz NOT NULL,
        letter_id uuid NOT NULL REFERENCES letter,
        reason text,
        PRIMARY KEY (person_id, number))""",
)
TABLES = ("notice_count", "notice")


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
    role = context.config.attributes.get("app_role")
    if role:
        op.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON {", ".join(TABLES)} TO "{role}"')
