"""The TOML files about a whole course or a chapter: course.toml, chapter.toml, glossary.toml, paths.toml and cards/*.toml."""

from typing import Annotated

from msgspec import Meta

from app.lessons.model.keys import Id, Ids, Words, expects
from app.lessons.model.model import PATH_LESSONS
from app.lessons.toml.strict_tables import InLanguages, ListsInLanguages, StrictTable
from app.pitfalls.pitfall_book import load_pitfalls

FEWEST, MOST = PATH_LESSONS
PITFALL_PAGES = sorted(code for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.name)


class CourseFile(StrictTable, frozen=True):
    """course.toml: the chapters of the course."""

    chapters: Annotated[Ids, Meta(description="The ids of the chapters, which are the names of their folders, in order.")]


class PlannedTable(StrictTable, frozen=True):
    """A lesson that is still to be written. Other lessons may link to it, and the course map names it."""

    id: Id
    title: InLanguages


class ChapterFile(StrictTable, frozen=True):
    """chapter.toml: a chapter and its lessons."""

    title: InLanguages
    lessons: Annotated[Ids, Meta(description="The ids of its lessons, which are the names of their folders, in order.")]
    number: Annotated[int, Meta(ge=1, le=99, description="As the reader sees it; each only once.")] | None = None
    promise: Annotated[InLanguages, Meta(description="What it teaches, in one sentence.")] | None = None
    outcomes: Annotated[ListsInLanguages, Meta(description="What someone who has read it is able to do, one line each.")] | None = None
    planned: tuple[PlannedTable, ...] = ()


class TermTable(StrictTable, frozen=True):
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


class PathTable(StrictTable, frozen=True):
    """Some lessons in an order of their own."""

    id: Id
    title: InLanguages
    question: Annotated[InLanguages, Meta(description="For whom it is: what they ask, or want to do. One sentence.")]
    end: Annotated[InLanguages, Meta(description="What someone who has walked it is able to do, in one sentence.")]
    lessons: Annotated[
        tuple[Words, ...],
        Meta(
            min_length=FEWEST,
            max_length=MOST,
            description='Paths of lessons in order, like "autograd/leaves".',
            extra_json_schema={
                "expected": f'a list of {FEWEST} to {MOST} lessons, like "chapter/lesson"',
                "uniqueItems": True,
            },
        ),
    ]
    then: Annotated[Words, expects("the path of a lesson, chapter/lesson", "A longer lesson for which it prepares.")] | None = None


class PathsFile(StrictTable, frozen=True):
    """paths.toml: the paths through the course."""

    path: tuple[PathTable, ...] = ()


LessonPath = Annotated[Words, expects("the path of a lesson, chapter/lesson")]
PitfallCode = Annotated[str, Meta(extra_json_schema={"enum": PITFALL_PAGES, "expected": "the code of a pitfall that has a page"})]


class CardCodeTable(StrictTable, kw_only=True, frozen=True):
    """Code of a lesson's cell on a card."""

    lesson: LessonPath
    cell: Id
    first: Annotated[Words, Meta(description="The line with which it begins, if that is not the cell\u2019s first.")] | None = None
    last: Annotated[Words, Meta(description="The line with which it ends, if that is not the cell\u2019s last.")] | None = None


class CardSectionTable(StrictTable, kw_only=True, frozen=True):
    """A part of a card."""

    heading: InLanguages
    code: tuple[CardCodeTable, ...] = ()
    rules: Annotated[tuple[LessonPath, ...], Meta(description="The lessons whose rules stand here.")] = ()
    table: Annotated[LessonPath, Meta(description="The lesson whose only table stands here.")] | None = None
    pitfalls: Annotated[
        tuple[PitfallCode, ...], Meta(description="The pitfalls that are named here, with their messages and changes.")
    ] = ()


class CardFile(StrictTable, kw_only=True, frozen=True):
    """cards/*.toml: the content of a card, which is one printed sheet."""

    number: Annotated[int, Meta(ge=1, le=99, description="Its place among the cards.")]
    title: InLanguages
    purpose: Annotated[InLanguages, Meta(description="What it is good for, in one line.")]
    landscape: Annotated[bool, Meta(description="Whether the sheet lies on its side.")] = False
    section: Annotated[tuple[CardSectionTable, ...], expects("a table [[section]], one or more", min_length=1)]
