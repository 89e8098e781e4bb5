"""The tables that declare what a run shows, such as [cell.shows]."""

from typing import Annotated

from msgspec import Meta

from app.lessons.model.keys import NAME, Texts, Words, expects
from app.lessons.model.shows import ShownGraph
from app.lessons.toml.strict_tables import StrictTable
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.outcome import Outcome
from app.protocol.records.registry import RECORD_NAMES

OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.STOPPED)
RECORDS = [*RECORD_NAMES, *(f"diagnosis {code}" for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.is_diagnosed)]

OutcomeName = Annotated[str, Meta(description="How the run ends.", extra_json_schema={"enum": list(OUTCOMES)})]
RecordName = Annotated[str, Meta(extra_json_schema={"enum": RECORDS, "expected": "the name of a record"})]
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
