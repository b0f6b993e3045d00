#!/bin/sh
# Makes the roles and databases of the four services; safe to repeat. The official image runs it once, at the first start
# (/docker-entrypoint-initdb.d); Kubernetes runs it as the job `databases`, also to change a password.
#   SOLARIS_SQL       folder of roles.sql and database.sql
#   SOLARIS_SECRETS   folder of the files <service>-database-owner and <service>-database-app (a password each)
#   PGHOST, PGUSER, PGPASSFILE, ... or POSTGRES_USER: a superuser, as psql understands them
set -eu
: "${SOLARIS_SQL:=/usr/local/share/solaris}" "${SOLARIS_SECRETS:=/run/secrets}"
export SOLARIS_SECRETS PGUSER="${PGUSER:-${POSTGRES_USER:-postgres}}" PGDATABASE="${PGDATABASE:-postgres}"

for service in league combat economy mail; do
  export SERVICE="$service"
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set "sql=$SOLARIS_SQL" <<'PSQL'
\getenv service SERVICE
\set owner_password `cat "$SOLARIS_SECRETS/$SERVICE-database-owner"`
\set app_password `cat "$SOLARIS_SECRETS/$SERVICE-database-app"`
\set roles :sql '/roles.sql'
\set database :sql '/database.sql'
\o /dev/null
SELECT set_config('solaris.service', :'service', false), set_config('solaris.owner_password', :'owner_password', false),
       set_config('solaris.app_password', :'app_password', false);
\i :roles
SELECT format('CREATE DATABASE %I OWNER %I', :'service', :'service' || '_owner')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'service') \gexec
\i :database
PSQL
done
