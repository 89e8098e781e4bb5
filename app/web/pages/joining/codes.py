"""Looks a typed code up, and makes an address that sends too many wrong codes wait."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import Request

from app.classroom.classes.class_faults import CodeTooEarly, WrongCode
from app.classroom.people.wrong_sign_ins import count_wrong_code, read_code_wait
from app.classroom.store.times import now_ms
from app.locale.messages import translator
from app.protocol.run import Lang
from app.web.services import services_of

T = TypeVar("T")


async def with_code(request: Request, find: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `find`, which looks a code up. Raises CodeTooEarly, and the exceptions of `find`. Counts WrongCode."""
    database, address = services_of(request).database, request.state.principal.address
    wait_seconds = await database.read(read_code_wait, address, now_ms())
    if wait_seconds:
        raise CodeTooEarly(wait_seconds)
    try:
        return await find()
    except WrongCode:
        await database.write(count_wrong_code, address, now_ms())
        raise


def say_too_early(seconds: int, lang: Lang) -> str:
    return translator(lang)("Many wrong codes came from your network. Try again in {count} s.").format(count=seconds)
