"""Slows wrong codes of classes by address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.classroom.classes.class_faults import CodeTooEarly, WrongCode
from app.classroom.people.code_tries import count_wrong_code, read_code_wait
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms


@asynccontextmanager
async def slowing_wrong_codes(database: Database, address: str) -> AsyncIterator[None]:
    """In this context a code from an address is looked up. Raises CodeTooEarly before, and counts WrongCode, which it lets pass."""
    if seconds := await database.read(read_code_wait, address, now_ms()):
        raise CodeTooEarly(seconds)
    try:
        yield
    except WrongCode:
        await database.write(count_wrong_code, address, now_ms())
        raise
