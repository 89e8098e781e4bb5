"""Loads what lesson.toml declares about runs: the tables [cell.shows] and [try.shows], and the choices of a prediction."""

from app.lessons.model.shows import Shows
from app.lessons.toml.prediction_tables import ChoiceTable
from app.lessons.toml.shows_tables import RunShowsTable, ShowsTable
from app.lessons.toml.table import Table
from app.protocol.instrument_facts import INSTRUMENTS, TRACE
from app.protocol.outcome import Outcome
from app.protocol.run import RuntimeName


def load_shows(owner: Table, form: RunShowsTable | None, raises: str | None, runtime: RuntimeName) -> Shows | None:
    """Return what the table `shows` of a cell or a try declares. `raises` is the exception with which the run has to end, if any."""
    if form is None:
        return None
    table = owner.below("shows")
    if form.traced and TRACE not in INSTRUMENTS[runtime]:
        table.report(f"traced: {runtime} has no second run", "traced")
    return _load(table, form, raises, {"raises": owner.line("raises"), **table.lines_below()}, form.traced)


def load_choice(table: Table, form: ChoiceTable) -> Shows:
    """Return what a table [[prediction.choice]] declares. Only the keys in the table are compared with a run."""
    if form == ChoiceTable():
        table.report("expected what the run shows if this choice is right: stdout, raises, records, …")
    return _load(table, form, form.raises, table.lines_below())


def _load(table: Table, form: ShowsTable, raises: str | None, lines: dict[str, int], traced: tuple[str, ...] = ()) -> Shows:
    outcome = Outcome(form.outcome or (Outcome.RAISED if raises else Outcome.FINISHED))
    if (outcome == Outcome.RAISED) != (raises is not None):
        table.report('the outcome "raised" and the key "raises" go together', "outcome")
    shows = Shows(
        lines=lines,
        outcome=outcome,
        raises=raises,
        records=form.records or (),
        stdout=form.stdout,
        stderr=form.stderr,
        message=form.message,
        values=form.values,
        figures=form.figures,
        graphs=form.graph,
        traced=traced,
    )
    if form.records is not None or not isinstance(form, ChoiceTable):
        _check_counts(table, shows)
    return shows


def _check_counts(table: Table, shows: Shows) -> None:
    """Report kinds of records of which the key `records` has another number than the table describes: graphs, values or figures."""
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
