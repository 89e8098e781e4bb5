"""The form of the database's URL. What is behind it is found out when it is opened."""

from importlib.util import find_spec

EXPECTED = "expected sqlite:////folder/file or postgresql://user:password@host/database"
SQLITE, POSTGRESQL = ("sqlite", "sqlite+pysqlite"), ("postgres", "postgresql", "postgresql+psycopg")


def check_database_url(url: str) -> str:
    """Return the URL. Raises ValueError, whose message does not repeat the URL, because it may contain a password."""
    kind, separator, rest = url.partition("://")
    if not separator:
        raise ValueError(f"it is not a URL: {EXPECTED}")
    if kind in SQLITE:
        if not rest.startswith("/"):
            raise ValueError(f"an SQLite database has a file and no host: {EXPECTED}")
        if rest in ("/", "/:memory:"):
            raise ValueError(f"it names no file: {EXPECTED}")
    elif kind not in POSTGRESQL:
        raise ValueError(f"{kind} is not supported: {EXPECTED}")
    elif not rest.strip("/"):
        raise ValueError(f"it names no database: {EXPECTED}")
    elif find_spec("psycopg") is None:
        raise ValueError("PostgreSQL needs its driver: pip install 'gradroom[postgresql]'")
    return url
