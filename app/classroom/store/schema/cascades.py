"""Triggers of SQLite that delete what belongs to a deleted row, even if another program deletes the row.

SQLite enforces foreign keys only if a connection turns them on. If another program deleted a learner without them, the work would remain,
and a later learner would get it, because SQLite reuses the id of a deleted row. So each foreign key has a trigger that does the same.

A migration replaces tables, which is not possible while triggers refer to them. It first drops the triggers, and then makes them again.
"""

from typing import NamedTuple

from sqlalchemy import Connection, text

PREFIX = "cascade_"
KEYS = text("""
    SELECT child.name AS child, key."from" AS child_column, key."table" AS parent, key."to" AS parent_column
    FROM sqlite_master AS child, pragma_foreign_key_list(child.name) AS key
    WHERE child.type = 'table' AND key.on_delete = 'CASCADE'
""")
TRIGGERS = text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, length(:prefix)) = :prefix")


class CascadingKey(NamedTuple):
    """A foreign key: `child_column` of the table `child` refers to `parent_column` of the table `parent`."""

    child: str
    child_column: str
    parent: str
    parent_column: str


def list_keys(connection: Connection) -> list[CascadingKey]:
    """Return the foreign keys with ON DELETE CASCADE. For PostgreSQL there are none, because it always enforces foreign keys."""
    return [CascadingKey(*row) for row in connection.execute(KEYS)] if connection.dialect.name == "sqlite" else []


def make_cascades(connection: Connection) -> None:
    """Make the triggers of all tables."""
    for key in list_keys(connection):
        connection.exec_driver_sql(
            f"CREATE TRIGGER {PREFIX}{key.child}_{key.child_column} AFTER DELETE ON {key.parent} "
            f"BEGIN DELETE FROM {key.child} WHERE {key.child_column} = OLD.{key.parent_column}; END"
        )


def drop_cascades(connection: Connection) -> None:
    """Drop the triggers."""
    if connection.dialect.name == "sqlite":
        for (name,) in connection.execute(TRIGGERS, {"prefix": PREFIX}).all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")


def delete_orphans(connection: Connection) -> int:
    """Delete rows whose parents are missing. Return how many."""
    total = 0
    while deleted := sum(connection.exec_driver_sql(f"DELETE {write_condition(key)}").rowcount for key in list_keys(connection)):
        total += deleted
    return total


def count_orphans(connection: Connection) -> int:
    """Return how many rows have no parent, not counting the rows that belong to these."""
    return sum(connection.exec_driver_sql(f"SELECT count(*) {write_condition(key)}").scalar_one() for key in list_keys(connection))


def write_condition(key: CascadingKey) -> str:
    """Return the end of a statement about the orphans of one foreign key."""
    return f"FROM {key.child} WHERE {key.child_column} NOT IN (SELECT {key.parent_column} FROM {key.parent})"
