"""`POST /api/me/work`: accepts a browser's report of work that the server did not see or could not store.

The browser decides nothing: the server judges reported predictions itself, and a report cannot say that an exercise was passed.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from app.classroom.store.stored_work_types import ReportedPrediction, ReportedWork
from app.classroom.store.times import now_ms
from app.classroom.work.reported_work import record_work
from app.lessons.model.model import Lesson
from app.lessons.predictions.prediction_answer import WrongForm, is_right, read_answer
from app.locale.messages import mark
from app.web.api.predict import PredictedAnswer
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_errors, describe_nothing
from app.web.http.errors import BadField
from app.web.runs.order import find_lesson
from app.web.runs.run_request import CellId, LessonPath, ReaderLang, StrictBody
from app.web.services import PrincipalDep, ServicesDep
from app.web.storing.stored_predictions import hash_question, render_answer

MOST_PARTS = 64  # cells, predictions or exercises of a lesson
CELLS_WORDS = mark("a list of cells of the lesson")
PREDICTIONS_WORDS = mark("an object that maps predictions of the lesson to an answer each, in the form that the question asks for, or null")
HINTS_WORDS = mark("an object that maps exercises of the lesson to the number of their hints that were read")
Hints = Annotated[int, Field(ge=0, le=100)]

router = APIRouter(prefix="/api/me/work", tags=["What is kept about me"], route_class=LearnerRoute)


class PredictionReport(StrictBody):
    """An answer to a prediction, or null if the learner asked to see the answer. `lang` is accepted and ignored."""

    answer: PredictedAnswer = Field(description=PREDICTIONS_WORDS)
    lang: ReaderLang = None


class WorkReport(StrictBody):
    """Work in a lesson: cells that ran as the lesson declares, answers to predictions, and the number of hints read for each exercise."""

    most = {"cells": MOST_PARTS, "predictions": MOST_PARTS, "hints": MOST_PARTS}

    lesson: LessonPath = Field(description=mark('a lesson, written "chapter/lesson"'))
    cells: list[CellId] = Field([], max_length=MOST_PARTS, description=CELLS_WORDS)
    predictions: dict[CellId, PredictionReport] = Field({}, max_length=MOST_PARTS, description=PREDICTIONS_WORDS)
    hints: dict[CellId, Hints] = Field({}, max_length=MOST_PARTS, description=HINTS_WORDS)
    lang: ReaderLang = None


@router.post(
    "",
    status_code=204,
    summary="Report what was done in a lesson",
    description="It is added to what is kept, in any order and as often as you like: it removes nothing that is kept.",
    responses={**describe_nothing("It is kept"), **describe_errors(403, 404, 413, 415, 422, 429, 503)},
)
@allow(OWN_WORK)
async def post_work(request: Request, body: WorkReport, services: ServicesDep, principal: PrincipalDep) -> Response:
    request.state.lang = body.lang
    lesson = find_lesson(services.catalogue, body.lesson)
    reported = check_report(lesson, body)
    await services.store.write(principal, record_work, lesson=lesson.path, reported=reported, now_ms=now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})


def check_report(lesson: Lesson, body: WorkReport) -> ReportedWork:
    """Turn a report into the records to store. Raises BadField for names that the lesson does not have."""
    require_known("cells", body.cells, (cell.id for cell in lesson.cells), CELLS_WORDS)
    hints = {exercise.id: len(next(iter(exercise.texts.values())).hints) for exercise in lesson.exercises}
    require_known("hints", body.hints, hints, HINTS_WORDS)
    return ReportedWork(
        cells=sorted(set(body.cells)),
        predictions=judge_reported(lesson, body.predictions),
        hints={name: min(read, hints[name]) for name, read in body.hints.items()},
    )


def judge_reported(lesson: Lesson, reports: Mapping[str, PredictionReport]) -> dict[str, ReportedPrediction]:
    """Judge the answers again, because a browser may not decide whether they are right."""
    judged = {}
    require_known("predictions", reports, (prediction.id for prediction in lesson.predictions), PREDICTIONS_WORDS)
    for prediction in lesson.predictions:
        if prediction.id not in reports:
            continue
        given = reports[prediction.id].answer
        try:
            answer = None if given is None else read_answer(prediction, given)
        except WrongForm:
            raise BadField("predictions", PREDICTIONS_WORDS) from None
        right = None if answer is None else is_right(prediction, answer)
        judged[prediction.id] = ReportedPrediction(about=hash_question(lesson, prediction), answer=render_answer(answer), right=right)
    return judged


def require_known(field: str, names: Iterable[str], known: Iterable[str], expected: str) -> None:
    if not set(names) <= set(known):
        raise BadField(field, expected)
