"""Turns a request for a run into an order for the runner, and checks it against the lesson, cell or exercise that it names."""

from typing import TypeVar

import msgspec

from app.grading.grade_order import make_grade_order
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Cell, Lesson
from app.lessons.model.prediction import Prediction
from app.locale.messages import mark
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import Limits
from app.protocol.run import DEFAULT_RUNTIME, Program, RunOrder, RuntimeName, Source
from app.web.http.errors import BadField, Missing
from app.web.runs.run_request import RunRequest

T = TypeVar("T")
WITH_LESSON = mark("a lesson along with it")


def make_order(request: RunRequest, catalogue: Catalogue, defaults: Limits, factor: float) -> RunOrder:
    """Return the order for a run. The caller adds the learner and the address. Raises BadField, and Missing for an unknown lesson or cell.

    `defaults` are the server's limits. A cell may ask for at most `factor` times as much.
    """
    if request.exercise is not None:
        return order_exercise(request, request.exercise, catalogue, defaults, factor)
    lesson, cell = find_cell(request, catalogue)
    runtime = request.runtime or (cell.runtime if cell else lesson.runtime if lesson else DEFAULT_RUNTIME)
    check_instruments(runtime, request.instruments or [])
    limits = cell.limits(defaults, factor) if cell else defaults
    program = make_program(request, catalogue, lesson, cell)
    is_diagnosed = request.instruments != [] and (cell is None or cell.diagnosed)
    program = msgspec.structs.replace(program, threads=limits.compute_threads)
    return RunOrder(program=program, runtime=runtime, limits=limits, diagnosis="full" if is_diagnosed else "none")


def order_exercise(request: RunRequest, exercise_id: str, catalogue: Catalogue, defaults: Limits, factor: float) -> RunOrder:
    """Return the order that runs an exercise's program like a submission, but without grading it.

    No second run diagnoses the program, because the learner is to find its mistake.
    """
    if request.lesson is None:
        raise BadField("exercise", WITH_LESSON, "cell_without_lesson")
    if request.cell is not None or request.sources or request.runtime:
        raise BadField("exercise", mark("a lesson and a source along with it, and no cell, sources or runtime"))
    lesson = find_lesson(catalogue, request.lesson)
    exercise = find_exercise(lesson, exercise_id)
    check_instruments(lesson.runtime, request.instruments or [])
    order = make_grade_order(lesson, exercise, request.source, defaults, factor, seed=request.seed).run
    program = msgspec.structs.replace(order.program, instruments=request.instruments or [])
    return msgspec.structs.replace(order, program=program, diagnosis="none")


def check_instruments(runtime: RuntimeName, names: list[str]) -> None:
    """Raise BadField if the runtime does not have one of the instruments."""
    known = [facts.name for facts in INSTRUMENTS[runtime]]
    if not set(names) <= set(known):
        expected = mark("names of the instruments that {runtime} has: {known}")
        raise BadField("instruments", expected, "no_such_instrument", runtime=runtime, known=", ".join(known))


def find_cell(request: RunRequest, catalogue: Catalogue) -> tuple[Lesson | None, Cell | None]:
    """Return the lesson and the cell that a request names. Raises Missing, and BadField for a cell or sources that do not fit."""
    if request.lesson is None:
        if request.cell is not None:
            raise BadField("cell", WITH_LESSON, "cell_without_lesson")
        if request.sources:
            raise BadField("sources", WITH_LESSON, "cell_without_lesson")
        return None, None
    lesson = find_lesson(catalogue, request.lesson)
    for name in request.sources:
        if lesson.cell(name) is None:
            raise BadField("sources", mark("only cells of the lesson"))
    if request.cell is None:
        return lesson, None
    return lesson, found(lesson.cell(request.cell), "no_such_cell", mark("The lesson has no such cell."), "cell")


def make_program(request: RunRequest, catalogue: Catalogue, lesson: Lesson | None, cell: Cell | None) -> Program:
    instruments = request.instruments or []
    if lesson is None or cell is None:
        return Program(source=Source(text=request.source), seed=request.seed, instruments=instruments)
    return catalogue.program(lesson, cell.id, request.source, request.sources, seed=request.seed, instruments=instruments)


def find_lesson(catalogue: Catalogue, path: str) -> Lesson:
    """Return the lesson with this path, "chapter/lesson". Raises Missing."""
    return found(catalogue.lesson(path), "no_such_lesson", mark("There is no such lesson."), "lesson")


def find_exercise(lesson: Lesson, exercise_id: str) -> Exercise:
    """Return the exercise of a lesson with this id. Raises Missing."""
    return found(lesson.exercise(exercise_id), "no_such_exercise", mark("The lesson has no such exercise."), "exercise")


def find_prediction(lesson: Lesson, prediction_id: str) -> Prediction:
    """Return the prediction of a lesson with this id. Raises Missing."""
    return found(lesson.prediction(prediction_id), "no_such_prediction", mark("The lesson has no such prediction."), "prediction")


def found(one: T | None, code: str, message: str, field: str) -> T:
    """Return `one`, which is what a request names. Raises Missing if it is None."""
    if one is None:
        raise Missing(code, message, field)
    return one
