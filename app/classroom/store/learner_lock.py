"""The locks on one learner and on one class.

Every change to a learner's rows first acquires the learner's lock, and every change to the rows of a class first acquires the lock on the
class. It then reads what was committed last. A change that needs both locks the learner first, and then classes in the order of their ids.
Only app.classroom.classes.presence writes without the lock on the class.

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
    """Return the number of an advisory lock of this name: 64 bits of a hash, so that two names hardly ever have the same number."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
