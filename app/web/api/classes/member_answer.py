"""A member's work as the API returns it, in the present words of the exercise."""

from html import unescape

import msgspec

from app.classroom.classes.board.member_work import MemberWork, WrittenNote
from app.classroom.classes.board.source_difference import compare_lines
from app.classroom.store.stored_work_types import StoredPrediction
from app.classroom.store.times import format_time
from app.grading.exercise_version import hash_exercise
from app.grading.submission_answer import HiddenAnswer, answer_submission
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.run import Lang
from app.web.api.me.attempts import AttemptAnswer, describe_attempt
from app.web.classes.board_words import TAG
from app.web.storing.stored_predictions import EncodedAnswer, hash_question, parse_stored
from app.web.storing.stored_submissions import NO_RUN, verdicts


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


def describe_work(catalogue: Catalogue, work: MemberWork, lang: Lang) -> MemberAnswer:
    """Return a member's work in `lang`. Attempts at an exercise that the course no longer has are left out."""
    lesson = catalogue.lesson(work.lesson)
    exercise = lesson.exercise(work.exercise) if lesson else None
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
        shown=compare_lines(newest_source(work), shown if shown is not None else exercise.starter) if work.shown and exercise else None,
        shown_at=format_time(work.shown.at_ms) if work.shown and work.shown.version else None,
    )


def newest_source(work: MemberWork) -> str | None:
    return work.attempts[0].source if work.attempts else None


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
            first=parse_stored(stored.first_answer),
            first_right=stored.first_right,
            last=parse_stored(stored.last_answer),
            last_right=stored.last_right,
        )
        for prediction in lesson.predictions
        if (stored := answered.get(prediction.id)) and stored.about == hash_question(lesson, prediction)
    ]
