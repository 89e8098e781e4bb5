"""`/api/classes/{class_id}/members/{member_id}`: a teacher reads a member's work, announces help, lowers the hand, and writes notes.

The work is answered in the present words of the exercise.
"""

from html import unescape
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from app.classroom.classes import hands, notes
from app.classroom.classes.board.member_work import MemberWork, WrittenNote, read_member_work
from app.classroom.classes.board.source_difference import compare_lines
from app.classroom.store.stored_work_types import StoredPrediction
from app.classroom.store.times import format_time, now_ms
from app.grading.exercise_version import hash_exercise
from app.grading.submission_answer import HiddenAnswer, answer_submission
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.api.me.attempts import AttemptAnswer, describe_attempt
from app.web.api.rated_route import LearnerRoute
from app.web.classes.board_words import TAG
from app.web.guards.access import TEACHING, allow
from app.web.http.answer import describe_answer, describe_errors, describe_nothing, json_response
from app.web.pages.teaching.opened_class import OpenedDep, change_class_rows, check_id
from app.web.runs.run_request import StrictBody
from app.web.services import LangDep, PersonDep, ServicesDep
from app.web.storing.stored_predictions import EncodedAnswer, hash_question, stored_answers
from app.web.storing.stored_submissions import NO_RUN, verdicts

PLACE_WORDS = "A lesson, written `chapter/lesson`, or an exercise of it, written `chapter/lesson/exercise`"
MOST_CHARACTERS = 2000
MOST_LINE = 65_536

router = APIRouter(prefix="/api/classes", tags=["Classes"], route_class=LearnerRoute)


class NoteBody(StrictBody):
    """A note at a line of an attempt."""

    line: int = Field(ge=1, le=MOST_LINE, description=mark("the number of a line of the attempt, from 1"))
    text: str = Field(min_length=1, max_length=MOST_CHARACTERS, description=mark("a text of 1 to 2000 characters"))


class NoteAnswer(msgspec.Struct):
    """The id of a note that was stored."""

    id: int


class MemberAttempt(msgspec.Struct, kw_only=True):
    """An attempt. `lines` compares its source with that of the previous attempt; each begins with "+", "-" or " ".

    `hidden` counts the hidden checks.
    """

    id: int
    answer: AttemptAnswer
    hidden: HiddenAnswer
    lines: list[str]
    notes: list[WrittenNote]


class MemberPrediction(msgspec.Struct, kw_only=True):
    """A member's first and last answers to a prediction. `question` is plain text.

    If the member asked to see the answer, the answer and whether it is right are null.
    """

    question: str
    first: EncodedAnswer | None
    first_right: bool | None
    last: EncodedAnswer | None
    last_right: bool | None


class TriedAnswer(msgspec.Struct, kw_only=True):
    """An exercise that was submitted, with the titles of it and of its lesson."""

    place: str
    title: str
    lesson_title: str
    attempts: int
    passed: bool


class MemberAnswer(msgspec.Struct, kw_only=True):
    """A member's work at the exercise `place`, which may be "" if the member submitted nothing. `attempts` has the newest first.

    `shown` is the member's current text, compared with the newest attempt like `lines`, or null if the member does not share it. `shown_at`
    is the time of the last change.
    """

    member: int
    name: str
    number: str | None
    place: str
    title: str
    lesson_title: str
    tried: list[TriedAnswer]
    attempts: list[MemberAttempt]
    predictions: list[MemberPrediction]
    hand: bool
    helper: str | None
    shown: list[str] | None
    shown_at: str | None


