"""The lock on one learner. Every change to a learner's rows acquires it first, and what it reads afterwards is what was committed last.

It is an advisory lock of PostgreSQL, because a row that does not exist yet cannot be locked. It ends with the transaction.
"""

from hashlib import sha256

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from app.classroom.store.engine import is_postgres

LOCK = select(func.pg_advisory_xact_lock(bindparam("key", type_=BigInteger)))


def lock_learner(connection: Connection, learner: str) -> None:
    """Wait until no other transaction has the lock on the learner, and acquire it. SQLite has only one writer, so nothing is done."""
    if is_postgres(connection):
        connection.execute(LOCK, {"key": lock_key(f"learner {learner}")})


def lock_key(name: str) -> int:
    """Return the number of an advisory lock of this name: 64 bits of a hash, so that two names hardly ever have the same."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
