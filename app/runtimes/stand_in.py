"""Stand in for a library's function without being seen in tracebacks. Installed in the zygote, called in the child."""

import functools
from collections.abc import Callable
from typing import Any

Call = Callable[..., Any]


def stand_in(original: Call, observer: Call) -> Call:
    """A function that answers `observer(original, *args, **kwargs)` and otherwise looks like `original`.

    The observer must call `original` from its own frame. A learner's traceback then reads as it would without us: the two frames
    that would be ours are taken out, and a bare `raise` adds none (RERAISE keeps the traceback that the exception has).
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
