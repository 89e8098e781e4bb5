"""The `[[cell]]` tables of lesson.toml and their files: code, what it continues, and what it declares that it shows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from app.lessons.cells.declarations import read_exception, read_shows
from app.lessons.cells.lesson_limits import read_limits
from app.lessons.model.model import RUNTIMES, Cell
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, load_each
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.run import RuntimeName


class Given(NamedTuple):
    """What a lesson gives its cells and exercises: `path` is the lesson's, `asks` are limits, `instruments` are those of its runtime."""

    path: str
    asks: Mapping[str, float]
    runtime: RuntimeName
    instruments: tuple[str, ...]


def read_instruments(table: Table, runtime: RuntimeName) -> tuple[str, ...]:
    """The key instruments: names of what a runtime can observe runs with, besides what is always on."""
    known = [facts.name for facts in INSTRUMENTS[runtime]]
    names = table.texts("instruments") or ()
    for index, name in enumerate(names):
        if name not in known:
            table.report(f'unknown instrument "{name}"{suggest(name, known)}', "instruments", index)
    return names


def load_cells(reader: Reader, given: Given, tables: Sequence[Table]) -> tuple[Cell, ...]:
    """The cells in order, each with the runtime, limits and instruments that its lesson or it itself asks for; problems go to `reader`."""
    cells = load_each(tables, lambda table: _load_cell(reader, given, table), "cells")
    for table in tables:
        _check_after(table, cells)
    _check_files(reader, given.path, cells)
    return cells


def read_cell(table: Table, cells: Sequence[Cell], expected: str) -> Cell | None:
    """The key cell: one of the lesson's."""
    name = table.identifier("cell", expected)
    found = next((cell for cell in cells if cell.id == name), None)
    if name is not None and found is None:
        table.report(f'cell: there is no cell "{name}"{suggest(name, [cell.id for cell in cells])}', "cell")
    return found


def _load_cell(reader: Reader, given: Given, table: Table) -> Cell | None:
    cell_id = table.identifier("id")
    after = table.identifiers("after")
    raises = read_exception(table)
    own = read_limits(table, ("deadline_seconds",))
    runtime = table.one_of("runtime", RUNTIMES) or given.runtime
    own_instruments = read_instruments(table, runtime)
    for_checks = table.flag("for_checks")
    instruments = given.instruments if runtime == given.runtime else ()
    shows = read_shows(table, raises)
    table.finish()
    if cell_id is None:
        return None
    filename = cell_id.replace("-", "_") + ".py"
    return Cell(
        id=cell_id,
        filename=filename,
        source=reader.read_source(f"{given.path}/cells/{filename}", f'the code of the cell "{cell_id}"') or "",
        line=table.line(),
        after=after,
        raises=raises,
        asks={**given.asks, **own},
        runtime=runtime,
        instruments=tuple(dict.fromkeys([*instruments, *own_instruments])),
        shows=shows,
        for_checks=for_checks,
    )


def check_replayed(table: Table, names: Sequence[str], cells: Sequence[Cell], runtime: RuntimeName) -> None:
    """The key after of what comes after `cells`: each is one of them, runs in the same runtime, and stands after what it continues."""
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
    """Why `name`, which is no cell above, cannot be continued."""
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
    """All cells that are replayed are listed: those that a listed one continues stand before it."""
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
