"""How much network addresses have added to a PostgreSQL database, counted for all web processes in the table `address_addition`.

Each address has a bucket of bytes, which refills with time. A web process takes bytes from it in pieces, each in a
transaction of its own, so that learners with the same address do not wait for each other's commits. Times are PostgreSQL's.
"""

from sqlalchemy import BigInteger, Connection, Float, bindparam, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from app.classroom.store.schema.tables import AddressAdditionRow

ADDRESS_CHARACTERS = 64
ANY = 2**62
NOW_MS = cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
PER_MS = bindparam("per_ms", type_=Float)
LEFT = func.greatest(0, AddressAdditionRow.bytes - cast(PER_MS * (NOW_MS - AddressAdditionRow.at_ms), BigInteger))  # not refilled yet
TAKEN = bindparam("taken", type_=BigInteger)
_row = insert(AddressAdditionRow).values(address=bindparam("address"), bytes=TAKEN, at_ms=NOW_MS)
TAKE = _row.on_conflict_do_update(
    index_elements=[AddressAdditionRow.address],
    set_={"bytes": LEFT + TAKEN, "at_ms": NOW_MS},
    where=bindparam("most", type_=BigInteger) >= LEFT + TAKEN,
).returning(AddressAdditionRow.bytes)
FIND = select(LEFT).where(AddressAdditionRow.address == bindparam("address"))


def take_bytes(connection: Connection, address: str, taken: int, *, most: int, per_second: float, forced: bool = False) -> float:
    """Take bytes from the bucket of an address, which has at most `most`, and return 0.

    If it does not have so many now, take nothing, and return in how many seconds it will. If `forced` is set, take them in any case.
    """
    of_address = {"address": address[:ADDRESS_CHARACTERS], "per_ms": per_second / 1000}
    if connection.execute(TAKE, {**of_address, "taken": taken, "most": ANY if forced else most}).scalar() is not None:
        return 0.0
    left = connection.execute(FIND, of_address).scalar() or 0
    return max(left + taken - most, 1) / per_second


def delete_full(connection: Connection, *, per_second: float) -> None:
    """Delete the rows of buckets that have refilled completely."""
    connection.execute(delete(AddressAdditionRow).where(LEFT <= 0), {"per_ms": per_second / 1000})
