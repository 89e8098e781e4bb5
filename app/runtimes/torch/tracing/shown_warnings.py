"""The warnings that name a line of the program. Runs in the child."""

import warnings
from types import FrameType

from app.protocol.records.record import Span
from app.runtimes.positions import Sources

SHOW = warnings._showwarnmsg.__code__  # type: ignore[attr-defined]
_KINDS = (UserWarning, DeprecationWarning, FutureWarning)
_WARNINGS = 64  # the most warnings that are stored


class ShownWarnings:
    """The first warnings that name a line of the program: their messages and these lines."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.shown: list[tuple[str, Span]] = []

    def in_show(self, frame: FrameType) -> None:
        """Record a warning. This is called when the function begins that Python calls to show one."""
        warning = frame.f_locals["msg"]
        text = warning.message.args[0] if type(warning.message) in _KINDS and warning.message.args else None
        span = self._sources.span(warning.filename, warning.lineno, None, None, None)
        if type(text) is str and span is not None and len(self.shown) < _WARNINGS:
            self.shown.append((text, span))
