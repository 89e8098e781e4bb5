"""The TOML files of a course as types. The loader checks files with them; app.lessons.schemas makes the JSON schemas from them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from app.lessons.model.course_path import LESSONS
from app.lessons.model.exercise import CheckFacts, Promise
from app.lessons.model.keys import Count, Id, Ids, Term, Texts, Words, expects, line_of
from app.lessons.model.model import RUNTIMES
from app.lessons.model.shows import ShownGraph
from app.lessons.toml.form import one_of
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.limits import ASKABLE, bounds
from app.protocol.outcome import Outcome
from app.protocol.records.registry import RECORD_NAMES
from app.protocol.run import Lang, RuntimeName

OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.STOPPED)
PITFALL_PAGES = sorted(code for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.name)
RECORDS = [*RECORD_NAMES, *(f"diagnosis {code}" for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.is_diagnosed)]
AXES = 16
NAME = r"[A-Za-z_]\w*"

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
Seconds = Annotated[float, Meta(gt=0, le=60, description="How long a run may take.")]
ExceptionName = Annotated[
    str,
    expects("the name of an exception without its module", "The name of an exception, without its module.", pattern=f"^{NAME}$"),
]
After = Annotated[Ids, Meta(description="All cells that are replayed first, in order.")]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A table in which unknown keys are faults."""


class InLanguages(_Strict, rename={"zh_hans": "zh-Hans"}, frozen=True):
    """A text in every language of the course."""

    en: Annotated[Words, expects("the {table}")]
    zh_hans: Annotated[Words, expects("the {table}")]


class TermInLanguages(InLanguages, frozen=True):
    """The word under which people look for a lesson, in every language."""

    en: Term
    zh_hans: Term


class AbilityInLanguages(InLanguages, frozen=True):
    """What someone who has read a lesson is able to do, in every language."""

    en: Annotated[str, line_of(90)]
    zh_hans: Annotated[str, line_of(40)]


class ListsInLanguages(_Strict, rename={"zh_hans": "zh-Hans"}, frozen=True):
    """Texts in every language of the course, equally many in each."""

    en: Annotated[Texts, expects("the {table}")]
    zh_hans: Annotated[Texts, expects("the {table}")]


def by_language(texts: InLanguages | ListsInLanguages | None) -> dict[Lang, Any]:
    """Return the values of a table by language. Without a table, return an empty dict."""
    return {} if texts is None else {"en": texts.en, "zh-Hans": texts.zh_hans}


class CourseFile(_Strict, frozen=True):
    """course.toml: the chapters of the course."""

    chapters: Annotated[Ids, Meta(description="The ids of the chapters, which are the names of their folders, in order.")]


class PlannedTable(_Strict, frozen=True):
    """A lesson that is still to be written. Other lessons may link to it, and the course map names it."""

    id: Id
    title: InLanguages


class ChapterFile(_Strict, frozen=True):
    """chapter.toml: a chapter and its lessons."""

    title: InLanguages
    lessons: Annotated[Ids, Meta(description="The ids of its lessons, which are the names of their folders, in order.")]
    number: Annotated[int, Meta(ge=1, le=99, description="As the reader sees it; each only once.")] | None = None
    promise: Annotated[InLanguages, Meta(description="What it teaches, in one sentence.")] | None = None
    outcomes: Annotated[ListsInLanguages, Meta(description="What someone who has read it is able to do, one line each.")] | None = None
    planned: tuple[PlannedTable, ...] = ()


class ShowsTable(_Strict, frozen=True):
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


class ChoiceTable(ShowsTable, frozen=True):
    """What the run shows if this choice is right. Only the given keys are compared with a run."""

    raises: ExceptionName | None = None


class CellTable(_Strict, frozen=True):
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


class _Prediction(_Strict, tag_field="asks", frozen=True):
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


class EditTable(_Strict, frozen=True):
    """One edit of a cell's code."""

    find: Annotated[Words, expects("a piece of the cell's code", "A piece of the code that occurs in it exactly once.")]
    replace: Annotated[str, expects("what takes its place")]
    cell: Annotated[Id, Meta(description="The edited cell, if it is not the one that is run.")] | None = None


class TryTable(_Strict, frozen=True):
    """An edit that the text suggests, and what the cell shows after it."""

    id: Id
    cell: Annotated[Id, expects("the id of the cell that is run", "The cell that is run.")]
    edits: Annotated[tuple[EditTable, ...], expects('a list of { find = "…", replace = "…" }, one or more', min_length=1)]
    raises: ExceptionName | None = None
    shows: RunShowsTable | None = None


MemoryBytes = Annotated[
    int, Meta(ge=bounds("memory_bytes")[0], le=bounds("memory_bytes")[1], description="What the learner's program may use.")
]


def _limit(name: str) -> tuple[str, Any, None]:
    least, most = bounds(name)
    kind = Seconds if name == "deadline_seconds" else Annotated[int, Meta(ge=least, le=most)]
    return name, kind | None, None


LimitsTable = msgspec.defstruct("LimitsTable", [_limit(name) for name in ASKABLE], bases=(_Strict,), kw_only=True, frozen=True)


class LessonFile(_Strict, rename={"tries": "try"}, frozen=True):
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


