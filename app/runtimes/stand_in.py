"""Replaces a library's function by one that does not appear in tracebacks. Installed in the zygote, called in the child."""

import functools
from collections.abc import Callable
from typing import Any

Call = Callable[..., Any]


def stand_in(original: Call, observer: Call) -> Call:
    """Return a function that returns `observer(original, *args, **kwargs)` and otherwise looks like `original`.

    The observer must call `original` itself, not through another function. If `original` raises, the traceback then begins with two frames
    of Gradroom, which are removed. The bare `raise` adds no frame, because RERAISE keeps the exception's traceback.
    """

    @functools.wraps(original)
    def standing_in(*args: Any, **kwargs: Any) -> Any:
        try:
            return observer(original, *args, **kwargs)
        except BaseException as error:
            trace = error.__traceback__
            for _ in range(2):
                trace = trace.tb_next if trace is not None else None
            error.__traceback__ = trace
            raise

    return standing_in
