"""Examines the Functions that a program called, with the inputs it called them with. Runs in the child.

When everything else of the program has been recorded: nothing that a learner's method does here is seen.
"""

import time
from collections.abc import Iterable, Iterator

import torch

from app.probes.call import Call
from app.probes.examine import Examination, examine
from app.probes.observation import Observation
from app.protocol.records.examined import ExaminedRecord
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.torch.doctor.found import Found
from app.runtimes.torch.tracing.functions.traced_call import TracedCall

LONGEST_SECONDS = 3.0  # of all Functions
LONGEST_CALL_SECONDS = 0.25  # of a call that is made again many times
FUNCTIONS = 16


class Examined:
    """What was found in one Function."""

    def __init__(self, traced: TracedCall, examination: Examination, sources: Sources) -> None:
        self._traced, self._examination, self._sources = traced, examination, sources

    def found(self) -> Iterator[Found]:
        for observation in self._examination.observations:
            yield found_from(observation, self._sources)

    def record(self) -> ExaminedRecord:
        call = self._traced.record.call if self._traced.record.id else None
        return ExaminedRecord(
            function=self._traced.record.function, call=call, held=list(self._examination.held), failed=list(self._examination.failed)
        )


def found_from(observation: Observation, sources: Sources) -> Found:
    spans = {name: span for name, place in observation.places.items() if (span := sources.span(*place)) is not None}
    span = sources.span(*observation.place) if observation.place else None
    values = {name: plain(value, NAME_CHARACTERS) if isinstance(value, str) else value for name, value in observation.values.items()}
    return Found(observation.code, span, values, spans)


def examine_calls(calls: Iterable[TracedCall], sources: Sources) -> list[Examined]:
    """Examine each Function with its first call that can be made again."""
    examined, end = dict[object, Examined](), time.monotonic() + LONGEST_SECONDS
    texts = dict(sources.texts())
    for traced in calls:
        call = traced.call
        left = end - time.monotonic()
        if call.function in examined or call.arguments is None or call.seconds > LONGEST_CALL_SECONDS or len(examined) == FUNCTIONS:
            continue
        if left <= 0 or not is_only_thread():
            break
        with unseen(), torch.random.fork_rng(devices=[]):
            examination = examine(Call(call.function, call.arguments), texts.get, left)
            examined[call.function] = Examined(traced, examination, sources)
    return list(examined.values())
