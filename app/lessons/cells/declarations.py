"""What is declared of a run: the tables [cell.shows] and [try.shows], and the choices of a prediction, which declare the same."""

import re

from app.diagnoses.diagnosis_words import load_diagnosis_words
from app.lessons.model.shows import ShownGraph, Shows
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table
from app.protocol.outcome import Outcome
from app.protocol.records.registry import RECORD_NAMES

OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.STOPPED)
EXCEPTION = re.compile(r"[A-Za-z_]\w*")
MOST = 100_000


def read_exception(table: Table) -> str | None:
    """The key raises."""
    name = table.text("raises", "the name of an exception")
    if name is not None and not EXCEPTION.fullmatch(name):
        table.report(f'raises: expected the name of an exception without its module, got "{name}"', "raises")
    return name


def read_shows(owner: Table, raises: str | None) -> Shows | None:
    """The table `shows` of a cell or a try, which is to end with the exception `raises`."""
    table = owner.table("shows", f"the table [{owner.path[0]}.shows]")
    if table is None:
        return None
    shows = _read(table, raises, {"raises": owner.line("raises"), **table.lines_below()})
    table.finish()
    return shows


def read_choice(table: Table) -> Shows:
    """A table [[prediction.choice]], of which only what is given is compared."""
    raises = read_exception(table)
    shows = _read(table, raises, table.lines_below())
    if not table.data:
        table.report("expected what the run shows if this choice is right: stdout, raises, records, …")
    table.finish()
    return shows


def _read(table: Table, raises: str | None, lines: dict[str, int]) -> Shows:
    outcome = table.one_of("outcome", OUTCOMES) or (Outcome.RAISED if raises else Outcome.FINISHED)
    if (outcome == Outcome.RAISED) != (raises is not None):
        table.report('the outcome "raised" and the key "raises" go together', "outcome")
    shows = Shows(
        lines=lines,
        outcome=Outcome(outcome),
        raises=raises,
        records=_read_records(table),
        stdout=table.texts("stdout") or (),
        stderr=table.texts("stderr") or (),
        message=table.text("message"),
        values=table.texts("values"),
        figures=table.texts("figures"),
        graphs=tuple(_read_graph(graph) for graph in table.tables("graph")),
    )
    _check_counts(table, shows)
    return shows


def _read_records(table: Table) -> tuple[str, ...]:
    found: list[str] = []
    names = record_names()
    for index, name in enumerate(table.texts("records") or ()):
        if name in names:
            found.append(name)
        else:
            table.report(f'unknown record "{name}"{suggest(name, names)}', "records", index)
    return tuple(found)


def record_names() -> tuple[str, ...]:
    """What `records` may name."""
    return *RECORD_NAMES, *(f"diagnosis {code}" for code in load_diagnosis_words())


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
    """What is said of graphs, values and figures is said of each of them, where it is said how many there are."""
    if "records" not in table.data and table.path[-2] == "choice":
        return
    graphs = shows.records.count("graph")
    if shows.graphs and len(shows.graphs) != graphs:
        name = ".".join(str(step) for step in table.path if isinstance(step, str))
        table.report(f'expected one [[{name}.graph]] for each "graph" in records, {graphs}, got {len(shows.graphs)}', "graph", 0)
    for key, texts, count in (
        ("value", shows.values, shows.records.count("value")),
        ("figure", shows.figures, shows.records.count("figure")),
    ):
        if texts is not None and len(texts) != count:
            table.report(f'{key}s: expected one text for each "{key}" in records, {count}, got {len(texts)}', f"{key}s")
