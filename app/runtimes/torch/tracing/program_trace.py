"""The function that is given to sys.settrace: it reports what a program does to the other observers. Runs in the child.

Python calls it for every frame of the thread. It sees every instruction of the learner's own frames, the beginning and the end of the
watched frames of PyTorch, and nothing of all others.
"""

from collections.abc import Mapping
from types import CodeType, FrameType
from typing import Any

from torch.autograd import function

from app.runtimes.instruments.tracing.frame_trace import FrameTrace, WhenFrameBegins
from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.functions.function_calls import APPLY, FunctionCalls
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_passes import BackwardPasses

INSTRUCTIONS = 200_000  # the most instructions of the learner's code that are traced; afterwards lines are not known
FRAMES = 400_000  # the most frames that are seen; afterwards nothing is traced
DEPTH = 300  # how deep the learner's frames are traced: near the limit of recursion our own calls would count, too

_FUNCTIONS = function.__file__


class ProgramTrace(FrameTrace):
    """Traces the thread that starts it, and the learner's own frames as well as those of watched code."""

    def __init__(
        self,
        sources: Sources,
        lines: NodeLines,
        watched: Mapping[CodeType, WhenFrameBegins],
        calls: FunctionCalls | None = None,
        passes: BackwardPasses | None = None,
    ) -> None:
        super().__init__(watched)
        self._sources, self._lines = sources, lines
        self._function_calls, self._passes = calls, passes
        self._instructions = self._depth = 0

    def stop(self) -> None:
        self._lines.stop()
        super().stop()

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        self._frames += 1
        code = frame.f_code
        begin = self._watched.get(id(code))
        if begin is None and not code.co_filename.startswith("<") and self._frames <= FRAMES:
            return None  # as soon as possible: most frames are of libraries
        try:
            return self._enter(frame, begin)
        except Exception as error:  # the exception would otherwise be raised in the program
            self.fail(error)
            return None

    def _enter(self, frame: FrameType, begin: WhenFrameBegins | None) -> Any:
        if self._frames > FRAMES:
            self.exhausted = True
            self.stop()
        elif frame.f_code.co_filename in self._sources:
            if self._depth < DEPTH and self._instructions < INSTRUCTIONS:
                return self._enter_learner(frame)
            self.exhausted = True
        elif begin is not None:
            return self.watch(frame, begin)
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
            self.fail(error)
        return self._in_learner

    def _leave_learner(self, frame: FrameType, caller: FrameType | None, value: Any) -> None:
        if caller is None or caller.f_code.co_filename != _FUNCTIONS:
            return
        if caller.f_code is not APPLY:
            if self._passes is not None:
                self._passes.returned_from(frame)
        elif self._function_calls is not None:
            self._function_calls.leave(frame, caller, value)
