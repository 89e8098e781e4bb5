"""The form of the database's URL. What is behind it is found out when it is opened."""

import re
from importlib.util import find_spec

EXPECTED = "expected sqlite:////folder/file or postgresql://user:password@host/database"
SQLITE, POSTGRESQL = ("sqlite", "sqlite+pysqlite"), ("postgres", "postgresql", "postgresql+psycopg")
URL = re.compile(r"(?P<kind>[\w+]+)://(?P<rest>.*)", re.DOTALL)
# SQLAlchemy's reading: an unescaped @ ends the password, so that the rest of the password would be the host, which messages name
PLACE = re.compile(r"(?:[^:/]*(?::[^@]*)?@)?(?P<host>\[[^/?]+\]|[^/:?]*)(?P<port>:[^/?]*)?(?P<path>[^?]*)")


class DatabaseUrlError(ValueError):
    """The URL names no database that can be used. The message says why, and does not repeat the URL, which may contain a password."""


def check_database_url(url: str) -> str:
    """Return the URL of an SQLite or PostgreSQL database. Raises DatabaseUrlError, also if the driver is missing."""
    parts = URL.fullmatch(url)
    if parts is None:
        raise DatabaseUrlError(f"it is not a URL: {EXPECTED}")
    kind, rest = parts["kind"], parts["rest"]
    if kind in SQLITE:
        if not rest.startswith("/"):
            raise DatabaseUrlError(f"an SQLite database has a file and no host: {EXPECTED}")
        if rest in ("/", "/:memory:"):
            raise DatabaseUrlError(f"it names no file: {EXPECTED}")
    elif kind in POSTGRESQL:
        check_postgresql(rest)
    else:
        raise DatabaseUrlError(f"{kind} is not supported: {EXPECTED}")
    return url


def check_postgresql(rest: str) -> None:
    """Check what follows the kind in the URL of a PostgreSQL database. Raises DatabaseUrlError."""
    place = PLACE.match(rest)
    if place is None or not rest.strip("/"):
        raise DatabaseUrlError(f"it names no database: {EXPECTED}")
    if "@" in place[0][place.start("host") :]:
        raise DatabaseUrlError(f"an @ in a password is written as %40: {EXPECTED}")
    if place["port"] and not re.fullmatch(r":\d{0,5}", place["port"], re.ASCII):
        raise DatabaseUrlError(f"its port is no number: {EXPECTED}")
    if find_spec("psycopg") is None:
        raise DatabaseUrlError("PostgreSQL needs its driver: pip install 'gradroom[postgresql]'")
