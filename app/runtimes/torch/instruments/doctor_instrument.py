"""Records what is wrong with the Functions of a program, and what the probes tested. Runs in the child."""

from collections.abc import Iterator

from app.pitfalls.syntax.source_rules import find_in_source
from app.protocol.instrument_facts import DOCTOR
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.positions import Sources
from app.runtimes.recorder import Recorder
from app.runtimes.torch.doctor.diagnosing import acknowledge, is_known, merge, soften, without_consequences
from app.runtimes.torch.doctor.found import Found
from app.runtimes.torch.doctor.from_checks import find_in_checks
from app.runtimes.torch.doctor.from_error import find_in_error
from app.runtimes.torch.doctor.from_probes import examine_functions
from app.runtimes.torch.doctor.from_trace import find_in_trace
from app.runtimes.torch.doctor.locating import locate_all
from app.runtimes.torch.instruments.trace_instrument import TraceInstrument
from app.runtimes.torch.tracing.traced_program import TracedProgram


class DoctorInstrument(Instrument):
    """Records diagnoses. It is off by default and on in the second run of a program (docs/decisions/0050).

    It uses the calls that `trace` saw.
    """

    facts = DOCTOR

    def __init__(self, recorder: Recorder, trace: TraceInstrument) -> None:
        super().__init__(recorder)
        self._trace = trace

    def finish(self, error: RunError | None) -> None:
        sources, program = self.recorder.sources, self._trace.finished
        self._trace.finished = TracedProgram()  # a later program, whose trace may fail, must not be given this one's
        found = [*find_in_sources(sources), *find_in_trace(program, sources)]
        probed, examined = examine_functions(program.calls, sources)
        found += probed
        found += [each for each in find_in_checks(program.checks, found) if not is_known(each, found)]
        if error is not None:
            found += [each for each in find_in_error(error, program, sources) if not is_known(each, found)]
        mistakes = merge(found)
        locate_all(mistakes, sources)
        mistakes = without_consequences(merge(mistakes))  # some are the same as another only now that they have a line
        soften(mistakes, {each.record.function for each in program.calls if each.call.backward_recorded})
        acknowledge(mistakes, sources)
        for mistake in mistakes:
            self.recorder.show(mistake.record(), mistake.span)
        for record in examined:
            self.recorder.show(record, None)


def find_in_sources(sources: Sources) -> Iterator[Found]:
    """Yield what the rules find in each source, the program's own first."""
    for filename, text in sources.texts():
        for finding in find_in_source(text):
            places = {name: span for name, place in finding.places.items() if (span := sources.span(filename, *place)) is not None}
            yield Found(finding.code, sources.span(filename, *finding.place), finding.values, places)