class _Exercise(_Strict, tag_field="kind", frozen=True):
    """exercise.toml: what a learner's program must do, and which checks decide whether it does."""

    continues: Annotated[Id, Meta(description="The exercise of this lesson from whose program this one goes on.")] | None = None
    after: After = ()
    deadline_seconds: Seconds | None = None
    memory_bytes: MemoryBytes | None = None
    functions: Annotated[
        tuple[Annotated[str, expects("the name of a class", pattern=f"^{NAME}$")], ...],
        Meta(description="Classes that have to be the learner's own Functions."),
    ] = ()
    bans: Annotated[
        tuple[
            Annotated[
                str,
                expects('a dotted name, like "torch.exp", or an operator, like "**"', pattern=rf"^({NAME}(\.{NAME})*|\*\*|[@*/+-])$"),
            ],
            ...,
        ],
        Meta(description="Names and operators that must not be used."),
    ] = ()
    promise: tuple[Promise, ...] = ()


class _CheckedExercise(_Exercise, kw_only=True, frozen=True):
    check: Annotated[tuple[CheckFacts, ...], expects("a table [[check]] for each check of checks.py, one or more", min_length=1)]


class BlankExercise(_CheckedExercise, tag="blank", frozen=True):
    """The starter has blanks to fill in."""


class FixExercise(_CheckedExercise, tag="fix", frozen=True):
    """The starter has a mistake to find."""


class WriteExercise(_CheckedExercise, tag="write", frozen=True):
    """The learner writes the program."""


class TestExercise(_Exercise, tag="test", kw_only=True, frozen=True):
    """The learner writes a check, which is tried on right and wrong programs."""

    examines: Annotated[Words, expects("the name of the check that the learner writes", "The check that the learner writes.")]
    subject: Annotated[Words, expects("the name that right/*.py and mutants/*.py define", "The name that right/ and mutants/ define.")]


ExerciseFile = BlankExercise | FixExercise | WriteExercise | TestExercise


class TermTable(_Strict, frozen=True):
    """A term of the glossary."""

    name: InLanguages
    text: Annotated[InLanguages, Meta(description="What it means: Markdown, one paragraph.")]
    pinyin: Annotated[
        str,
        expects(
            'a syllable for each Chinese character of the name, without tones, as in "fan xiang chuan bo"',
            "The Chinese name\u2019s syllables, by which the glossary is sorted: one for each Chinese character, without tones.",
            pattern="^([a-z]+( [a-z]+)*)?$",
        ),
    ] = ""
    lesson: (
        Annotated[Words, expects("the path of a lesson, chapter/lesson", 'The lesson that teaches it, like "own-functions/backward".')]
        | None
    ) = None


class PathTable(_Strict, frozen=True):
    """Some lessons in an order of their own."""

    id: Id
    title: InLanguages
    question: Annotated[InLanguages, Meta(description="For whom it is: what they ask, or want to do. One sentence.")]
    end: Annotated[InLanguages, Meta(description="What someone who has walked it is able to do, in one sentence.")]
    lessons: Annotated[
        tuple[Words, ...],
        Meta(
            min_length=LESSONS[0],
            max_length=LESSONS[1],
            description='Paths of lessons in order, like "autograd/leaves".',
            extra_json_schema={"expected": f'a list of {LESSONS[0]} to {LESSONS[1]} lessons, like "chapter/lesson"', "uniqueItems": True},
        ),
    ]
    then: Annotated[Words, expects("the path of a lesson, chapter/lesson", "A longer lesson for which it prepares.")] | None = None


class PathsFile(_Strict, frozen=True):
    """paths.toml: the paths through the course."""

    path: tuple[PathTable, ...] = ()


LessonPath = Annotated[Words, expects("the path of a lesson, chapter/lesson")]
PitfallCode = Annotated[str, Meta(extra_json_schema={"enum": PITFALL_PAGES, "expected": "the code of a pitfall that has a page"})]


class CardCodeTable(_Strict, kw_only=True, frozen=True):
    """Code of a lesson's cell on a card."""

    lesson: LessonPath
    cell: Id
    first: Annotated[Words, Meta(description="The line with which it begins, if that is not the cell\u2019s first.")] | None = None
    last: Annotated[Words, Meta(description="The line with which it ends, if that is not the cell\u2019s last.")] | None = None


class CardSectionTable(_Strict, kw_only=True, frozen=True):
    """A part of a card."""

    heading: InLanguages
    code: tuple[CardCodeTable, ...] = ()
    rules: Annotated[tuple[LessonPath, ...], Meta(description="The lessons whose rules stand here.")] = ()
    table: Annotated[LessonPath, Meta(description="The lesson whose only table stands here.")] | None = None
    pitfalls: Annotated[
        tuple[PitfallCode, ...], Meta(description="The pitfalls that are named here, with their messages and changes.")
    ] = ()


class CardFile(_Strict, kw_only=True, frozen=True):
    """cards/*.toml: what stands on a card, one printed sheet."""

    number: Annotated[int, Meta(ge=1, le=99, description="Its place among the cards.")]
    title: InLanguages
    purpose: Annotated[InLanguages, Meta(description="What it is good for, in one line.")]
    landscape: Annotated[bool, Meta(description="Whether the sheet lies on its side.")] = False
    section: Annotated[tuple[CardSectionTable, ...], expects("a table [[section]], one or more", min_length=1)]


FILES: Mapping[str, Any] = {
    "course": CourseFile,
    "chapter": ChapterFile,
    "lesson": LessonFile,
    "exercise": ExerciseFile,
    "card": CardFile,
    "glossary": Annotated[dict[Id, TermTable], Meta(description="glossary.toml: what the words of the course mean.")],
    "paths": PathsFile,
}
