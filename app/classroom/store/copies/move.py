"""Copies an SQLite database into an empty PostgreSQL database, in one transaction: it copies everything or nothing.

Both sides are then counted and hashed, table by table, before the commit. The SQLite database is not changed.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, CursorResult, Table, func, insert, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.classroom.store.database_lock import hold_database
from app.classroom.store.engine import file_of, make_engine, name_database, parse_url
from app.classroom.store.faults.store_faults import concerns_one_change, name_fault, one_line
from app.classroom.store.schema.schema import HEAD, REVISIONS, lock_tables, make_tables, read_revision
from app.classroom.store.schema.tables import StoreTable

PIECE_ROWS = 500
TABLES: Sequence[Table] = StoreTable.metadata.sorted_tables  # each after the tables to which it refers
TellTable = Callable[[str, int], None]  # called with a table's name and the number of its rows, after it was copied


class MoveError(Exception):
    """The database cannot be moved; the message says why. Nothing was changed."""


def move(source: str, target: str, tell: TellTable = lambda table, rows: None) -> int:
    """Copy everything from the SQLite database `source` to the PostgreSQL database `target`. Return the number of rows.

    Raises MoveError, DatabaseInUse if a server uses the source, StoreFault and DatabaseUrlError.
    """
    file = file_of(source)
    if file is None or parse_url(target).get_backend_name() != "postgresql":
        raise MoveError("Only an SQLite database can be moved, and only to PostgreSQL.")
    if not file.exists():
        raise MoveError(f"There is no database {file}.")
    reader, writer = make_engine(source, writes=False), make_engine(target, writes=True)
    try:
        with hold_database(source, alone=True), reader.connect() as old, writer.begin() as new:
            check_source(old)
            prepare_target(new, name_database(target))
            return sum(copy_table(table, old, new, tell) for table in TABLES)
    except (SQLAlchemyError, OSError) as error:
        if isinstance(error, DBAPIError) and concerns_one_change(error):
            raise MoveError(f"PostgreSQL does not accept a row: {one_line(error.orig)}.") from error
        raise name_fault(error) from error
    finally:
        reader.dispose()
        writer.dispose()


def check_source(connection: Connection) -> None:
    revision = read_revision(connection)
    if revision != HEAD:
        what = "run `gradroom migrate --backup` first" if revision in REVISIONS else "this Gradroom does not know them"
        raise MoveError(f"The tables of the SQLite database are of version {revision}, and not {HEAD}: {what}.")
    lost = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if lost:
        tables = ", ".join(sorted({row[0] for row in lost}))
        raise MoveError(f"{len(lost)} rows of the SQLite database belong to nobody ({tables}): delete them first.")


def prepare_target(connection: Connection, name: str) -> None:
    """Lock the target's tables, and make them if there are none. Raises MoveError if they have rows, or another version."""
    lock_tables(connection)
    revision = read_revision(connection)
    if revision is None:
        make_tables(connection)
    elif revision != HEAD:
        raise MoveError(f"The tables of {name} are of version {revision}, and not {HEAD}.")
    for table in TABLES:
        if connection.execute(select(table).limit(1)).first() is not None:
            raise MoveError(f"{name} is not empty: there is something in its table {table.name}. Nothing was moved.")


def copy_table(table: Table, old: Connection, new: Connection, tell: TellTable) -> int:
    """Copy the rows of a table in pieces, and return their number. Raises MoveError if other rows have arrived."""
    for piece in read_all(table, old).partitions():
        new.execute(insert(table), [dict(row._mapping) for row in piece])
    (sent, sent_hash), (arrived, arrived_hash) = sum_rows(table, old), sum_rows(table, new)
    if (sent, sent_hash) != (arrived, arrived_hash):
        raise MoveError(f"The rows of {table.name} have not arrived as they are: {sent} were sent, and {arrived} are there.")
    if table.autoincrement_column is not None:
        continue_numbers(table, new)
    tell(table.name, sent)
    return sent


def read_all(table: Table, connection: Connection) -> CursorResult[*tuple[Any, ...]]:
    """Read a table in pieces."""
    return connection.execute(select(table), execution_options={"yield_per": PIECE_ROWS})


def sum_rows(table: Table, connection: Connection) -> tuple[int, int]:
    """Return the number of a table's rows, and a hash of the rows that does not depend on their order."""
    count = hashes = 0
    for row in read_all(table, connection):
        count += 1
        hashes += int.from_bytes(sha256(repr(tuple(row)).encode(errors="surrogatepass")).digest())
    return count, hashes % 2**256


def continue_numbers(table: Table, connection: Connection) -> None:
    """Set the sequence of a table's ids, so that the next row gets the next number."""
    key = table.autoincrement_column
    assert key is not None
    last = select(func.coalesce(func.max(key), 0) + 1).scalar_subquery()
    connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, key.name), last, False)))
