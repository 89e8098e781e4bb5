"""Loads try-its: the tables [[try]] of lesson.toml, with the edits that the text suggests and `gradroom lessons check` makes."""

from collections.abc import Sequence

from app.lessons.cells.cells import find_cell
from app.lessons.cells.declarations import load_shows
from app.lessons.model.model import Cell, CellEdit, TryIt
from app.lessons.toml.cell_tables import EditTable, TryTable
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table, load_each


def load_tries(lesson: Table, forms: Sequence[TryTable], cells: Sequence[Cell]) -> tuple[TryIt, ...]:
    """Return the try-its in the order of lesson.toml."""
    return load_each(lesson, "try", forms, lambda table, form: _load(table, form, cells))


def _load(table: Table, form: TryTable, cells: Sequence[Cell]) -> TryIt | None:
    cell = find_cell(table, form.cell, cells)
    if cell is None:
        return None
    editable = [one for one in cells if one.id in (cell.id, *cell.after)]
    edits = [_load_edit(table.below("edits", index), edit, cell, editable) for index, edit in enumerate(form.edits)]
    return TryIt(
        id=form.id,
        cell_id=cell.id,
        line=table.line(),
        edits=tuple(edit for edit in edits if edit is not None),
        raises=form.raises,
        shows=load_shows(table, form.shows, form.raises, cell.runtime),
    )


def _load_edit(table: Table, form: EditTable, cell: Cell, editable: Sequence[Cell]) -> CellEdit | None:
    name = form.cell or cell.id
    edited = next((one for one in editable if one.id == name), None)
    if edited is None:
        known = [one.id for one in editable]
        table.report(f'cell: expected the cell that is run or one that it continues, got "{name}"{suggest(name, known)}', "cell")
        return None
    count = edited.source.rstrip("\n").count(form.find)  # as the page shows it, where the learner makes the edit
    if count != 1:
        table.report(f'find: expected a piece of {edited.filename} that occurs there exactly once, got {count} times "{form.find}"', "find")
        return None
    return CellEdit(name, form.find, form.replace)
