"""Replacing a function without appearing in tracebacks."""

import inspect
import traceback
from typing import Any

import pytest

from app.runtimes.stand_in import stand_in


def divide(one: int, by: int = 0) -> float:
    """Divide."""
    return one / by


def observe(original: Any, *args: Any, **kwargs: Any) -> Any:
    return original(*args, **kwargs)


def test_it_answers_and_looks_like_the_original() -> None:
    standing = stand_in(divide, observe)
    assert standing(6, by=3) == 2.0
    assert (standing.__name__, standing.__doc__, inspect.signature(standing)) == ("divide", "Divide.", inspect.signature(divide))


def test_no_frame_of_it_is_in_a_traceback_however_deep() -> None:
    standing = stand_in(stand_in(divide, observe), observe)
    with pytest.raises(ZeroDivisionError) as caught:
        standing(1)
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][1:] == ["divide"]
