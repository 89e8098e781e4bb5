"""Says what is wrong with the Functions of a program, and what the probes tried. Runs in the child."""

from app.protocol.instrument_facts import DOCTOR
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.recorder import Recorder
from app.runtimes.torch.doctor.diagnosing import merge, soften
from app.runtimes.torch.doctor.from_probes import examine_functions
from app.runtimes.torch.doctor.from_source import find_in_sources
from app.runtimes.torch.doctor.from_trace import find_in_trace
from app.runtimes.torch.doctor.locating import locate_all
from app.runtimes.torch.instruments.trace_instrument import TraceInstrument


class DoctorInstrument(Instrument):
    """Off by default: it is on in the second run of a program, docs/decisions/0050. What it knows of calls, `trace` has seen."""

    facts = DOCTOR

    def __init__(self, recorder: Recorder, trace: TraceInstrument) -> None:
        super().__init__(recorder)
        self._trace = trace

    def finish(self) -> None:
        sources, program = self.recorder.sources, self._trace.take()
        found = [*find_in_sources(sources), *find_in_trace(program, sources)]
        examined = examine_functions(program.calls, sources)
        for each in examined:
            found += each.found()
        mistakes = merge(found)
        locate_all(mistakes, sources)
        soften(mistakes, program.differentiated_twice)
        for mistake in mistakes:
            self.recorder.show(mistake.record(), mistake.span)
        for each in examined:
            self.recorder.show(each.record(), None)
