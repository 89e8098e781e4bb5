"""`GET /api/me/attempts`: a learner's submissions to an exercise and their verdicts, newest first."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from app.classroom.store.stored_work_types import StoredAttempt
from app.classroom.work import attempts
from app.grading.exercise_version import hash_exercise
from app.grading.submission_answer import CheckAnswer, MistakeAnswer, answer_submission
from app.lessons.model.exercise import Exercise
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.http.errors import BadField
from app.web.runs.order import find_exercise, find_lesson
from app.web.services import LangDep, LearnerDep, ServicesDep
from app.web.storing.stored_submissions import NO_RUN, verdicts

EXERCISE_WORDS = "An exercise, written `chapter/lesson/exercise`"

router = APIRouter(prefix="/api/me/attempts", tags=["What is kept about me"], route_class=LearnerRoute)


class AttemptAnswer(msgspec.Struct, kw_only=True):
    """A submission. `receipt` is the id of its receipt, `at` is its time in ISO 8601 (UTC), and `checks` are the visible checks.

    `total` is the number of checks that must pass, hidden ones included; `good` is how many of them passed. `imported` says that the
    submission came with an archive and was graded elsewhere. `version` is the hash of the exercise and the grader when it was graded, null
    if it is unknown. `current` says that this is still their version.
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
    version: str | None
    current: bool


class AttemptsAnswer(msgspec.Struct):
    """The submissions to an exercise, newest first."""

    attempts: list[AttemptAnswer]


@router.get(
    "",
    summary="What I submitted to an exercise",
    responses={**describe_answer(AttemptsAnswer, "The newest"), **describe_errors(403, 404, 422, 429, 503)},
)
@allow(OWN_WORK)
async def get_attempts(
    services: ServicesDep,
    learner: LearnerDep,
    lang: LangDep,
    exercise: Annotated[str, Query(description=EXERCISE_WORDS)] = "",
) -> Response:
    path, _, exercise_id = exercise.rpartition("/")
    if path.count("/") != 1 or not exercise_id:
        raise BadField("exercise", mark('an exercise, written "chapter/lesson/exercise"'))
    found_lesson = find_lesson(services.catalogue, path)
    found = find_exercise(found_lesson, exercise_id)
    newest = await services.database.read(attempts.list_attempts, learner, lesson=path, exercise=found.id)
    version = hash_exercise(found_lesson, found)
    return json_response(AttemptsAnswer([describe_attempt(found, version, attempt, lang) for attempt in newest]))


def describe_attempt(exercise: Exercise, version: str, attempt: StoredAttempt, lang: Lang) -> AttemptAnswer:
    """Return the answer for an attempt, in the present words of the exercise. A check that the exercise no longer has counts as hidden.

    `version` is the exercise's version today.
    """
    answer = answer_submission(exercise, verdicts.decode(attempt.verdict), NO_RUN, lang)
    return AttemptAnswer(
        receipt=attempt.receipt.id,
        at=attempt.receipt.at,
        source=attempt.source,
        passed=attempt.passed,
        good=attempt.good,
        total=attempt.total,
        mistake=answer.mistake,
        checks=answer.checks,
        imported=attempt.imported,
        version=attempt.version,
        current=attempt.version == version,
    )
