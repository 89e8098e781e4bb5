"""Proves cells by running them: the program that is run of a cell or a try-it, and what its result shows other than declared."""

from app.authoring.compare import compare
from app.authoring.proven_answers import check_prediction
from app.lessons.catalogue import Catalogue
from app.lessons.model import Cell, Lesson, TryIt
from app.lessons.problem import Problem
from app.protocol.limits import Limits
from app.protocol.run import Program, RunResult


def make_program(catalogue: Catalogue, lesson: Lesson, cell: Cell, limits: Limits, factor: float) -> Program:
    """The cell as its file has it."""
    return catalogue.program(lesson, cell.id, cell.source, threads=cell.limits(limits, factor).compute_threads)


def edit_program(catalogue: Catalogue, lesson: Lesson, one: TryIt) -> Program:
    """The cell of a try-it with its edits made; that each of them fits was checked when the lesson was loaded."""
    sources = {cell.id: cell.source for cell in lesson.cells}
    for edit in one.edits:
        sources[edit.cell_id] = sources[edit.cell_id].replace(edit.find, edit.replace)
    return catalogue.program(lesson, one.cell_id, sources[one.cell_id], sources)


def find_in_result(lesson: Lesson, cell: Cell, result: RunResult) -> list[Problem]:
    """What a run of the cell shows other than declared, and the predictions about it that it does not bear out."""
    file = lesson.file
    problems = []
    if cell.shows is not None:
        problems += [Problem(file, line, f"the cell {cell.id}: {message}") for line, message in compare(cell, cell.shows, result)]
    for prediction in lesson.predictions:
        if prediction.cell_id == cell.id:
            found = check_prediction(prediction, cell, result)
            problems += [Problem(file, prediction.line, f"the prediction {prediction.id}: {message}") for message in found]
    return problems
