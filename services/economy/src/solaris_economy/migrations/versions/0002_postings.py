"""Posting rows: append only, and every transfer sums to zero when its transaction commits. Snapshots of
accounts: to be thrown away at will."""

from alembic import context, op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """CREATE TABLE posting (
        transfer_id uuid NOT NULL,
        account text NOT NULL,
        amount bigint NOT NULL CHECK (amount <> 0 AND abs(amount) <= 1000000000000),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (transfer_id, account))""",
    "CREATE INDEX posting_account ON posting (account)",
    """CREATE FUNCTION require_zero_sum() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT sum(amount) FROM posting WHERE transfer_id = NEW.transfer_id) <> 0 THEN
                RAISE EXCEPTION 'transfer % does not sum to zero', NEW.transfer_id
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_zero_sum';
            END IF;
            RETURN NULL;
        END $$""",
    """CREATE CONSTRAINT TRIGGER posting_zero_sum AFTER INSERT ON posting
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_zero_sum()""",
    """CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()""",
    """CREATE TABLE account_snapshot (
        owner text PRIMARY KEY,
        format integer NOT NULL,
        version integer NOT NULL,
        state jsonb NOT NULL)""",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
    role = context.config.attributes.get("app_role")
    if role:
        op.execute(f'GRANT SELECT, INSERT ON posting TO "{role}"')
        op.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON account_snapshot TO "{role}"')
