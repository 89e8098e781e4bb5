"""Asks a question of many small cases in one test.

A test of its own costs some 4 ms of processor time: four workers collect it, one runs it, and the controller records it. For a thousand
cases that are only looked at, that is seconds. All cases that fail are named.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

MOST_SHOWN = 200  # characters of a value

Test = Callable[..., None]


def in_one_test(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Do as `pytest.mark.parametrize` does, but in one test. The test's other arguments are fixtures, made once for all cases."""
    arguments = (names,) if isinstance(names, str) else names
    rows = [dict(zip(arguments, (case,) if isinstance(names, str) else case, strict=True)) for case in cases]
    assert rows, "a test without cases could not fail"

    def decorate(test: Test) -> Test:
        assert not inspect.iscoroutinefunction(test), "nobody would await it"

        @functools.wraps(test)
        def ask_all(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for row in rows:
                try:
                    test(**fixtures, **row)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:  # a case that is skipped would hide the others
                    failure.add_note(", ".join(f"{name} = {value!r}"[:MOST_SHOWN] for name, value in row.items()))
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} cases", failures)

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        ask_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return ask_all

    return decorate
