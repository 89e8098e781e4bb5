"""Watches a program closely: the steps of its backward passes, the line of each node, what its Functions saved. Runs in the child."""

from app.protocol.instrument_facts import TRACE
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.recorder import Recorder
from app.runtimes.torch.tracing.backward_passes import BackwardPasses
from app.runtimes.torch.tracing.function_calls import FunctionCalls
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.program_trace import ProgramTrace


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
        self._trace = ProgramTrace(self.recorder.sources, self._lines, self._passes, self._calls)
        self._trace.start()

    def finish(self) -> None:
        if self._trace is None:
            return
        self._trace.stop()
        for error in self._trace.faults:
            self.recorder.record_fault(self.facts.name, error)
        for record, span in self._passes.records():
            self.recorder.show(record, span)
        for call, saved in self._calls.records():
            self.recorder.show(saved, call.span)
        self._trace = None
