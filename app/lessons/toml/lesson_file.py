"""The fields of lesson.toml: the lesson's own, and the tables of its cells, its predictions and the edits that are tried."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from app.lessons.model.keys import NAME, After, Count, Id, Seconds, Term, Texts, Words, expects, line_of
from app.lessons.model.model import RUNTIMES
from app.lessons.model.shows import ShownGraph
from app.lessons.toml.form import one_of
from app.lessons.toml.strict_tables import InLanguages, StrictTable
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import ASKABLE, bounds
from app.protocol.outcome import Outcome
from app.protocol.records.registry import RECORD_NAMES
from app.protocol.run import RuntimeName

AXES = 16
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


class ChoiceTable(ShowsTable, frozen=True):
    """What the run shows if this choice is right. Only the given keys are compared with a run."""

    raises: ExceptionName | None = None


class _Prediction(StrictTable, tag_field="asks", frozen=True):
    """A question about a run of a cell, which the learner answers before running the cell."""

    id: Id
    cell: Annotated[Id, expects("the id of the cell whose run decides", "The cell whose run decides.")]


Tolerance = Annotated[float, Meta(ge=0, description="How far an answer may be from the right one.")]
PrintedLine = Annotated[
    Words, expects("the printed line, with {} in place of the answer", "The printed line, with {} in place of the value or shape.")
]


class ValuePrediction(_Prediction, tag="value", frozen=True):
    """A question whose answer is a number."""

    answer: float
    tolerance: Tolerance | None = None
    reads: PrintedLine | None = None


class ShapePrediction(_Prediction, tag="shape", frozen=True):
    """A question whose answer is a shape."""

    answer: Annotated[tuple[Count, ...], expects(f"a list of at most {AXES} whole numbers", max_length=AXES)]
    reads: PrintedLine | None = None


class ChoicePrediction(_Prediction, tag="choice", frozen=True):
    """A question with choices, which are in the text. The answer is the number of a choice."""

    choice: Annotated[
        tuple[ChoiceTable, ...],
        expects("a table [[prediction.choice]] for each choice, two or more", "One for each choice in the text.", min_length=2),
    ]
    answer: Annotated[int, Meta(ge=1)]


class VerdictPrediction(_Prediction, tag="verdict", frozen=True):
    """A question whether a check passes."""

    answer: Annotated[Literal["passes", "fails"], expects(one_of(("passes", "fails")))]
    check: Annotated[Literal["gradcheck", "gradgradcheck"], Meta(description="Whose verdict is asked for.")] = "gradcheck"


class LinePrediction(_Prediction, tag="line", frozen=True):
    """A question which line raises the exception."""

    answer: Annotated[int, Meta(ge=1)]


class IsolatedPrediction(_Prediction, tag="isolated", frozen=True):
    """A question which box of the graph no edge touches."""

    names: Annotated[Texts, expects("two boxes or more to choose from", "The boxes to choose from.", min_length=2)]
    answer: Words


class NodesPrediction(_Prediction, tag="nodes", frozen=True):
    """A question how many nodes the graph has."""

    answer: Count
    tolerance: Tolerance | None = None


PredictionTable = (
    ValuePrediction | ShapePrediction | ChoicePrediction | VerdictPrediction | LinePrediction | IsolatedPrediction | NodesPrediction
)


class TermInLanguages(InLanguages, frozen=True):
    """The word under which people look for a lesson, in every language."""

    en: Term
    zh_hans: Term


class AbilityInLanguages(InLanguages, frozen=True):
    """What someone who has read a lesson is able to do, in every language."""

    en: Annotated[str, line_of(90)]
    zh_hans: Annotated[str, line_of(40)]


def _limit(name: str) -> tuple[str, Any, None]:
    least, most = bounds(name)
    kind = Seconds if name == "deadline_seconds" else Annotated[int, Meta(ge=least, le=most)]
    return name, kind | None, None


LimitsTable = msgspec.defstruct("LimitsTable", [_limit(name) for name in ASKABLE], bases=(StrictTable,), kw_only=True, frozen=True)


class LessonFile(StrictTable, rename={"tries": "try"}, frozen=True):
    """lesson.toml: a lesson's cells, predictions and suggested edits."""

    minutes: Annotated[int, Meta(ge=1, le=240, description="How long reading and running take.")]
    term: Annotated[TermInLanguages, Meta(description="The word under which people look for it, such as `no_grad`.")] | None = None
    ability: Annotated[AbilityInLanguages, Meta(description="What someone who has read it is able to do, in one line.")] | None = None
    runtime: Runtime = "torch"
    requires: Annotated[Texts, expects('a list of lessons, like "chapter/lesson"', 'Lessons that come first, like "autograd/leaves".')] = ()
    instruments: Annotated[tuple[Instrument, ...], Meta(description="Of all its cells, in addition to those that are always on.")] = ()
    limits: Annotated[LimitsTable, Meta(description="What its runs may use.")] | None = None  # type: ignore[valid-type]
    cell: tuple[CellTable, ...] = ()
    prediction: tuple[PredictionTable, ...] = ()
    tries: tuple[TryTable, ...] = ()
