-- The kernel's tables in a service's database; a service's first migration runs this (solaris_shared.migrate).
--
-- event, log and outbox are append only: a trigger refuses UPDATE, DELETE and TRUNCATE to everybody, and the app role
-- is not granted them either. The identity of event.ordinal must keep CACHE 1, so that whoever has seen an event and
-- then appends gets a higher ordinal.

CREATE TABLE event (
    ordinal bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) CONSTRAINT event_ordinal UNIQUE,
    stream text NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    event_id uuid NOT NULL CONSTRAINT event_id_once UNIQUE,
    type text NOT NULL,
    type_version integer NOT NULL,
    data jsonb NOT NULL,
    meta jsonb NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (stream, version));

CREATE TABLE pending (
    ordinal bigint PRIMARY KEY,
    subject text,
    envelope bytea,
    CHECK ((subject IS NULL) = (envelope IS NULL)));

ALTER TABLE pending SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE log (position bigint PRIMARY KEY, ordinal bigint NOT NULL UNIQUE);

CREATE TABLE outbox (
    publication bigint PRIMARY KEY,
    position bigint NOT NULL UNIQUE,
    subject text NOT NULL,
    envelope bytea NOT NULL);

CREATE TABLE head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL DEFAULT 0,
    publication bigint NOT NULL DEFAULT 0);

INSERT INTO head DEFAULT VALUES;

CREATE TABLE command_result (
    command_id uuid PRIMARY KEY,
    digest bytea NOT NULL,
    body jsonb NOT NULL,
    token text NOT NULL,
    recorded_at timestamptz NOT NULL);

CREATE TABLE clock_offset (one boolean PRIMARY KEY DEFAULT true CHECK (one), shift interval NOT NULL);

CREATE TABLE projection (
    name text NOT NULL,
    generation integer NOT NULL,
    version integer NOT NULL,
    stage text NOT NULL CHECK (stage IN ('building', 'live', 'retired')),
    checkpoint bigint NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'failed', 'halted')),
    attempts integer NOT NULL DEFAULT 0,
    error text,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, generation));

CREATE UNIQUE INDEX projection_live ON projection (name) WHERE stage = 'live';

CREATE UNIQUE INDEX projection_building ON projection (name, version) WHERE stage = 'building';

CREATE TABLE reactor (
    name text PRIMARY KEY,
    checkpoint bigint NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'failed', 'halted')),
    attempts integer NOT NULL DEFAULT 0,
    error text,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp());

CREATE TABLE timer (
    kind text NOT NULL,
    key text NOT NULL,
    due_at timestamptz NOT NULL,
    data jsonb NOT NULL,
    serial integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'void', 'failed')),
    next_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    error text,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (kind, key));

CREATE INDEX timer_next ON timer (next_at) WHERE state = 'waiting';

CREATE TABLE messaging (
    name text PRIMARY KEY,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'halted')),
    error text,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp());

CREATE TABLE operator_action (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    action text NOT NULL,
    position bigint,
    error text,
    reason text NOT NULL CHECK (reason <> ''),
    operator text NOT NULL CHECK (operator <> ''),
    at timestamptz NOT NULL DEFAULT clock_timestamp());

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON outbox
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
