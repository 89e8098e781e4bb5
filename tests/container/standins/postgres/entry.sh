#!/bin/sh
# What compose.yaml relies on of the entry of docker.io/library/postgres:15. Any command but `postgres` is run as it is. As root, the entry
# gives the volume and the socket's folder to the user postgres, and becomes that user. In an empty volume it makes a cluster with
# POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB: whoever comes over the network needs the password, and the socket needs none.
set -eu
[ "$1" = postgres ] || exec "$@"

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chmod 700 "$PGDATA" || true # as there: initdb does it, too
  chmod 3775 /run/postgresql || true
  find "$PGDATA" /run/postgresql ! -user postgres -exec chown postgres {} +
  exec gosu postgres "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" | initdb --username="$POSTGRES_USER" --pwfile=/dev/stdin
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # started for this alone, without the network
  pg_ctl --wait --options="-c listen_addresses=''" start
  createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
