"""The exceptions for faults of the store. Runs continue without the store; a client is informed if its work is not stored.

StoreFault
├── StoreFull        the disk is full
├── StoreReadOnly    the file or its folder may not be written
├── StoreLocked      another program locks it for longer than the store waits
├── StoreBroken      its file is not a database, or is damaged
├── StoreOutdated    its tables are of an earlier version, which `gradroom migrate` updates
├── StoreTooNew      its tables are of a later version of Gradroom
├── StoreCrowded     its server has no free connection
├── StoreAtLimit     it uses as much space as its operator allows
├── AddressAtLimit   a network address has added as much as it may in an hour
└── StoreUnreachable anything else; its message says what
"""

import errno
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError


class StoreFault(Exception):
    """The store could not read or change something. Nothing was changed, unless the message says that this is unknown.

    `reason` is a short name for logs, metrics and the API.
    """

    reason = "unreachable"


class StoreFull(StoreFault):
    reason = "full"


class StoreReadOnly(StoreFault):
    reason = "read_only"


class StoreLocked(StoreFault):
    reason = "locked"


class StoreBroken(StoreFault):
    reason = "broken"


class StoreOutdated(StoreFault):
    reason = "outdated"


class StoreTooNew(StoreFault):
    reason = "too_new"


class StoreCrowded(StoreFault):
    reason = "crowded"


class StoreAtLimit(StoreFault):
    reason = "at_limit"


class AddressAtLimit(StoreFault):
    """The network address may add something again in `retry_after_seconds`."""

    reason = "address_at_limit"

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"its address may add something in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class StoreUnreachable(StoreFault):
    reason = "unreachable"


SQLITE_FAULTS: dict[str, type[StoreFault]] = {  # by primary result code, https://www.sqlite.org/rescode.html; extended ones begin with it
    "SQLITE_FULL": StoreFull,
    "SQLITE_IOERR_WRITE": StoreFull,  # a file that may not grow (EFBIG), a quota that is used up
    "SQLITE_IOERR_SHMSIZE": StoreFull,
    "SQLITE_READONLY": StoreReadOnly,
    "SQLITE_BUSY": StoreLocked,
    "SQLITE_LOCKED": StoreLocked,
    "SQLITE_CORRUPT": StoreBroken,
    "SQLITE_NOTADB": StoreBroken,
    "SQLITE_IOERR_SHORT_READ": StoreBroken,
}
POSTGRES_FAULTS: dict[str, type[StoreFault]] = {  # by SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html
    "53100": StoreFull,
    "25006": StoreReadOnly,
    "42501": StoreReadOnly,
    "55P03": StoreLocked,
    "40001": StoreLocked,  # when it was repeated as often as we repeat a change
    "40P01": StoreLocked,
    "57014": StoreLocked,  # a statement took longer than its limit
    "53300": StoreCrowded,
    "XX001": StoreBroken,
    "XX002": StoreBroken,
    "42P01": StoreBroken,  # a table, a column or a schema is missing
    "42703": StoreBroken,
    "3F000": StoreBroken,
    "08": StoreUnreachable,
    "53": StoreUnreachable,
    "57P": StoreUnreachable,
    "58": StoreUnreachable,
    "25P03": StoreUnreachable,  # we were idle in a transaction for too long
    "XX": StoreUnreachable,
}
CHANGES_OWN_ERRORS = (IntegrityError, DataError, ProgrammingError)  # other exceptions concern the whole database
# a refused connection has no SQLSTATE, only the server's message
CROWDED = ("too many clients", "too many connections", "remaining connection slots")
SYSTEM_FAULTS: dict[int | None, type[StoreFault]] = {
    errno.ENOSPC: StoreFull,
    errno.EDQUOT: StoreFull,
    errno.EFBIG: StoreFull,
    errno.EROFS: StoreReadOnly,
    errno.EACCES: StoreReadOnly,
    errno.EPERM: StoreReadOnly,
}


def name_fault(error: BaseException) -> StoreFault:
    """Return the StoreFault for an error or for its cause. Unforeseen errors become StoreUnreachable.

    The cause matters if SQLite has undone a whole transaction: SQLAlchemy then reports a missing savepoint, and the cause is the real
    error.
    """
    for one in causes(error):
        if isinstance(one, StoreFault):
            return one
        if isinstance(one, sqlite3.Error):
            code = getattr(one, "sqlite_errorname", "")
            for prefix, fault in SQLITE_FAULTS.items():
                if code.startswith(prefix):
                    return fault(str(one))
        elif found := find_postgres_fault(one):
            return found(one_line(one))
        elif isinstance(one, OSError) and one.errno in SYSTEM_FAULTS:
            return SYSTEM_FAULTS[one.errno](str(one))
    if isinstance(error, DBAPIError):
        return StoreUnreachable(f"{getattr(error.orig, 'sqlite_errorname', type(error.orig).__name__)}: {one_line(error.orig)}")
    return StoreUnreachable(str(error) or type(error).__name__)


def concerns_one_change(error: Exception) -> bool:
    """Return whether an exception of a change concerns that change alone, and not the whole database."""
    return not isinstance(error, SQLAlchemyError) or (isinstance(error, CHANGES_OWN_ERRORS) and find_postgres_fault(error) is None)


def find_postgres_fault(error: BaseException) -> type[StoreFault] | None:
    """Return the class of an error of PostgreSQL, or None if it is not a fault of the database."""
    code = sqlstate_of(error)
    if code is not None:
        return next((fault for prefix, fault in POSTGRES_FAULTS.items() if code.startswith(prefix)), None)
    if type(error).__module__.startswith("psycopg") and any(words in str(error) for words in CROWDED):
        return StoreCrowded
    return None


def sqlstate_of(error: BaseException | None) -> str | None:
    """Return PostgreSQL's code of an error, or of the error that SQLAlchemy wraps in it; None if it has none."""
    code = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)
    return code if isinstance(code, str) else None


def one_line(error: BaseException | None) -> str:
    """Return the first line of an error's message. PostgreSQL's further lines quote stored data."""
    return str(error).partition("\n")[0]


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over an error and the errors that caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
