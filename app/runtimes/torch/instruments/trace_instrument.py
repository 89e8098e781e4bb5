"""Records the steps of a program's backward passes, the line of each node, and what its Functions saved. Runs in the child."""

from app.protocol.instrument_facts import TRACE
from app.protocol.records.saved import SavedTensor
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.recorder import RecordBudget
from app.runtimes.torch.tracing.failed_checks import CHECK, FailedChecks
from app.runtimes.torch.tracing.functions.function_calls import APPLY, BACKWARD, FunctionCalls
from app.runtimes.torch.tracing.functions.missing_paths import add_missing_paths
from app.runtimes.torch.tracing.functions.stored_tensor import box_id
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_passes import ENGINE, BackwardPasses
from app.runtimes.torch.tracing.program_trace import ProgramTrace
from app.runtimes.torch.tracing.record_budget import REPLAY_BYTES, SAVED_BYTES, shorten
from app.runtimes.torch.tracing.shown_warnings import SHOW, ShownWarnings
from app.runtimes.torch.tracing.traced_graphs import MAKE_DOT, TracedGraphs
from app.runtimes.torch.tracing.traced_program import TracedProgram


class TraceInstrument(Instrument):
    """Records the trace of a program. It is off by default: the page asks for a second run with it (docs/decisions/0047)."""

    facts = TRACE
    finished = TracedProgram()  # what was seen of the program that has ended

    def begin(self) -> None:
        self._lines = NodeLines(self.recorder.sources)
        self._passes = BackwardPasses(self.recorder.sources)
        self._calls = FunctionCalls(self.recorder.sources)
        self._graphs = TracedGraphs(self.recorder, self._passes)
        self._warnings = ShownWarnings(self.recorder.sources)
        self._checks = FailedChecks(self.recorder.sources)
        watched = {
            ENGINE: self._passes.begin,
            APPLY: self._calls.in_apply,
            BACKWARD: self._calls.in_backward,
            MAKE_DOT: self._graphs.in_make_dot,
            SHOW: self._warnings.in_show,
            CHECK: self._checks.in_check,
        }
        self._trace = ProgramTrace(self.recorder.sources, self._lines, watched, self._calls, self._passes)
        self._trace.start()

    def replayed(self) -> None:
        self._passes.forget()
        self._calls.forget()

    def finish(self, error: RunError | None) -> None:
        self._trace.stop()
        partial = self._trace.exhausted
        for fault in (*self._trace.faults, *self._passes.faults):
            self.recorder.record_fault(self.facts.name, fault)
        replays = list(self._passes.records())
        calls = list(self._calls.records())
        paths = add_missing_paths(self.recorder.sources, calls)
        saved: dict[str, dict[str, SavedTensor]] = {}
        for call, record, _ in calls:
            boxes = saved.setdefault(record.node or "", {})
            for stored, tensor in zip(call.stored, record.saved, strict=True):
                if stored.how != "closure":
                    boxes[box_id(record.node or "", stored.key)] = tensor
        self._graphs.show(self._lines, replays, saved, paths, partial=partial)
        for _, replay in replays:
            replay.partial = partial
        shorten([replay for _, replay in replays], REPLAY_BYTES)
        for one, replay in replays:
            self.recorder.show(replay, one.span)
        budget = RecordBudget(SAVED_BYTES)
        for call, record, is_seen in calls:
            record.partial = partial
            if is_seen and budget.admit(record):
                self.recorder.show(record, call.span)
        self.finished = TracedProgram(
            calls,
            self._passes.adding,
            self._warnings.shown,
            differentiates_twice=self._passes.has_second_order,
            checks=self._checks.failed,
        )
