"""What network addresses have added to a PostgreSQL database, for all web processes together: the table `address_addition`.

Each address has a bucket that holds some bytes and refills with time. A web process leases bytes from it in pieces, and each lease is a
transaction of its own, so that the learners behind one address do not wait for each other's commit. Times are PostgreSQL's.
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
    """Take bytes from the bucket of an address, which holds `most`, and return 0.

    If it does not hold so many now, return in how many seconds it will, and take nothing, unless `forced` is set.
    """
    of_address = {"address": address[:ADDRESS_CHARACTERS], "per_ms": per_second / 1000}
    if connection.execute(TAKE, {**of_address, "taken": taken, "most": ANY if forced else most}).scalar() is not None:
        return 0.0
    left = connection.execute(FIND, of_address).scalar() or 0
    return max(left + taken - most, 1) / per_second


def delete_full(connection: Connection, *, per_second: float) -> None:
    """Delete the rows of buckets that have refilled completely."""
    connection.execute(delete(AddressAdditionRow).where(LEFT <= 0), {"per_ms": per_second / 1000})
