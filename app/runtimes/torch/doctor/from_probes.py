"""Probes the Functions that a program called, with the inputs of these calls. Runs in the child.

This happens after everything else of the program has been recorded, so what a learner's method does here is not shown.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from types import CodeType

import torch

from app.probes.calls.guessing import guess_call
from app.probes.calls.prepared_call import ApplyCall
from app.probes.examine import ProbeReport, examine
from app.probes.observation import Observation
from app.protocol.records.examined import PROPERTIES, ExaminedRecord
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.torch.doctor.found import Found
from app.runtimes.torch.tracing.functions.function_call import true_name
from app.runtimes.torch.tracing.functions.function_calls import TracedCall

LONGEST_SECONDS = 3.0  # processor time for all Functions
LONGEST_WAIT_SECONDS = 6.0  # elapsed time for all Functions, on a busy machine
LONGEST_CALL_SECONDS = 0.25  # the longest call that is repeated, because it is repeated many times
FUNCTIONS = 16


def examined_record(function: type, call: str | None, report: ProbeReport) -> ExaminedRecord:
    """Return the record of what was tested. `call`: the id of the call that was repeated; None if no record shows it."""
    return ExaminedRecord(
        function=plain(true_name(function), NAME_CHARACTERS),
        call=call,
        held=[each for each in PROPERTIES if each in report.held],
        failed=[each for each in PROPERTIES if each not in report.held and not any(one.startswith(each) for one in report.not_judged)],
    )


def found_from(observation: Observation, sources: Sources) -> Found:
    spans = {name: span for name, place in observation.places.items() if (span := sources.span(*place)) is not None}
    span = sources.span(*observation.place) if observation.place else None
    values = {name: plain(value, NAME_CHARACTERS) if isinstance(value, str) else value for name, value in observation.values.items()}
    return Found(observation.code, span, values, spans)


def examine_functions(calls: Sequence[TracedCall], sources: Sources) -> tuple[list[Found], list[ExaminedRecord]]:
    """Probe each Function with its first call that can be repeated, or with guessed arguments if the program never called it.

    Return what was found, and a record for each Function.
    """
    found, examined = list[Found](), list[ExaminedRecord]()
    end = time.process_time() + LONGEST_SECONDS, time.monotonic() + LONGEST_WAIT_SECONDS
    read_source = dict(sources.texts()).get
    called = {traced.call.function for traced in calls}
    repeatable = [traced for traced in calls if traced.call.arguments is not None and traced.call.seconds <= LONGEST_CALL_SECONDS]
    shown = {traced.call.function: traced for traced in reversed(repeatable)}
    for function in dict.fromkeys((*shown, *(each for each in defined_functions(sources) if each not in called))):
        left = min(end[0] - time.process_time(), end[1] - time.monotonic())
        if left <= 0 or len(examined) == FUNCTIONS or not is_only_thread():
            break
        traced, report = shown.get(function), None
        with unseen(), torch.random.fork_rng(devices=[]):
            call = guess_call(function) if traced is None else ApplyCall(function, traced.call.arguments or ())
            if call is not None:
                report = examine(call, read_source, left)
        if report is not None:
            found += [found_from(observation, sources) for observation in report.observations]
            examined.append(examined_record(function, traced.record.call if traced and traced.record.id else None, report))
    return found, examined


def defined_functions(sources: Sources) -> Iterator[type[torch.autograd.Function]]:
    """Yield the Functions in the program's module whose `backward` the learner wrote."""
    for each in list(vars(sys.modules["__main__"]).values()):
        if isinstance(each, type) and issubclass(each, torch.autograd.Function):
            code = getattr(getattr(each.__dict__.get("backward"), "__func__", None), "__code__", None)
            if isinstance(code, CodeType) and code.co_filename in sources:
                yield each
