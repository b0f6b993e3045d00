-- The two roles of one service. A superuser runs this, as often as he likes, after setting
--   solaris.service, solaris.owner_password, solaris.app_password   (set_config, so no password stands in a statement).
--
-- <service>_owner  migrates: owns the database and its tables
-- <service>_app    what the api and the worker log in as: owns nothing but the schemas of its read models, which can be
--                  rebuilt. Its rights on tables are given by the migrations (solaris_shared.migrate.GRANTS and each
--                  service's own): INSERT and SELECT on event, log and outbox; no UPDATE, DELETE or TRUNCATE there.
--
-- The local runtime, docker compose (init.sh) and Kubernetes all use this file and database.sql.
DO $$
DECLARE
    service text := current_setting('solaris.service');
    kind text;
    role text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['owner', 'app'] LOOP
        role := service || '_' || kind;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I', role);
        END IF;
        EXECUTE format(
            'ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
            role, current_setting('solaris.' || kind || '_password'));
    END LOOP;
    EXECUTE format('ALTER ROLE %I SET lock_timeout = ''5s''', role);
    EXECUTE format('ALTER ROLE %I SET statement_timeout = ''30s''', role);
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''5s''', role);
END $$;
