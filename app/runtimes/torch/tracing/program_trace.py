"""The one function that is given to sys.settrace: passes on what a program does. Runs in the child.

It is called for every Python frame of the thread. In the learner's own it sees every instruction, in the engine's its beginning and end,
in all others nothing.
"""

import sys
from types import FrameType
from typing import Any

import torch
from torch.autograd import function
from torch.autograd.graph import _engine_run_backward

from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.backward_passes import BackwardPasses
from app.runtimes.torch.tracing.function_calls import APPLY, FunctionCalls
from app.runtimes.torch.tracing.node_lines import NodeLines

INSTRUCTIONS = 200_000  # of the learner's that are traced; then lines are no longer known
CALLS = 400_000  # of Python functions that are seen; then nothing is
DEPTH = 300  # of the learner's frames: near the limit of recursion our own calls would count, too

_ENGINE = _engine_run_backward.__code__
_BACKWARD = function.BackwardCFunction.apply.__code__
_FUNCTIONS = function.__file__


class ProgramTrace:
    """Traces the thread that starts it. `exhausted`: a bound was reached, and what followed is not known."""

    def __init__(self, sources: Sources, lines: NodeLines, passes: BackwardPasses, calls: FunctionCalls) -> None:
        self._sources, self._lines, self._passes, self._functions = sources, lines, passes, calls
        self._instructions = self._calls = self._depth = 0
        self.exhausted = False
        self.faults: list[Exception] = []

    def start(self) -> None:
        sys.settrace(self._on_call)

    def stop(self) -> None:
        """End it, unless the program has set a trace function of its own in its place."""
        self._lines.stop()
        if sys.gettrace() == self._on_call:
            sys.settrace(None)

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            return self._enter(frame)
        except Exception as error:  # which would otherwise be raised in the program
            self._fail(error)
            return None

    def _enter(self, frame: FrameType) -> Any:
        self._calls += 1
        if self._calls > CALLS:
            self.exhausted = True
            self.stop()
        elif frame.f_code.co_filename in self._sources:
            if self._depth < DEPTH and self._instructions < INSTRUCTIONS:
                self._depth += 1
                self._lines.flush()
                frame.f_trace_lines, frame.f_trace_opcodes = False, True
                if (caller := frame.f_back) is not None and caller.f_code is APPLY:
                    self._functions.enter(caller, self._sources.caller_of(caller))
                return self._in_learner
            self.exhausted = True
        elif frame.f_code is APPLY:
            frame.f_trace_lines = False
            return self._in_apply
        elif frame.f_code is _BACKWARD:
            self._functions.backward_runs(frame.f_locals.get("self"))
        elif frame.f_code is _ENGINE:
            frame.f_trace_lines = False
            return self._passes.begin(frame, self._sources.caller())
        return None

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
                caller = frame.f_back
                if caller is not None and caller.f_code is APPLY:
                    self._functions.leave(frame, caller, arg)
                elif caller is not None and caller.f_code.co_filename == _FUNCTIONS:
                    self._passes.returned_from(frame)
        except Exception as error:
            self._fail(error)
        return self._in_learner

    def _in_apply(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "return":
            self._functions.finish(frame)
        return self._in_apply

    def _fail(self, error: Exception) -> None:
        """Stop: a program near the limit of recursion leaves no room for us; whatever else it is, is a fault of ours."""
        self.exhausted = True
        self.stop()
        if not isinstance(error, RecursionError | MemoryError):
            self.faults.append(error)
