"""The tables of a cell, of an edit that is tried on it, and of what a run shows."""

from typing import Annotated

from msgspec import Meta

from app.lessons.model.keys import Id, Texts, Words, expects
from app.lessons.model.model import RUNTIMES
from app.lessons.model.shows import ShownGraph
from app.lessons.toml.form import one_of
from app.lessons.toml.strict_tables import NAME, After, Seconds, StrictTable
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.outcome import Outcome
from app.protocol.records.registry import RECORD_NAMES
from app.protocol.run import RuntimeName

OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.STOPPED)
RECORDS = [*RECORD_NAMES, *(f"diagnosis {code}" for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.is_diagnosed)]

OutcomeName = Annotated[str, Meta(description="How the run ends.", extra_json_schema={"enum": list(OUTCOMES)})]
RecordName = Annotated[str, Meta(extra_json_schema={"enum": RECORDS, "expected": "the name of a record"})]
Instrument = Annotated[
    str,
    Meta(
        extra_json_schema={
            "enum": sorted({one.name for facts in INSTRUMENTS.values() for one in facts}),
            "expected": "the name of an instrument",
        }
    ),
]
Runtime = Annotated[RuntimeName, expects(one_of(RUNTIMES), "Where it runs.")]
ExceptionName = Annotated[
    str,
    expects("the name of an exception without its module", "The name of an exception, without its module.", pattern=f"^{NAME}$"),
]


class ShowsTable(StrictTable, frozen=True):
    """What a run shows. `gradroom lessons check` compares it with a run."""

    outcome: OutcomeName | None = None
    records: Annotated[tuple[RecordName, ...], Meta(description="Exactly what is shown, in order.")] | None = None
    stdout: Annotated[Texts, Meta(description="Each is printed, in this order.")] = ()
    stderr: Annotated[Texts, Meta(description="Each is among the warnings, in this order.")] = ()
    message: Annotated[Words, Meta(description="A piece of the exception's message.")] | None = None
    values: Annotated[Texts, Meta(description='One for each "value" in records: a piece of it.')] | None = None
    figures: Annotated[Texts, Meta(description='One for each "figure" in records: a piece of its words.')] | None = None
    graph: Annotated[tuple[ShownGraph, ...], Meta(description='One for each "graph" in records.')] = ()


class RunShowsTable(ShowsTable, frozen=True):
    """What a run of a cell or a try-it shows, and its second run."""

    traced: Annotated[Texts, Meta(description="Each is among the lines that describe the second run, in this order.")] = ()


class CellTable(StrictTable, frozen=True):
    """A cell. Its code is in cells/, in a file named after its id, with underscores for hyphens."""

    id: Id
    after: After = ()
    runtime: Runtime | None = None
    raises: ExceptionName | None = None
    deadline_seconds: Seconds | None = None
    instruments: Annotated[
        tuple[Instrument, ...] | None,
        Meta(description="In addition to those that are always on. An empty list: the page does not say what is wrong with the program."),
    ] = None
    for_checks: Annotated[bool, Meta(description="Only an exercise's checks use what the cell defines. The page shows it folded.")] = False
    shows: RunShowsTable | None = None


class EditTable(StrictTable, frozen=True):
    """One edit of a cell's code."""

    find: Annotated[Words, expects("a piece of the cell's code", "A piece of the code that occurs in it exactly once.")]
    replace: Annotated[str, expects("what takes its place")]
    cell: Annotated[Id, Meta(description="The edited cell, if it is not the one that is run.")] | None = None


class TryTable(StrictTable, frozen=True):
    """An edit that the text suggests, and what the cell shows after it."""

    id: Id
    cell: Annotated[Id, expects("the id of the cell that is run", "The cell that is run.")]
    edits: Annotated[tuple[EditTable, ...], expects('a list of { find = "…", replace = "…" }, one or more', min_length=1)]
    raises: ExceptionName | None = None
    shows: RunShowsTable | None = None
