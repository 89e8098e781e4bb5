#!/bin/sh
# Backs up what is stored of learners: an SQLite database with `gradroom backup`, PostgreSQL with pg_dump.
#
#   backup.sh once            makes a backup, and deletes all but the newest $BACKUPS (default 14)
#   backup.sh nightly         makes a backup at once and then each day at $BACKUP_TIME (default 03:10, of the machine's clock), until it is ended;
#                             if none can be made, it tries again after $BACKUP_RETRY_SECONDS (default 300)
#   backup.sh list            lists the backups, the newest first
#   backup.sh restore FILE    puts a backup of PostgreSQL in the place of the database; stop web first
#
# BACKUP_FOLDER (default /backups) is where they are. GRADROOM_DATABASE_URL names the database, as for Gradroom. A backup of PostgreSQL is
# two files: NAME.dump, and NAME.cookie_secret, the key of learners' cookies, if it is in GRADROOM_STATE_FOLDER.
set -eu
umask 077

folder=${BACKUP_FOLDER:-/backups}
keep=${BACKUPS:-14}
# libpq knows the URL without the name of SQLAlchemy's driver
url=$(printf %s "${GRADROOM_DATABASE_URL:-}" | sed "s#^postgres\(ql\)\{0,1\}\(+[a-z0-9]*\)\{0,1\}://#postgresql://#")
# anybody can see the words of a command, so the programs get the password in their environment
password=$(printf %s "$url" | LC_ALL=C awk '
  match($0, /^postgresql:\/\/[^:\/@]*:[^@]*@/) {
    rest = substr($0, 1, RLENGTH - 1)
    sub(/^postgresql:\/\/[^:]*:/, "", rest)
    while (match(rest, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      digits = tolower(substr(rest, RSTART + 1, 2))
      number = 16 * index("123456789abcdef", substr(digits, 1, 1)) + index("123456789abcdef", substr(digits, 2, 1))
      printf "%s%c", substr(rest, 1, RSTART - 1), number
      rest = substr(rest, RSTART + 3)
    }
    printf "%s", rest
  }')
if [ "$password" ]; then
  export PGPASSWORD="$password"
  url=$(printf %s "$url" | sed 's,^\(postgresql://[^:/@]*\):[^@]*@,\1@,')
fi
gradroom=$(dirname "$0")/../.venv/bin/gradroom
secret=${GRADROOM_STATE_FOLDER:-/var/lib/gradroom}/cookie_secret

once() {
  mkdir -p "$folder"
  name=$folder/gradroom-$(date -u +%Y%m%dT%H%M%SZ)
  case $url in
    postgresql://*)
      trap 'rm -f "$name.part"' EXIT
      pg_dump --format=custom --file="$name.part" "$url"
      if [ -r "$secret" ]; then cp "$secret" "$name.cookie_secret"; fi
      made=$name.dump
      mv "$name.part" "$made" # so that what is called a backup is whole
      ;;
    *)
      # under this umask web could not read the modules that Python would compile
      PYTHONDONTWRITEBYTECODE=1 "$gradroom" backup "$name.backup"
      made=$name.backup
      ;;
  esac
  echo "made $made, $(stat -c %s "$made") bytes"
  prune
}

list() {
  find "$folder" -maxdepth 1 \( -name 'gradroom-*.dump' -o -name 'gradroom-*.backup' \) | sort -r
}

prune() {
  list | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$old" "${old%.*}.cookie_secret"
    echo "deleted $old"
  done
}

nightly() {
  trap 'if [ "${!:-}" ]; then kill "$!" 2>/dev/null || true; fi; exit 0' TERM INT
  case $url in
    postgresql://*) ;;
    *)
      if [ ! -x "$gradroom" ]; then # in compose, where web uses SQLite
        echo "nothing is backed up here: GRADROOM_DATABASE_URL names no PostgreSQL; an SQLite database is backed up by gradroom backup" >&2
        sleep infinity &
        wait $!
      fi
      ;;
  esac
  while true; do
    if "$0" once; then
      now=$(date +%s)
      next=$(date -d "${BACKUP_TIME:-03:10}" +%s)
      if [ "$next" -le "$now" ]; then next=$(date -d "tomorrow ${BACKUP_TIME:-03:10}" +%s); fi
      pause=$((next - now))
    else
      # the database may be starting
      pause=${BACKUP_RETRY_SECONDS:-300}
      echo "no backup was made; the next try is in $pause s" >&2
    fi
    sleep "$pause" &
    wait $!
  done
}

restore() {
  case ${1:-} in
    *.dump) ;;
    *) echo "restore: name a backup that ends in .dump (for SQLite there is gradroom restore)" >&2 && exit 2 ;;
  esac
  statements=$(mktemp)
  trap 'rm -f "$statements"' EXIT
  # tables that are newer than the backup go, too
  echo 'DROP SCHEMA public CASCADE; CREATE SCHEMA public;' >"$statements"
  pg_restore --no-owner --file=- "$1" >>"$statements"
  PGOPTIONS="-c client_min_messages=warning" psql --quiet --no-psqlrc --single-transaction --set=ON_ERROR_STOP=1 --file="$statements" "$url" >/dev/null
  echo "restored $1"
  if [ -r "${1%.dump}.cookie_secret" ]; then echo "the key of its cookies is ${1%.dump}.cookie_secret: copy it to $secret"; fi
}

case ${1:-} in
  once) once ;;
  nightly) nightly ;;
  list) list ;;
  restore) restore "${2:-}" ;;
  *) sed -n '2,12s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
