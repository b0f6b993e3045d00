-- Who may reach the database of one service: its two roles and nobody else. A superuser runs this after the database
-- <service>, owned by <service>_owner, has been created; solaris.service is set as for roles.sql. Safe to repeat.
DO $$
DECLARE
    service text := current_setting('solaris.service');
BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', service);
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', service, service || '_app');
END $$;
