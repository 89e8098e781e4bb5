"""The run of a cell or a try-it: how it differs from what the lesson's files declare, and which files recording it would change."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from app.authoring.checking.compare import compare, compare_traced
from app.authoring.checking.proven_answers import check_prediction
from app.authoring.checking.shown_toml import Tables, make_text
from app.lessons.cells.recordings import REWRITES, find_other_result, recording_file, render_recording
from app.lessons.model.model import Cell, Lesson, TryIt
from app.lessons.toml.problem import Problem
from app.protocol.run import RunResult


class FileChange(NamedTuple):
    """A file that recording a run writes. `file` is relative to the course's folder. `diff` is only for lesson.toml; else ""."""

    file: str
    text: str
    diff: str = ""

    def write(self, folder: Path) -> None:
        path = folder / self.file
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.text, encoding="utf-8", newline="")


class CellRun(NamedTuple):
    """The run of a cell or a try-it.

    - `id` is the id of the cell or try-it.
    - `cell` is the cell that was run. For a try-it, it has the try-it's declarations.
    - `differing` are differences that recording the run removes.
    - `wrong_answers` are predictions whose answer the run contradicts.
    - `wrong_traces` are differences of the second run, which recording does not remove.
    - `record` is the new text of the cell's recorded result; "" if it need not be written.
    """

    kind: Tables
    id: str
    lesson: Lesson
    cell: Cell
    result: RunResult
    differing: list[Problem]
    wrong_answers: Sequence[Problem] = ()
    wrong_traces: Sequence[Problem] = ()
    record: str = ""

    @property
    def name(self) -> str:
        return f"the {self.kind} {self.id}"

    @property
    def problems(self) -> list[Problem]:
        return [*self.differing, *self.wrong_answers, *self.wrong_traces]

    @property
    def is_recorded(self) -> bool:
        """Return whether recording the run has nothing to write."""
        return not (self.cell.shows is None or self.differing or self.record)

    def list_changes(self, folder: Path) -> list[FileChange]:
        """Return the files that recording the run changes. Raises OSError, and RecordError if a lesson cannot declare such a result."""
        file, changes = self.lesson.file, []
        if self.cell.shows is None or any(one.file == file for one in self.differing):
            before = (folder / file).read_bytes().decode("utf-8")  # with its own line ends
            after = make_text(before, self.kind, self.cell, self.result, self.id)
            if diff := "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "declared", "shown", n=2)):
                changes.append(FileChange(file, after, diff))
        if self.record:
            changes.append(FileChange(recording_file(self.lesson.path, self.id), self.record))
        return changes


def compare_cell(lesson: Lesson, cell: Cell, result: RunResult, record: str = "", second: RunResult | None = None) -> CellRun:
    """Compare a run of the cell, and its second run, with the declarations of the cell and its predictions.

    `record` is the text of the run's recorded result. If it is given, it is compared with the lesson's.
    """
    run = _compare("cell", cell.id, lesson, cell, result, second)
    known = lesson.recordings.get(cell.id)
    found = find_other_result(render_recording(known), record) if record and known else None
    if found:
        line, message = found
        run.differing.append(Problem(recording_file(lesson.path, cell.id), line, f"{run.name}: {message}: {REWRITES}"))
    wrong_answers = [
        Problem(lesson.file, prediction.line, f"the prediction {prediction.id}: {message}")
        for prediction in lesson.predictions
        if prediction.cell_id == cell.id
        for message in check_prediction(prediction, cell, result)
    ]
    return run._replace(wrong_answers=wrong_answers, record=record if found or not known else "")


def compare_try(lesson: Lesson, one: TryIt, cell: Cell, result: RunResult, second: RunResult | None = None) -> CellRun:
    """Compare a run of the try-it, and its second run, with the try-it's declarations. `cell` is the cell that was run."""
    declared = msgspec.structs.replace(cell, raises=one.raises, shows=one.shows, line=one.line)
    return _compare("try", one.id, lesson, declared, result, second)


def _compare(kind: Tables, own_id: str, lesson: Lesson, cell: Cell, result: RunResult, second: RunResult | None) -> CellRun:
    differing = compare(cell, cell.shows, result) if cell.shows else []
    wrong_traces = compare_traced(cell.shows, second) if cell.shows and second else []
    problems = [
        [Problem(lesson.file, line, f"the {kind} {own_id}: {message}") for line, message in found] for found in (differing, wrong_traces)
    ]
    return CellRun(kind, own_id, lesson, cell, result, problems[0], wrong_traces=problems[1])
