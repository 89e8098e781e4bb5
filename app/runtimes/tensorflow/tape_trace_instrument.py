"""Records for each call of GradientTape.gradient which operations the tape had recorded for its target. Runs in the child."""

from app.protocol.instrument_facts import TRACE
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.instruments.tracing.frame_trace import FrameTrace
from app.runtimes.instruments.tracing.pass_graphs import PassGraphs
from app.runtimes.tensorflow.tapes import Tapes


class TapeTraceInstrument(Instrument):
    """Records tapes. It is off by default: the page asks for a second run of a program with it (docs/decisions/0047)."""

    facts = TRACE
    _trace: FrameTrace

    def begin(self) -> None:
        self._graphs = PassGraphs(self.recorder, "GradientTape.gradient")
        self._tapes = Tapes(self.recorder.sources, self._graphs, lambda error: self._trace.fail(error))
        self._trace = FrameTrace(self._tapes.watched)
        self._tapes.start()
        self._trace.start()

    def replayed(self) -> None:
        self._graphs.forget()

    def finish(self, error: RunError | None) -> None:
        self._trace.stop()
        self._tapes.stop()
        for fault in self._trace.faults:
            self.recorder.record_fault(self.facts.name, fault)
        self._graphs.show(partial=self._trace.exhausted or self._tapes.exhausted)
