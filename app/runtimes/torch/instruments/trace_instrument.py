"""Watches a program closely: the steps of its backward passes, the line of each node, what its Functions saved. Runs in the child."""

from app.protocol.instrument_facts import TRACE
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.recorder import Recorder
from app.runtimes.torch.tracing.backward_passes import ENGINE, BackwardPasses
from app.runtimes.torch.tracing.function_calls import APPLY, BACKWARD, FunctionCalls, box_id
from app.runtimes.torch.tracing.missing_paths import add_missing_paths
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.program_trace import ProgramTrace
from app.runtimes.torch.tracing.traced_graph import MAKE_DOT, TracedGraphs, add_missing_edges


class TraceInstrument(Instrument):
    """Off by default: the page asks for a second run of a program with it, docs/decisions/0047."""

    facts = TRACE

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._trace: ProgramTrace | None = None

    def begin(self) -> None:
        self._lines = NodeLines(self.recorder.sources)
        self._passes = BackwardPasses(self.recorder.sources)
        self._calls = FunctionCalls(self.recorder.sources)
        self._graphs = TracedGraphs(self.recorder.sources)
        watched = {
            ENGINE: self._passes.begin,
            APPLY: self._calls.in_apply,
            BACKWARD: self._calls.in_backward,
            MAKE_DOT: self._graphs.in_make_dot,
        }
        self._trace = ProgramTrace(self.recorder.sources, self._lines, watched, self._calls, self._passes)
        self._trace.start()

    def replayed(self) -> None:
        self._passes.forget()
        self._graphs.forget()
        self._calls.forget()

    def finish(self) -> None:
        if self._trace is None:
            return
        self._trace.stop()
        for error in self._trace.faults:
            self.recorder.record_fault(self.facts.name, error)
        for record, span in self._passes.records():
            self.recorder.show(record, span)
        calls = list(self._calls.records())
        paths = add_missing_paths(self.recorder.sources, calls)
        saved_tensors = {
            box_id(record.node or "", stored.key): saved
            for call, record, _ in calls
            for stored, saved in zip(call.stored, record.saved, strict=True)
            if saved.how != "closure"
        }
        for number, graph in enumerate(self._graphs.graphs, 1):
            traced = graph.record(number, self._lines, self._passes, saved_tensors)
            add_missing_edges(traced, paths)
            self.recorder.show(traced, graph.span)
        for call, saved, is_seen in calls:
            if is_seen:
                self.recorder.show(saved, call.span)
        self._trace = None
