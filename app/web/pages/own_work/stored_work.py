"""Makes `kept`, a learner's stored work as pages give it to their scripts (docs/decisions/0030)."""

from collections.abc import Callable, Collection
from typing import Any, Concatenate, ParamSpec, TypeVar

from fastapi import Request
from sqlalchemy import Connection

from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import CourseWork, ExerciseMark, LessonWork, OwnWork, StoredPrediction
from app.classroom.store.times import format_time, now_ms
from app.classroom.work import progress
from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Prediction
from app.lessons.predictions.prediction_answer import WrongForm, explain, read_answer
from app.protocol.run import Lang
from app.web.services import services_of
from app.web.storing.stored_predictions import encode_answer, hash_question, stored_answers

Work = TypeVar("Work", CourseWork, LessonWork, OwnWork)
P = ParamSpec("P")


async def read_work(
    request: Request, nothing: Work, query: Callable[Concatenate[Connection, str, P], Work], *args: P.args, **kwargs: P.kwargs
) -> Work | None:
    """Return what `query` reads of the learner's work.

    Return `nothing` for a client without a cookie, and None if the store cannot be read.
    """
    learner: str | None = request.state.principal.learner
    if learner is None:
        return nothing
    services = services_of(request)
    try:
        work = await services.database.read(query, learner, *args, **kwargs)
    except StoreFault:
        return None
    services.store.record_visit(learner, work.seen_ms)
    return work


async def read_course(request: Request) -> CourseWork | None:
    """Return how far the learner is in all lessons. Return None if the store cannot be read."""
    return await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())


def describe_lesson_work(lesson: Lesson, work: LessonWork | None, lang: Lang) -> dict[str, Any] | None:
    """Return `kept` for a lesson's page. Predictions whose question has changed since they were answered are left out."""
    if work is None:
        return None
    described = {one.id: describe_prediction_work(lesson, one, work.predictions.get(one.id), lang) for one in lesson.predictions}
    return {
        "drafts": {cell: {"version": draft.version, "source": draft.source} for cell, draft in work.drafts.items()},
        "cells": work.cells,
        "predictions": {name: prediction for name, prediction in described.items() if prediction is not None},
        "exercises": {name: describe_exercise_work(mark) for name, mark in work.exercises.items()},
    }


def describe_prediction_work(lesson: Lesson, prediction: Prediction, stored: StoredPrediction | None, lang: Lang) -> dict[str, Any] | None:
    if stored is None or stored.about != hash_question(lesson, prediction):
        return None
    said = stored_answers.decode(stored.last_answer)
    try:
        answer = None if said is None else read_answer(prediction, said)
    except WrongForm:  # the choices have changed
        return None
    last = {"said": said, "right": stored.last_right, "answer": encode_answer(prediction.answer), "lang": lang}
    last["explanation"] = explain(prediction, answer, lang)
    return {"first": {"said": stored_answers.decode(stored.first_answer), "right": stored.first_right}, "told": last, "due": stored.due}


def describe_exercise_work(mark: ExerciseMark) -> dict[str, Any]:
    attempts = [
        {
            "receipt": one.receipt,
            "at": format_time(one.at_ms),
            "passed": one.passed,
            "good": one.good,
            "total": one.total,
            "imported": one.imported,
        }
        for one in mark.attempts
    ]
    return {"standing": mark.standing, "seen": mark.seen, "hints": mark.hints, "count": mark.count, "attempts": attempts}


def describe_course_work(work: CourseWork | None) -> dict[str, Any] | None:
    """Return `kept` for the pages that show the progress in the whole course."""
    if work is None:
        return None
    return {"done": work.done, "helped": work.helped, "last": work.last, "reviews": work.reviews}


def describe_work_around(paths: Collection[str], work: CourseWork | None) -> dict[str, Any] | None:
    """Return `around` for a lesson's page: how far the learner is in `paths`, the lessons of its chapter or path."""
    if work is None:
        return None
    return {
        name: {path: one for path, one in by_lesson.items() if path in paths}
        for name, by_lesson in (("done", work.done), ("helped", work.helped))
    }
