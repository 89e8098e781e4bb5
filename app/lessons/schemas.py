"""The TOML files of a course as types, from which the JSON schemas in docs/schemas are made: editors complete and check with them.

The loader does not read with these types, because it tells every complaint with its line; a test holds the two together.
`python -m app.lessons.schemas` writes the schemas.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from app.lessons.cells.declarations import MOST, OUTCOMES, record_names
from app.lessons.cells.lesson_limits import DEADLINE_SECONDS
from app.lessons.course.lesson import MINUTES
from app.lessons.course.outline import CHAPTERS
from app.lessons.exercises.exercises import BANNED, NAME
from app.lessons.model.exercise import Kind
from app.lessons.model.prediction import Asks
from app.lessons.toml.table import IDENTIFIER, IDENTIFIER_LENGTH
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import ASKABLE, bounds
from app.protocol.run import RuntimeName

FOLDER = Path(__file__).parents[2] / "docs/schemas"
DIALECT = "http://json-schema.org/draft-07/schema#"  # which taplo reads

Id = Annotated[str, Meta(pattern=f"^{IDENTIFIER.pattern}$", max_length=IDENTIFIER_LENGTH)]
Words = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
ExceptionName = Annotated[str, Meta(pattern=r"^[A-Za-z_]\w*$", description="The name of an exception, without its module.")]
After = Annotated[list[Id], Meta(description="All cells that are replayed first, in order.")]
Runtime = Annotated[RuntimeName, Meta(description="Where it runs.")]
Memory = Annotated[int, Meta(ge=bounds("memory_bytes")[0], le=bounds("memory_bytes")[1], description="What the learner's program may use.")]
Seconds = Annotated[float, Meta(gt=0, le=DEADLINE_SECONDS, description="How long a run may take.")]
OutcomeName = Annotated[str, Meta(extra_json_schema={"enum": list(OUTCOMES)}, description="How the run ends.")]
RecordName = Annotated[str, Meta(extra_json_schema={"enum": list(record_names())})]
Instrument = Annotated[str, Meta(extra_json_schema={"enum": sorted({one.name for facts in INSTRUMENTS.values() for one in facts})})]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """No other keys."""


class InLanguages(_Strict, rename={"zh_hans": "zh-Hans"}):
    """A text in every language of the course."""

    en: Words
    zh_hans: Words


class ListsInLanguages(_Strict, rename={"zh_hans": "zh-Hans"}):
    """Texts in every language of the course, equally many in each."""

    en: list[Words]
    zh_hans: list[Words]


class CourseFile(_Strict):
    """course.toml: what there is, in order."""

    chapters: Annotated[list[Id], Meta(description="The ids of the chapters, which are the names of their folders, in order.")]


class PlannedTable(_Strict):
    """A lesson that is still to be written: others may link to it, and the map names it."""

    id: Id
    title: InLanguages


class ChapterFile(_Strict):
    """chapter.toml: a chapter and its lessons."""

    title: InLanguages
    lessons: Annotated[list[Id], Meta(description="The ids of its lessons, which are the names of their folders, in order.")]
    number: Annotated[int, Meta(ge=1, le=CHAPTERS, description="As the reader sees it; each only once.")] | UnsetType = UNSET
    promise: Annotated[InLanguages | UnsetType, Meta(description="What it teaches, in one sentence.")] = UNSET
    outcomes: Annotated[ListsInLanguages | UnsetType, Meta(description="What someone who has read it is able to do, one line each.")] = (
        UNSET
    )
    planned: list[PlannedTable] | UnsetType = UNSET


class GraphTable(_Strict):
    """What is declared of one graph."""

    connected: Annotated[list[Words], Meta(description="Names of boxes with an edge.")] | UnsetType = UNSET
    isolated: Annotated[list[Words], Meta(description="Names of boxes that no edge touches.")] | UnsetType = UNSET
    nodes: Count | UnsetType = UNSET
    edges: Count | UnsetType = UNSET


class ShowsTable(_Strict):
    """What a run shows; the check compares it with a run."""

    outcome: OutcomeName | UnsetType = UNSET
    records: Annotated[list[RecordName], Meta(description="Exactly what is shown, in order.")] | UnsetType = UNSET
    stdout: Annotated[list[Words], Meta(description="Each is printed, in this order.")] | UnsetType = UNSET
    stderr: Annotated[list[Words], Meta(description="Each is among the warnings, in this order.")] | UnsetType = UNSET
    message: Annotated[Words, Meta(description="A piece of the exception's message.")] | UnsetType = UNSET
    values: Annotated[list[Words], Meta(description='One for each "value" in records: a piece of it.')] | UnsetType = UNSET
    figures: Annotated[list[Words], Meta(description='One for each "figure" in records: a piece of its words.')] | UnsetType = UNSET
    graph: Annotated[list[GraphTable], Meta(description='One for each "graph" in records.')] | UnsetType = UNSET


class ChoiceTable(ShowsTable):
    """What the run shows if this choice is right; only what is given is compared."""

    raises: ExceptionName | UnsetType = UNSET


class CellTable(_Strict):
    """A cell; its code is in cells/, in a file of this name with underscores for hyphens."""

    id: Id
    after: After | UnsetType = UNSET
    runtime: Runtime | UnsetType = UNSET
    raises: ExceptionName | UnsetType = UNSET
    deadline_seconds: Seconds | UnsetType = UNSET
    instruments: Annotated[list[Instrument], Meta(description="In addition to those that are always on.")] | UnsetType = UNSET
    for_checks: Annotated[bool, Meta(description="Only the checks of an exercise call it; the page folds it.")] | UnsetType = UNSET
    shows: ShowsTable | UnsetType = UNSET


class PredictionTable(_Strict):
    """A question about what a cell will do, answered before it is run."""

    id: Id
    cell: Annotated[Id, Meta(description="The cell whose run decides.")]
    asks: Annotated[Asks, Meta(description="What is asked for.")]
    answer: Annotated[
        float | Words | list[Count],
        Meta(description='By asks: a number, a shape, a choice\'s number, "passes" or "fails", a line, a name.'),
    ]
    tolerance: Annotated[float, Meta(ge=0, description="Of a value or a number of nodes.")] | UnsetType = UNSET
    reads: Annotated[Words, Meta(description="The printed line, with {} in place of the value or shape.")] | UnsetType = UNSET
    check: Annotated[Literal["gradcheck", "gradgradcheck"], Meta(description="Whose verdict is asked for.")] | UnsetType = UNSET
    names: Annotated[list[Words], Meta(min_length=2, description="The boxes to choose from.")] | UnsetType = UNSET
    choice: Annotated[list[ChoiceTable], Meta(min_length=2, description="One for each choice in the text.")] | UnsetType = UNSET


class EditTable(_Strict):
    """One edit of a cell's code."""

    find: Annotated[Words, Meta(description="A piece of the code that occurs in it exactly once.")]
    replace: str
    cell: Annotated[Id, Meta(description="The edited cell, if it is not the one that is run.")] | UnsetType = UNSET


