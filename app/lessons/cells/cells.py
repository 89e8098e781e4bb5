"""Loads cells: the tables [[cell]] of lesson.toml, and their code in cells/."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.lessons.cells.declarations import load_shows
from app.lessons.model.model import Cell
from app.lessons.toml.cell_tables import CellTable
from app.lessons.toml.lesson_file import LessonFile
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, load_each
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import ASKABLE
from app.protocol.run import RuntimeName


def check_instruments(table: Table, names: Sequence[str], runtime: RuntimeName) -> None:
    """Report each of the instruments `names`, from the key `instruments`, that the runtime does not have."""
    known = [facts.name for facts in INSTRUMENTS[runtime]]
    for index, name in enumerate(names):
        if name not in known:
            table.report(f'unknown instrument "{name}"{suggest(name, known)}', "instruments", index)


def load_cells(lesson: Table, path: str, form: LessonFile) -> tuple[Cell, ...]:
    """Return the cells of the lesson `path` in order.

    A cell's table may add instruments to those of the lesson, and replace its runtime and limits.
    """
    cells = load_each(lesson, "cell", form.cell, lambda table, one: _load_cell(path, form, table, one))
    ids = [one.id for one in form.cell]
    for position, cell in enumerate(cells):
        why_not = {later.id: _describe_later(cell, later) for later in cells[position:]}
        check_after(lesson.below("cell", ids.index(cell.id)), cell.after, cells[:position], cell.runtime, "this cell", why_not)
    _check_files(lesson.reader, path, cells)
    return cells


def find_cell(table: Table, name: str, cells: Sequence[Cell]) -> Cell | None:
    """Return the cell `name`, which the key `cell` of a table gives. If there is none, report that and return None."""
    found = next((cell for cell in cells if cell.id == name), None)
    if found is None:
        table.report(f'cell: there is no cell "{name}"{suggest(name, [cell.id for cell in cells])}', "cell")
    return found


def _load_cell(lesson: str, defaults: LessonFile, table: Table, form: CellTable) -> Cell:
    runtime = form.runtime or defaults.runtime
    own = form.instruments or ()
    check_instruments(table, own, runtime)
    instruments = defaults.instruments if runtime == defaults.runtime else ()
    filename = form.id.replace("-", "_") + ".py"
    return Cell(
        id=form.id,
        filename=filename,
        source=table.reader.read_source(f"{lesson}/cells/{filename}", f'the code of the cell "{form.id}"') or "",
        line=table.line(),
        after=form.after,
        raises=form.raises,
        asks={**pick_limits(defaults.limits), **pick_limits(form)},
        runtime=runtime,
        instruments=tuple(dict.fromkeys([*instruments, *own])),
        diagnosed=form.instruments != (),
        shows=load_shows(table, form.shows, form.raises, runtime),
        for_checks=form.for_checks,
    )


def pick_limits(form: object) -> dict[str, float]:
    """Return the limits that a table sets, by their names in Limits."""
    return {name: value for name in ASKABLE if (value := getattr(form, name, None)) is not None}


def check_after(
    table: Table, names: Sequence[str], cells: Sequence[Cell], runtime: RuntimeName, owner: str, why_not: Mapping[str, str]
) -> None:
    """Report wrong entries in the key `after` of `owner`, which is "this cell" or "this exercise".

    Such a cell is not among `cells`, runs in another runtime, or continues a cell that is not listed before it. `why_not` says of cells
    that are not among `cells` why they cannot be continued.
    """
    known = {cell.id: cell for cell in cells}
    for index, name in enumerate(names):
        if name in known:
            fault = _find_other_runtime(known[name], runtime, owner) or _find_gap(known[name], names[:index])
        else:
            fault = why_not.get(name) or f'there is no cell "{name}"{suggest(name, known)}'
        if fault:
            table.report(f"after: {fault}", "after", index)


def _describe_later(cell: Cell, later: Cell) -> str:
    """Return why `cell` cannot continue `later`, which is the same cell or one below it."""
    if later is cell:
        return f'a cycle, "{cell.id}" continues itself'
    if cell.id in later.after:
        return f'a cycle, "{cell.id}" continues "{later.id}", which continues "{cell.id}"'
    return f'"{later.id}" comes later: only cells above can be continued'


def _find_other_runtime(cell: Cell, runtime: RuntimeName, what: str) -> str | None:
    return f'"{cell.id}" runs in {cell.runtime}, and {what} in {runtime}' if cell.runtime != runtime else None


def _find_gap(cell: Cell, before: Sequence[str]) -> str | None:
    """Return a message if `before` lacks cells that `cell` continues. The key `after` has to list all cells to replay, in order."""
    missing = [needed for needed in cell.after if needed not in before]
    return f'"{cell.id}" continues {", ".join(missing)}: expected that before it, since after is not followed further' if missing else None


def _check_files(reader: Reader, lesson: str, cells: Sequence[Cell]) -> None:
    known = {cell.filename for cell in cells}
    folder: Path = reader.folder / lesson / "cells"
    for path in sorted(folder.glob("*.py")):
        if path.name not in known:
            wanted = path.stem.replace("_", "-")
            message = f'this file is not used: expected a [[cell]] with the id "{wanted}" in lesson.toml'
            reader.report(f"{lesson}/cells/{path.name}", 1, message)
