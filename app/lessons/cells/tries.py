"""The `[[try]]` tables of lesson.toml: edits that the text invites to, spelt out so that the check can make them."""

from collections.abc import Sequence

from app.lessons.cells.cells import read_cell
from app.lessons.cells.declarations import read_exception, read_shows
from app.lessons.model.model import Cell, Edit, TryIt
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table, load_each


def load_tries(tables: Sequence[Table], cells: Sequence[Cell]) -> tuple[TryIt, ...]:
    """The tries in order; problems are reported."""
    return load_each(tables, lambda table: _load(table, cells), "tries")


def _load(table: Table, cells: Sequence[Cell]) -> TryIt | None:
    try_id = table.identifier("id")
    cell = read_cell(table, cells, "the id of the cell that is run")
    within = [one for one in cells if cell is not None and one.id in (cell.id, *cell.after)]
    edits = [_read_edit(edit, cell, within) for edit in table.tables("edits")]
    if not edits:
        table.report('expected the key "edits", a list of { find = "…", replace = "…" }', "edits")
    raises = read_exception(table)
    shows = read_shows(table, raises)
    table.finish()
    if try_id is None or cell is None:
        return None
    return TryIt(
        id=try_id,
        cell_id=cell.id,
        line=table.line(),
        edits=tuple(edit for edit in edits if edit is not None),
        raises=raises,
        shows=shows,
    )


def _read_edit(table: Table, cell: Cell | None, within: Sequence[Cell]) -> Edit | None:
    name = table.identifier("cell", "the id of the cell that is edited", required=False) or (cell.id if cell else None)
    find = table.text("find", "a piece of the cell's code", required=True)
    replace = table.data.get("replace")
    table.asked.add("replace")
    if not isinstance(replace, str):
        table.report('expected the key "replace", what takes its place')
    table.finish()
    if cell is None or name is None or find is None or not isinstance(replace, str):
        return None
    edited = next((one for one in within if one.id == name), None)
    if edited is None:
        known = [one.id for one in within]
        table.report(f'cell: expected the cell that is run or one that it continues, got "{name}"{suggest(name, known)}', "cell")
        return None
    count = edited.source.rstrip("\n").count(find)  # as the page has it, where the edit is made
    if count != 1:
        table.report(f'find: expected a piece of {edited.filename} that occurs there exactly once, got {count} times "{find}"', "find")
        return None
    return Edit(name, find, replace)
