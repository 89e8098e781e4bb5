"""The `[[cell]]` tables of lesson.toml and their files: code, what it continues, and what it declares that it shows."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.lessons.lesson_limits import read_deadline
from app.lessons.model import RUNTIMES, Cell
from app.lessons.problem import suggest
from app.lessons.shows import ShownGraph, Shows
from app.lessons.source import Reader
from app.lessons.table import Table
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import SOURCE_BYTES
from app.protocol.outcome import Outcome
from app.protocol.records.registry import DISPLAY_NAMES
from app.protocol.run import RuntimeName

OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.STOPPED)
EXCEPTION = re.compile(r"[A-Za-z_]\w*")
MOST = 100_000


def read_instruments(table: Table, runtime: RuntimeName) -> tuple[str, ...]:
    """The key instruments: names of what a runtime can observe runs with, besides what is always on."""
    known = [facts.name for facts in INSTRUMENTS[runtime]]
    names = table.texts("instruments") or ()
    for index, name in enumerate(names):
        if name not in known:
            table.report(f'unknown instrument "{name}"{suggest(name, known)}', "instruments", index)
    return names


def load_cells(reader: Reader, lesson: str, tables: Sequence[Table], asks: Mapping[str, float], runtime: RuntimeName) -> tuple[Cell, ...]:
    """The cells in order, each with the runtime and the limits that its lesson or it itself asks for; problems go to `reader`."""
    cells: list[Cell] = []
    for table in tables:
        cell = _load_cell(reader, lesson, table, asks, runtime)
        if cell is not None and any(other.id == cell.id for other in cells):
            table.report(f'there are two cells "{cell.id}"', "id")
        elif cell is not None:
            cells.append(cell)
    for table in tables:
        _check_after(table, cells)
    _check_files(reader, lesson, cells)
    return tuple(cells)


def _load_cell(reader: Reader, lesson: str, table: Table, asks: Mapping[str, float], runtime: RuntimeName) -> Cell | None:
    cell_id = table.identifier("id")
    after = table.identifiers("after")
    raises = _read_exception(table)
    own = read_deadline(table)
    runtime = table.one_of("runtime", RUNTIMES) or runtime
    instruments = read_instruments(table, runtime)
    shows = _read_shows(table, raises)
    table.finish()
    if cell_id is None:
        return None
    filename = cell_id.replace("-", "_") + ".py"
    return Cell(
        id=cell_id,
        filename=filename,
        source=_read_source(reader, f"{lesson}/cells/{filename}", cell_id),
        line=table.line(),
        after=after,
        raises=raises,
        asks={**asks, **own},
        runtime=runtime,
        instruments=instruments,
        shows=shows,
    )


def _read_source(reader: Reader, file: str, cell_id: str) -> str:
    source = reader.read(file, f'the code of the cell "{cell_id}"') or ""
    size = len(source.encode())
    if size > SOURCE_BYTES:
        reader.report(file, 1, f"expected at most {SOURCE_BYTES:,} bytes, got {size:,}")
    return source


def _read_exception(table: Table) -> str | None:
    name = table.text("raises", "the name of an exception")
    if name is not None and not EXCEPTION.fullmatch(name):
        table.report(f'raises: expected the name of an exception without its module, got "{name}"', "raises")
    return name


def _read_shows(cell: Table, raises: str | None) -> Shows | None:
    table = cell.table("shows", "the table [cell.shows]")
    if table is None:
        return None
    outcome = table.one_of("outcome", OUTCOMES) or (Outcome.RAISED if raises else Outcome.FINISHED)
    if (outcome == Outcome.RAISED) != (raises is not None):
        table.report('the outcome "raised" and the cell\'s key "raises" go together', "outcome")
    shows = Shows(
        lines={"raises": cell.line("raises"), **table.lines_below()},
        outcome=Outcome(outcome),
        displays=_read_displays(table),
        stdout=table.texts("stdout") or (),
        stderr=table.texts("stderr") or (),
        message=table.text("message"),
        values=table.texts("values"),
        figures=table.texts("figures"),
        graphs=tuple(_read_graph(graph) for graph in table.tables("graph")),
    )
    _check_counts(table, shows)
    table.finish()
    return shows


def _read_displays(table: Table) -> tuple[str, ...]:
    found: list[str] = []
    for index, name in enumerate(table.texts("displays") or ()):
        if name in DISPLAY_NAMES:
            found.append(name)
        else:
            table.report(f'unknown display "{name}"{suggest(name, DISPLAY_NAMES)}', "displays", index)
    return tuple(found)


def _read_graph(table: Table) -> ShownGraph:
    graph = ShownGraph(
        connected=table.texts("connected") or (),
        isolated=table.texts("isolated") or (),
        nodes=table.whole("nodes", 0, MOST),
        edges=table.whole("edges", 0, MOST),
    )
    table.finish()
    return graph


def _check_counts(table: Table, shows: Shows) -> None:
    """What is said of graphs, values and figures is said of each of them."""
    graphs = shows.displays.count("graph")
    if shows.graphs and len(shows.graphs) != graphs:
        table.report(f'expected one [[cell.shows.graph]] for each "graph" in displays, {graphs}, got {len(shows.graphs)}', "graph", 0)
    for key, texts, count in (("value", shows.values, shows.displays.count("value")), ("figure", shows.figures, shows.displays.count("figure"))):
        if texts is not None and len(texts) != count:
            table.report(f'{key}s: expected one text for each "{key}" in displays, {count}, got {len(texts)}', f"{key}s")


def _check_after(table: Table, cells: Sequence[Cell]) -> None:
    cell = next((cell for cell in cells if cell.line == table.line()), None)
    if cell is None:
        return
    ids = [other.id for other in cells]
    earlier = cells[: ids.index(cell.id)]
    for index, name in enumerate(cell.after):
        message = _find_fault(name, cell, cells, earlier) or _find_gap(name, cell.after[:index], earlier)
        if message:
            table.report(f"after: {message}", "after", index)


def _find_fault(name: str, cell: Cell, cells: Sequence[Cell], earlier: Sequence[Cell]) -> str | None:
    if found := next((other for other in earlier if other.id == name), None):
        return f'"{name}" runs in {found.runtime}, and this cell in {cell.runtime}' if found.runtime != cell.runtime else None
    if name == cell.id:
        return f'a cycle, "{name}" continues itself'
    later = next((other for other in cells if other.id == name), None)
    if later is None:
        return f'there is no cell "{name}"{suggest(name, [other.id for other in earlier])}'
    if cell.id in later.after:
        return f'a cycle, "{cell.id}" continues "{name}", which continues "{cell.id}"'
    return f'"{name}" comes later: only cells above can be continued'


def _find_gap(name: str, before: Sequence[str], earlier: Sequence[Cell]) -> str | None:
    """All cells that are replayed are listed: those that a listed one continues stand before it."""
    listed = next(other for other in earlier if other.id == name)
    missing = [needed for needed in listed.after if needed not in before]
    return f'"{name}" continues {", ".join(missing)}: expected that before it, since after is not followed further' if missing else None


def _check_files(reader: Reader, lesson: str, cells: Sequence[Cell]) -> None:
    known = {cell.filename for cell in cells}
    folder: Path = reader.folder / lesson / "cells"
    for path in sorted(folder.glob("*.py")):
        if path.name not in known:
            wanted = path.stem.replace("_", "-")
            message = f'this file is not used: expected a [[cell]] with the id "{wanted}" in lesson.toml'
            reader.report(f"{lesson}/cells/{path.name}", 1, message)
