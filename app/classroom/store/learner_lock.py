"""The locks on one learner and on one class.

Every change to a learner's rows acquires the learner's lock first, and every change to the rows of a class the class's. What it reads
afterwards is what was committed last. Whoever needs both locks the learner first, and several classes in the order of their ids.
Only where a learner is (app.classroom.classes.presence) is written without the lock on the class.

They are advisory locks of PostgreSQL, because a row that does not exist yet cannot be locked. They end with the transaction.
"""

from hashlib import sha256

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from app.classroom.store.engine import is_postgres

LOCK = select(func.pg_advisory_xact_lock(bindparam("key", type_=BigInteger)))


def lock_learner(connection: Connection, learner: str) -> None:
    """Wait until no other transaction has the lock on the learner, and acquire it. SQLite has only one writer, so nothing is done."""
    if is_postgres(connection):
        connection.execute(LOCK, {"key": lock_key(f"learner {learner}")})


def lock_class(connection: Connection, class_id: int) -> None:
    """Wait until no other transaction has the lock on the class, and acquire it. Like `lock_learner`."""
    if is_postgres(connection):
        connection.execute(LOCK, {"key": lock_key(f"class {class_id}")})


def lock_key(name: str) -> int:
    """Return the number of an advisory lock of this name: 64 bits of a hash, so that two names hardly ever have the same."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