class TryTable(_Strict):
    """Something that the text invites to try."""

    id: Id
    cell: Annotated[Id, Meta(description="The cell that is run.")]
    edits: Annotated[list[EditTable], Meta(min_length=1)]
    raises: ExceptionName | UnsetType = UNSET
    shows: ShowsTable | UnsetType = UNSET


def _limit(name: str) -> tuple[str, Any, Any]:
    least, most = bounds(name)
    kind = Seconds if name == "deadline_seconds" else Annotated[int, Meta(ge=least, le=most)]
    return name, kind | UnsetType, UNSET


LimitsTable = msgspec.defstruct("LimitsTable", [_limit(name) for name in ASKABLE], bases=(_Strict,), kw_only=True)


class LessonFile(_Strict, rename={"tries": "try"}):
    """lesson.toml: a lesson's cells, predictions and tries."""

    minutes: Annotated[int, Meta(ge=1, le=MINUTES, description="How long reading and running take.")]
    runtime: Runtime | UnsetType = UNSET
    requires: Annotated[list[Words], Meta(description='Lessons that come first, like "autograd/leaves".')] | UnsetType = UNSET
    instruments: Annotated[list[Instrument], Meta(description="Of all its cells, in addition to those that are always on.")] | UnsetType = (
        UNSET
    )
    limits: Annotated[LimitsTable, Meta(description="What its runs may use.")] | UnsetType = UNSET  # type: ignore[valid-type]
    cell: list[CellTable] | UnsetType = UNSET
    prediction: list[PredictionTable] | UnsetType = UNSET
    tries: list[TryTable] | UnsetType = UNSET


