"""Makes an address that tries wrong codes of classes wait."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.classroom.classes.class_faults import CodeTooEarly, WrongCode
from app.classroom.people.code_tries import count_wrong_code, read_code_wait
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms


@asynccontextmanager
async def slowing_wrong_codes(database: Database, address: str) -> AsyncIterator[None]:
    """Look a code up in this context. Raises CodeTooEarly at its beginning if `address` must wait. Counts and re-raises WrongCode."""
    if seconds := await database.read(read_code_wait, address, now_ms()):
        raise CodeTooEarly(seconds)
    try:
        yield
    except WrongCode:
        await database.write(count_wrong_code, address, now_ms())
        raise
