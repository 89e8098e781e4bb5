"""Loads cells: the tables [[cell]] of lesson.toml and the files with their code."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from app.lessons.cells.declarations import load_shows
from app.lessons.model.model import Cell
from app.lessons.toml.cell_tables import CellTable
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, load_each
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import ASKABLE
from app.protocol.run import RuntimeName


class Given(NamedTuple):
    """What all cells and exercises of the lesson `path` get from it. `asks` has limits by their names in Limits."""

    path: str
    asks: Mapping[str, float]
    runtime: RuntimeName
    instruments: tuple[str, ...]


def check_instruments(table: Table, names: Sequence[str], runtime: RuntimeName) -> None:
    """Report each of the instruments `names`, from the key `instruments`, that the runtime does not have."""
    known = [facts.name for facts in INSTRUMENTS[runtime]]
    for index, name in enumerate(names):
        if name not in known:
            table.report(f'unknown instrument "{name}"{suggest(name, known)}', "instruments", index)


def load_cells(lesson: Table, given: Given, forms: Sequence[CellTable]) -> tuple[Cell, ...]:
    """Return the cells in order. A cell's table may add instruments to those of the lesson, and replace its runtime and limits."""
    cells = load_each(lesson, "cell", forms, lambda table, form: _load_cell(given, table, form))
    for index in range(len(forms)):
        _check_after(lesson.below("cell", index), cells)
    _check_files(lesson.reader, given.path, cells)
    return cells


def find_cell(table: Table, name: str, cells: Sequence[Cell]) -> Cell | None:
    """Return the cell `name`, which the key `cell` of a table gives. If there is none, report that and return None."""
    found = next((cell for cell in cells if cell.id == name), None)
    if found is None:
        table.report(f'cell: there is no cell "{name}"{suggest(name, [cell.id for cell in cells])}', "cell")
    return found


def _load_cell(given: Given, table: Table, form: CellTable) -> Cell:
    runtime = form.runtime or given.runtime
    own = form.instruments or ()
    check_instruments(table, own, runtime)
    instruments = given.instruments if runtime == given.runtime else ()
    filename = form.id.replace("-", "_") + ".py"
    return Cell(
        id=form.id,
        filename=filename,
        source=table.reader.read_source(f"{given.path}/cells/{filename}", f'the code of the cell "{form.id}"') or "",
        line=table.line(),
        after=form.after,
        raises=form.raises,
        asks={**given.asks, **pick_limits(form)},
        runtime=runtime,
        instruments=tuple(dict.fromkeys([*instruments, *own])),
        diagnosed=form.instruments != (),
        shows=load_shows(table, form.shows, form.raises, runtime),
        for_checks=form.for_checks,
    )


def pick_limits(form: object) -> dict[str, float]:
    """Return the limits that a table sets, by their names in Limits."""
    return {name: value for name in ASKABLE if (value := getattr(form, name, None)) is not None}


def check_replayed(table: Table, names: Sequence[str], cells: Sequence[Cell], runtime: RuntimeName) -> None:
    """Report wrong entries in the key `after` of an exercise.

    Such a cell is not in the lesson, runs in another runtime, or continues a cell that is not listed before it.
    """
    for index, name in enumerate(names):
        found = next((cell for cell in cells if cell.id == name), None)
        if found is None:
            message: str | None = f'there is no cell "{name}"{suggest(name, [cell.id for cell in cells])}'
        else:
            message = _find_other_runtime(found, runtime, "this exercise") or _find_gap(found, names[:index])
        if message:
            table.report(f"after: {message}", "after", index)


def _check_after(table: Table, cells: Sequence[Cell]) -> None:
    cell = next((cell for cell in cells if cell.line == table.line()), None)
    if cell is None:
        return
    ids = [other.id for other in cells]
    earlier = cells[: ids.index(cell.id)]
    for index, name in enumerate(cell.after):
        found = next((other for other in earlier if other.id == name), None)
        if found is None:
            message: str | None = _find_fault(name, cell, cells, earlier)
        else:
            message = _find_other_runtime(found, cell.runtime, "this cell") or _find_gap(found, cell.after[:index])
        if message:
            table.report(f"after: {message}", "after", index)


def _find_fault(name: str, cell: Cell, cells: Sequence[Cell], earlier: Sequence[Cell]) -> str:
    """Return why `cell` cannot continue `name`, which is not the id of a cell above it."""
    if name == cell.id:
        return f'a cycle, "{name}" continues itself'
    later = next((other for other in cells if other.id == name), None)
    if later is None:
        return f'there is no cell "{name}"{suggest(name, [other.id for other in earlier])}'
    if cell.id in later.after:
        return f'a cycle, "{cell.id}" continues "{name}", which continues "{cell.id}"'
    return f'"{name}" comes later: only cells above can be continued'


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
