"""The results of tracing a program, which the doctor uses. Runs in the child."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

from app.protocol.records.record import Span
from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.functions.function_calls import TracedCall
from app.runtimes.torch.tracing.traced_checks import FailedCheck

SHOW = warnings._showwarnmsg.__code__  # type: ignore[attr-defined]
_KINDS = (UserWarning, DeprecationWarning, FutureWarning)
_MOST = 64


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
        if type(text) is str and span is not None and len(self.shown) < _MOST:
            self.shown.append((text, span))


@dataclass(frozen=True)
class TracedProgram:
    """What was seen of a program. `adding`: where passes were called that add to the gradients of an earlier step.

    `differentiates_twice`: whether a pass went through what a pass with create_graph had recorded. `checks`: the calls of gradcheck that
    failed.
    """

    calls: Sequence[TracedCall] = ()
    adding: Sequence[Span] = ()
    warnings: Sequence[tuple[str, Span]] = ()
    differentiates_twice: bool = False
    checks: Sequence[FailedCheck] = ()
