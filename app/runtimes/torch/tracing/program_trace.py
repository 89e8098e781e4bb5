"""The one function that is given to sys.settrace: passes on what a program does. Runs in the child.

It is called for every Python frame of the thread. In the learner's own frames it sees every instruction, in those of PyTorch that are
watched their beginning and their end, in all others nothing.
"""

import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any

from torch.autograd import function

from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.functions.function_calls import APPLY, FunctionCalls
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_passes import BackwardPasses

INSTRUCTIONS = 200_000  # of the learner's that are traced; then lines are no longer known
CALLS = 400_000  # of Python functions that are seen; then nothing is
DEPTH = 300  # of the learner's frames: near the limit of recursion our own calls would count, too

FrameEnd = Callable[[FrameType, Any, bool], None]  # is given what the frame returned, and whether it raised instead
FrameBegin = Callable[[FrameType], FrameEnd | None]

_FUNCTIONS = function.__file__


class ProgramTrace:
    """Traces the thread that starts it.

    `watched` maps code objects to functions. One is called when a frame of its code begins, and may return another, which is called when
    the frame ends. `exhausted`: it has not seen all of the program, because a bound was reached or the program traces itself.
    """

    def __init__(
        self,
        sources: Sources,
        lines: NodeLines,
        watched: Mapping[CodeType, FrameBegin],
        calls: FunctionCalls | None = None,
        passes: BackwardPasses | None = None,
    ) -> None:
        self._sources, self._lines = sources, lines
        self._watched = {id(code): begin for code, begin in watched.items()}  # these codes are never freed; and to hash one takes long
        self._function_calls, self._passes = calls, passes
        self._instructions = self._calls = self._depth = 0
        self.exhausted = False
        self.faults: list[Exception] = []

    def start(self) -> None:
        sys.settrace(self._on_call)

    def stop(self) -> None:
        """Remove the trace function, unless the program has replaced it by one of its own."""
        self._lines.stop()
        if sys.gettrace() == self._on_call:
            sys.settrace(None)
        else:
            self.exhausted = True

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        self._calls += 1
        code = frame.f_code
        begin = self._watched.get(id(code))
        if begin is None and not code.co_filename.startswith("<") and self._calls <= CALLS:
            return None  # as soon as possible: most frames are of libraries
        try:
            return self._enter(frame, begin)
        except Exception as error:  # which would otherwise be raised in the program
            self._fail(error)
            return None

    def _enter(self, frame: FrameType, begin: FrameBegin | None) -> Any:
        if self._calls > CALLS:
            self.exhausted = True
            self.stop()
        elif frame.f_code.co_filename in self._sources:
            if self._depth < DEPTH and self._instructions < INSTRUCTIONS:
                return self._enter_learner(frame)
            self.exhausted = True
        elif begin is not None:
            frame.f_trace_lines = False
            return self._watch(frame, begin(frame))
        return None

    def _enter_learner(self, frame: FrameType) -> Any:
        self._depth += 1
        self._lines.flush()
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        caller = frame.f_back
        if self._function_calls is not None and caller is not None and caller.f_code is APPLY:
            self._function_calls.enter(caller, self._sources.caller_of(caller))
        return self._in_learner

    def _in_learner(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            if event == "opcode":
                self._instructions += 1
                if self._instructions < INSTRUCTIONS:
                    self._lines.step(frame.f_code, frame.f_lasti)
                else:
                    frame.f_trace_opcodes = False
                    self._lines.stop()
            elif event == "return":
                self._depth -= 1
                self._lines.leave(frame)
                self._leave_learner(frame, frame.f_back, arg)
        except Exception as error:
            self._fail(error)
        return self._in_learner

    def _leave_learner(self, frame: FrameType, caller: FrameType | None, value: Any) -> None:
        if caller is None or caller.f_code.co_filename != _FUNCTIONS:
            return
        if caller.f_code is not APPLY:
            if self._passes is not None:
                self._passes.returned_from(frame)
        elif self._function_calls is not None:
            self._function_calls.leave(frame, caller, value)

    def _watch(self, frame: FrameType, end: FrameEnd | None) -> Any:
        if end is None:
            return None

        raised = False

        def in_watched(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal raised
            try:
                raised = raised or event == "exception"
                if event == "return":
                    end(frame, arg, raised)
            except Exception as error:
                self._fail(error)
            return in_watched

        return in_watched

    def _fail(self, error: Exception) -> None:
        """Stop. Near the limit of recursion, or of memory, there is no room for our own calls; any other error is a fault of ours."""
        self.exhausted = True
        self.stop()
        if not isinstance(error, RecursionError | MemoryError):
            self.faults.append(error)
