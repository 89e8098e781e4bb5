"""Measures how long the steps of a coroutine take."""

import time
from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def charge_steps(work: Coroutine[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await `work`. After each of its steps, from one `await` to the next, call `charge` with the seconds that the step took."""
    steps = work.__await__()
    thrown: BaseException | None = None
    while True:
        began = time.perf_counter()
        try:
            awaited = next(steps) if thrown is None else steps.throw(thrown)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            charge(time.perf_counter() - began)
        try:
            yield awaited
            thrown = None
        except BaseException as error:  # such as a cancellation; it is raised in `work`
            thrown = error
