"""The tables [[cell]] and [[try]] of lesson.toml: cells, and edits of them that the text suggests."""

from typing import Annotated

from msgspec import Meta

from app.lessons.model.keys import After, Id, Seconds, Words, expects
from app.lessons.model.model import RUNTIMES
from app.lessons.toml.form import one_of
from app.lessons.toml.shows_tables import ExceptionName, RunShowsTable
from app.lessons.toml.strict_tables import StrictTable
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.run import RuntimeName

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