@router.get(
    "/{class_id:int}/members/{member_id:int}",
    summary="The work of a member at an exercise",
    responses={**describe_answer(MemberAnswer, "The work"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def get_member(
    services: ServicesDep,
    opened: OpenedDep,
    member_id: int,
    lang: LangDep,
    place: Annotated[str, Query(max_length=200, description=PLACE_WORDS)] = "",
) -> Response:
    path, exercise_id = "/".join(place.split("/")[:2]), "/".join(place.split("/")[2:])
    work = await services.database.read(read_member_work, opened.id, check_id(member_id), lesson=path, exercise=exercise_id)
    return json_response(describe_work(services.catalogue, work, lang))


@router.post(
    "/{class_id:int}/members/{member_id:int}/coming",
    status_code=204,
    summary="Say that I am coming",
    responses={**describe_nothing("The member and all helpers are told"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def post_coming(services: ServicesDep, opened: OpenedDep, teacher: PersonDep, member_id: int) -> Response:
    await change_class_rows(services, hands.mark_coming, teacher.id, opened.id, check_id(member_id), teacher.name, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.delete(
    "/{class_id:int}/members/{member_id:int}/coming",
    status_code=204,
    summary="Say that I am not coming after all",
    responses={**describe_nothing("The member and all helpers are told"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def delete_coming(services: ServicesDep, opened: OpenedDep, teacher: PersonDep, member_id: int) -> Response:
    await change_class_rows(services, hands.mark_coming, teacher.id, opened.id, check_id(member_id), None, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.delete(
    "/{class_id:int}/members/{member_id:int}/hand",
    status_code=204,
    summary="Lower a member's hand, after somebody has helped",
    responses={**describe_nothing("It is lowered"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def delete_members_hand(services: ServicesDep, opened: OpenedDep, teacher: PersonDep, member_id: int) -> Response:
    await change_class_rows(services, hands.lower_members_hand, teacher.id, opened.id, check_id(member_id))
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.post(
    "/{class_id:int}/attempts/{attempt_id:int}/notes",
    status_code=201,
    summary="Write a note at a line of an attempt",
    responses={**describe_answer(NoteAnswer, "It is stored", status=201), **describe_errors(403, 404, 413, 415, 422, 429, 503)},
)
@allow(TEACHING)
async def post_note(services: ServicesDep, opened: OpenedDep, teacher: PersonDep, attempt_id: int, body: NoteBody) -> Response:
    note = (teacher.id, opened.id, check_id(attempt_id), body.line, body.text, teacher.name, now_ms())
    return json_response(NoteAnswer(await change_class_rows(services, notes.add_note, *note)), 201)


def describe_work(catalogue: Catalogue, work: MemberWork, lang: Lang) -> MemberAnswer:
    """Return a member's work in `lang`. Attempts at an exercise that the course no longer has are left out."""
    lesson = catalogue.lesson(work.lesson)
    exercise = lesson.exercise(work.exercise) if lesson else None
    newest = work.attempts[0].source if work.attempts else None
    shown = work.shown.source if work.shown else None
    return MemberAnswer(
        member=work.member,
        name=work.name,
        number=work.number,
        place="/".join(filter(None, (work.lesson, work.exercise))),
        title=exercise.texts[lang].title if exercise else "",
        lesson_title=lesson.texts[lang].title if lesson else work.lesson,
        tried=describe_tried(catalogue, work, lang),
        attempts=describe_attempts(lesson, exercise, work, lang) if lesson and exercise else [],
        predictions=describe_predictions(lesson, work.predictions, lang) if lesson else [],
        hand=work.hand_ms is not None,
        helper=work.helper,
        shown=compare_lines(newest, shown if shown is not None else exercise.starter) if work.shown and exercise else None,
        shown_at=format_time(work.shown.at_ms) if work.shown and work.shown.version else None,
    )


def describe_tried(catalogue: Catalogue, work: MemberWork, lang: Lang) -> list[TriedAnswer]:
    tried = []
    for one in work.tried:
        lesson = catalogue.lesson(one.lesson)
        exercise = lesson.exercise(one.exercise) if lesson else None
        if lesson and exercise:
            titles = {"title": exercise.texts[lang].title, "lesson_title": lesson.texts[lang].title}
            tried.append(TriedAnswer(place=f"{one.lesson}/{one.exercise}", attempts=one.attempts, passed=one.passed, **titles))
    return tried


def describe_attempts(lesson: Lesson, exercise: Exercise, work: MemberWork, lang: Lang) -> list[MemberAttempt]:
    """Return the attempts, each compared with the one before it."""
    version = hash_exercise(lesson, exercise)
    earlier = [*work.attempts[1:], work.earlier]
    answers = []
    for one, before in zip(work.attempts, earlier, strict=False):
        graded = answer_submission(exercise, verdicts.decode(one.verdict), NO_RUN, lang)
        answers.append(
            MemberAttempt(
                id=one.id,
                answer=describe_attempt(exercise, version, one, lang),
                hidden=graded.hidden,
                lines=compare_lines(before.source if before else None, one.source),
                notes=[note for note in work.notes if note.attempt == one.id],
            )
        )
    return answers


def describe_predictions(lesson: Lesson, answered: dict[str, StoredPrediction], lang: Lang) -> list[MemberPrediction]:
    """Return the answers to the predictions of a lesson, without those whose question has changed."""
    return [
        MemberPrediction(
            question=" ".join(unescape(TAG.sub("", prediction.texts[lang].question)).split()),
            first=stored_answers.decode(stored.first_answer),
            first_right=stored.first_right,
            last=stored_answers.decode(stored.last_answer),
            last_right=stored.last_right,
        )
        for prediction in lesson.predictions
        if (stored := answered.get(prediction.id)) and stored.about == hash_question(lesson, prediction)
    ]
