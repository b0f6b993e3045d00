"""Contacts, letters and attempts: mutable tables, since they hold or point at personal data."""

from alembic import context, op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """CREATE TABLE contact (
        person_id text PRIMARY KEY,
        address text,
        pending_address text,
        language text NOT NULL,
        zone text NOT NULL,
        channels text[] NOT NULL,
        confirmed_at timestamptz,
        bounced_address text,
        bounced_at timestamptz,
        bounce_reason text,
        updated_at timestamptz NOT NULL)""",
    """CREATE TABLE letter (
        letter_id uuid PRIMARY KEY,
        message_id text NOT NULL UNIQUE,
        person_id text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('scheduled', 'turn', 'result', 'confirmation')),
        fight_id uuid,
        facts jsonb NOT NULL,
        deadline timestamptz,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'refused', 'expired',
        'superseded')), attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL,
        leased_until timestamptz,
        final_at timestamptz,
        CHECK ((state = 'queued') = (final_at IS NULL)))""",
    "CREATE INDEX letter_due ON letter (next_attempt_at) WHERE state = 'queued'",
    "CREATE INDEX letter_person ON letter (person_id, created_at, letter_id)",
    "CREATE INDEX letter_turn ON letter (fight_id) WHERE state = 'queued' AND kind = 'turn'",
    "CREATE INDEX letter_listed ON letter (created_at, letter_id)",
    """CREATE TABLE attempt (
        letter_id uuid NOT NULL REFERENCES letter,
        number integer NOT NULL,
        started_at timestamptz NOT NULL,
        finished_at timestamptz,
        outcome text CHECK (outcome IN ('accepted', 'deferred', 'refused', 'unknown')),
        code integer,
        detail text,
        PRIMARY KEY (letter_id, number),
        CHECK ((outcome IS NULL) = (finished_at IS NULL)))""",
    """CREATE TABLE confirmation (
        letter_id uuid PRIMARY KEY REFERENCES letter,
        person_id text NOT NULL,
        address text NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz)""",
    "CREATE INDEX confirmation_person ON confirmation (person_id)",
    """CREATE TABLE fight (
        fight_id uuid PRIMARY KEY,
        arena text NOT NULL,
        turns integer NOT NULL,
        sides jsonb NOT NULL)""",
)
TABLES = ("contact", "letter", "attempt", "confirmation", "fight")


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
    role = context.config.attributes.get("app_role")
    if role:
        op.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON {", ".join(TABLES)} TO "{role}"')
