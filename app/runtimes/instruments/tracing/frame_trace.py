"""Calls functions when frames of certain code of a framework begin and end. Runs in the child.

Nothing of the framework is replaced, so a learner's traceback shows no frame of Gradroom.
"""

import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any

FRAMES = 1_000_000  # the most frames that are seen; afterwards nothing is traced

WhenFrameEnds = Callable[[FrameType, Any, bool], None]  # receives what the frame returned, and whether it raised instead
WhenFrameBegins = Callable[[FrameType], WhenFrameEnds | None]


class FrameTrace:
    """Traces the thread that starts it.

    `watched` maps code objects to functions. Such a function is called when a frame of the code begins, and may return another function,
    which is called when the frame ends. `exhausted`: not the whole program was seen, because a bound was reached or the program traces
    itself.
    """

    def __init__(self, watched: Mapping[CodeType, WhenFrameBegins]) -> None:
        # keyed by id, because hashing a code takes long; these codes are never freed
        self._watched = {id(code): begin for code, begin in watched.items()}
        self._frames = 0
        self.exhausted = False
        self.faults: list[Exception] = []

    def start(self) -> None:
        sys.settrace(self._on_call)

    def stop(self) -> None:
        """Remove the trace function, unless the program has replaced it by one of its own."""
        if sys.gettrace() == self._on_call:
            sys.settrace(None)
        else:
            self.exhausted = True

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        self._frames += 1
        begin = self._watched.get(id(frame.f_code))
        if begin is not None:
            return self.watch(frame, begin)
        if self._frames > FRAMES:
            self.exhausted = True
            self.stop()
        return None

    def watch(self, frame: FrameType, begin: WhenFrameBegins) -> "WatchedFrame | None":
        """Call `begin`, and return the trace function of the frame, which calls what `begin` has returned."""
        frame.f_trace_lines = False
        try:
            end = begin(frame)
        except Exception as error:  # the exception would otherwise be raised in the program
            self.fail(error)
            return None
        return None if end is None else WatchedFrame(end, self.fail)

    def fail(self, error: Exception) -> None:
        """Stop tracing. An error near the limit of recursion or memory is expected; any other is recorded as a fault of Gradroom."""
        self.exhausted = True
        self.stop()
        if not isinstance(error, RecursionError | MemoryError):
            self.faults.append(error)


class WatchedFrame:
    """The trace function of one frame.

    It is no closure: a function that returns itself would be a cycle that keeps what `end` refers to alive.
    """

    def __init__(self, end: WhenFrameEnds, fail: Callable[[Exception], None]) -> None:
        self._end, self._fail = end, fail
        self._raised = False

    def __call__(self, frame: FrameType, event: str, arg: Any) -> "WatchedFrame":
        self._raised = self._raised or event == "exception"
        if event == "return":
            try:
                self._end(frame, arg, self._raised)
            except Exception as error:
                self._fail(error)
        return self