class CheckTable(_Strict):
    """One check of checks.py, in its order."""

    id: Annotated[Id, Meta(description="The function's name, with hyphens for underscores.")]
    hidden: Annotated[bool, Meta(description="It is counted and not named.")] | UnsetType = UNSET


class PromiseTable(_Strict):
    """A sentence of the task that promises something, and what holds it."""

    id: Annotated[Id, Meta(description="The name of the program in broken/ that breaks it, with hyphens for underscores.")]
    words: Annotated[Words, Meta(description="The English sentence as a reader sees it, or a part of it.")]
    check: (
        Annotated[Words, Meta(description='The check that holds it, or "functions" or "bans". Not where it is about what is given.')]
        | UnsetType
    ) = UNSET


class ExerciseFile(_Strict):
    """exercise.toml: what an exercise asks for, and what decides whether it is solved."""

    kind: Kind
    continues: Annotated[Id, Meta(description="The exercise of this lesson from whose program this one goes on.")] | UnsetType = UNSET
    after: After | UnsetType = UNSET
    deadline_seconds: Seconds | UnsetType = UNSET
    memory_bytes: Memory | UnsetType = UNSET
    functions: (
        Annotated[
            list[Annotated[str, Meta(pattern=f"^{NAME.pattern}$")]],
            Meta(description="Classes that have to be the learner's own Functions."),
        ]
        | UnsetType
    ) = UNSET
    bans: (
        Annotated[
            list[Annotated[str, Meta(pattern=f"^({BANNED.pattern})$")]], Meta(description="Names and operators that must not be used.")
        ]
        | UnsetType
    ) = UNSET
    check: list[CheckTable] | UnsetType = UNSET
    promise: list[PromiseTable] | UnsetType = UNSET
    examines: Annotated[Words, Meta(description='Kind "test": the check that the learner writes.')] | UnsetType = UNSET
    subject: Annotated[Words, Meta(description='Kind "test": the name that right/ and mutants/ define.')] | UnsetType = UNSET


class TermTable(_Strict):
    """A term of the glossary."""

    name: InLanguages
    text: Annotated[InLanguages, Meta(description="What it means: Markdown, one paragraph.")]
    lesson: Annotated[Words, Meta(description='The lesson that teaches it, like "own-functions/backward".')] | UnsetType = UNSET


FILES: dict[str, Any] = {
    "course": CourseFile,
    "chapter": ChapterFile,
    "lesson": LessonFile,
    "exercise": ExerciseFile,
    "glossary": Annotated[dict[Id, TermTable], Meta(description="glossary.toml: what the words of the course mean.")],
}


def make_schema(name: str) -> dict[str, Any]:
    """The JSON schema of one kind of file."""
    return {"$schema": DIALECT, "title": f"{name}.toml", **_as_draft_7(msgspec.json.schema(FILES[name]))}


def _as_draft_7(schema: Any) -> Any:
    """What msgspec writes for the dialect of 2020, in the words of draft 7; the two differ in where definitions stand."""
    if isinstance(schema, dict):
        return {("definitions" if key == "$defs" else key): _as_draft_7(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_as_draft_7(value) for value in schema]
    return schema.replace("#/$defs/", "#/definitions/") if isinstance(schema, str) else schema


def write_schemas() -> None:
    for name in FILES:
        (FOLDER / f"{name}.json").write_text(json.dumps(make_schema(name), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
