"""Recorded results. If a runtime is not installed, a cell whose source is unchanged gets the result that its lesson has recorded."""

from collections.abc import AsyncIterator

import msgspec

from app.lessons.cells.recordings import RUN_ID, restore_result
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Recording
from app.locale.messages import mark, translator
from app.protocol.event_frame import EventFrame, frame_event
from app.protocol.run import Lang, Program, RecordedNote, RunOrder
from app.runner.client import RuntimeAbsence, RuntimeAbsent
from app.web.runs.run_request import RunRequest
from app.web.views.reference.what_works import RUNTIME_NAMES

MARK = mark("Recorded with {framework} {version}")
REMEDY = mark(
    "{framework} is not installed on this server. To run this cell, whoever runs the server adds it: make serve EXTRAS={extra}, or with "
    "Docker: EXTRAS={extra} docker compose up --build"
)


class RecordAtHand(RuntimeAbsent):
    """The runtime is not installed, and the lesson has a recorded result only of another source than the requested one."""


class KnownRun:
    """A stand-in for a run whose answer is known. Its only event is this answer."""

    def __init__(self, run_id: str, lang: Lang, answer: EventFrame) -> None:
        self.id, self.lang, self.answers_with = run_id, lang, answer.kind
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        yield self._answer

    def fail(self) -> None:
        """Do nothing: nothing is run."""


def find_recorded(request: RunRequest, order: RunOrder, catalogue: Catalogue, absence: RuntimeAbsence) -> KnownRun | None:
    """Return the recorded result of the cell, or None if there is none. Raises RecordAtHand if it is of another source."""
    lesson = catalogue.lesson(request.lesson) if request.lesson else None
    cell = lesson.cell(request.cell) if lesson and request.cell else None
    if lesson is None or cell is None or cell.id not in lesson.recordings or order.runtime != cell.runtime:
        return None
    given = catalogue.program(lesson, cell.id, cell.source, threads=order.program.threads)
    if not _is_same(order.program, given):
        raise RecordAtHand(absence)
    recording = lesson.recordings[cell.id]
    result = restore_result(recording, order.lang, _describe(recording, absence, order.lang))
    return KnownRun(RUN_ID, result.lang, frame_event(result))


def _is_same(program: Program, given: Program) -> bool:
    """Return whether two programs are equal, apart from their seeds and from newlines at the ends of their sources.

    The editor removes the newline at the end of a text.
    """

    def strip(one: Program) -> Program:
        sources = [msgspec.structs.replace(source, text=source.text.rstrip("\n")) for source in (*one.replay, one.source)]
        return msgspec.structs.replace(one, replay=sources[:-1], source=sources[-1], seed=0)

    return strip(program) == strip(given)


def _describe(recording: Recording, absence: RuntimeAbsence, lang: Lang) -> RecordedNote:
    translate, framework = translator(lang), RUNTIME_NAMES[recording.runtime]
    return RecordedNote(
        mark=translate(MARK).format(framework=framework, version=recording.version),
        remedy=translate(REMEDY).format(framework=framework, extra=absence.extra),
    )
