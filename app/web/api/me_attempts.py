"""`GET /api/me/attempts`: what a learner submitted to an exercise, and what came of it, newest first."""

from functools import partial
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from app.classroom.store.stored_work_types import StoredAttempt
from app.classroom.work import attempts
from app.grading.submission_answer import CheckAnswer, MistakeAnswer, answer_submission
from app.lessons.model.exercise import Exercise
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.api.rated_route import LearnerRoute
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.http.errors import BadField
from app.web.runs.lesson_parts import find_exercise, find_lesson
from app.web.services import LangDep, LearnerDep, ServicesDep
from app.web.storing.stored_submissions import NO_RUN, verdicts

EXERCISE_WORDS = "An exercise, written `chapter/lesson/exercise`"

router = APIRouter(prefix="/api/me/attempts", tags=["What is kept about me"], route_class=LearnerRoute)


class AttemptAnswer(msgspec.Struct, kw_only=True):
    """One submission: `receipt` is its receipt's id, `at` ISO 8601 in UTC. `good` of the `total` checks that count were passed, hidden ones
    with them. `checks` are the visible ones. `imported`: it came with an export, and was graded wherever that was made.
    """

    receipt: str
    at: str
    source: str
    passed: bool
    good: int
    total: int
    mistake: MistakeAnswer | None
    checks: list[CheckAnswer]
    imported: bool


class AttemptsAnswer(msgspec.Struct):
    """What was submitted to an exercise, newest first."""

    attempts: list[AttemptAnswer]


@router.get(
    "",
    summary="What I submitted to an exercise",
    responses={**describe_answer(AttemptsAnswer, "The newest"), **describe_errors(403, 404, 422, 429, 503)},
)
async def get_attempts(
    services: ServicesDep,
    learner: LearnerDep,
    lang: LangDep,
    exercise: Annotated[str, Query(description=EXERCISE_WORDS)] = "",
) -> Response:
    path, _, exercise_id = exercise.rpartition("/")
    if path.count("/") != 1 or not exercise_id:
        raise BadField("exercise", mark('an exercise, written "chapter/lesson/exercise"'))
    found = find_exercise(find_lesson(services.catalogue, path), exercise_id)
    kept = await services.database.read(partial(attempts.list_attempts, learner=learner, lesson=path, exercise=found.id))
    return json_response(AttemptsAnswer([tell_attempt(found, one, lang) for one in kept]))


def tell_attempt(exercise: Exercise, kept: StoredAttempt, lang: Lang) -> AttemptAnswer:
    """An attempt in words of today's exercise: a check that is not in it any more counts as hidden."""
    told = answer_submission(exercise, verdicts.decode(kept.verdict), NO_RUN, lang)
    return AttemptAnswer(
        receipt=kept.receipt.id,
        at=kept.receipt.at,
        source=kept.source,
        passed=kept.passed,
        good=kept.good,
        total=kept.total,
        mistake=told.mistake,
        checks=told.checks,
        imported=kept.imported,
    )
