"""The course as JSON: its table of contents, and each lesson with its text and cells."""

import msgspec
from fastapi import APIRouter
from starlette.responses import Response

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise, Kind
from app.lessons.model.model import Block, CellPlace, Chapter, ColumnsPlace, CoursePath, ExercisePlace, Lesson, LessonText, PredictionPlace
from app.lessons.model.prediction import Asks, Prediction
from app.protocol.run import Lang, RuntimeName
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.runs.order import find_lesson
from app.web.services import CatalogueDep, LangDep

HEADERS = {"vary": "accept-language", "cache-control": "no-cache"}

router = APIRouter(prefix="/api/lessons", tags=["Lessons"], route_class=GuardedRoute)


class LessonEntry(msgspec.Struct, kw_only=True):
    """A lesson in the table of contents. `POST /api/runs` takes its `path` as `lesson`.

    `term` is the word under which people look for it, and `ability` what they are able to do after it. In both, names of the API are in
    backquotes.
    """

    id: str
    path: str
    title: str
    term: str = ""
    ability: str = ""
    minutes: int
    runtime: str
    cells: list[str]
    predictions: list[str] = []
    exercises: list[str] = []


class ChapterEntry(msgspec.Struct, kw_only=True):
    """A chapter. `promise` is a sentence on what it teaches. A planned chapter has no lessons, and its `number` may be null."""

    id: str
    number: int | None
    title: str
    promise: str = ""
    lessons: list[LessonEntry]


class PathEntry(msgspec.Struct, kw_only=True):
    """A path through the course: the paths of its lessons, in order. `question` says for whom it is, `end` what readers can do after it."""

    id: str
    title: str
    question: str
    end: str
    minutes: int
    lessons: list[str]


class CourseAnswer(msgspec.Struct):
    """The answer of `GET /api/lessons`: the table of contents, and the paths through the course."""

    chapters: list[ChapterEntry]
    paths: list[PathEntry] = []


class CellAnswer(msgspec.Struct, kw_only=True):
    """A cell. `source` is its starter, and `after` are the cells that are run before it. `raises` is the error that ends it, or null."""

    id: str
    filename: str
    source: str
    after: list[str]
    raises: str | None
    runtime: RuntimeName


class PredictionEntry(msgspec.Struct, kw_only=True):
    """A question about what a cell will do. `question` and `choices` are HTML; `asks` is the form of the answer.

    If `asks` is "choice", the answer is the number of a choice, counted from 1. `names` are the names to choose from, besides "none".
    """

    id: str
    cell: str
    asks: Asks
    question: str
    choices: list[str]
    names: list[str]


class VisibleCheck(msgspec.Struct, kw_only=True):
    """A check that learners see. `title` is plain text."""

    id: str
    title: str


class ExerciseEntry(msgspec.Struct, kw_only=True):
    """An exercise. `html` is its task, `hints` are HTML and in the order in which they are shown, and `hidden` counts the hidden checks.

    `after` are the cells that are run before a submission. If `continues` names an exercise, this exercise's program continues the program
    of that exercise, and `starter` is only the new part.
    """

    id: str
    kind: Kind
    title: str
    html: str
    filename: str
    starter: str
    continues: str | None
    after: list[str]
    hints: list[str]
    checks: list[VisibleCheck]
    hidden: int


class LessonAnswer(msgspec.Struct, kw_only=True):
    """The answer of `GET /api/lessons/{chapter}/{lesson}`.

    In `html`, `<div data-cell="id"></div>` is the place of a cell, `<div data-prediction="id"></div>` the place of a prediction, and `<div
    data-exercise="id"></div>` the place of an exercise.
    """

    id: str
    path: str
    chapter: str
    lang: Lang
    title: str
    summary: str
    minutes: int
    runtime: str
    html: str
    cells: list[CellAnswer]
    predictions: list[PredictionEntry] = []
    exercises: list[ExerciseEntry] = []


@router.get("", summary="The chapters and lessons, in order", responses=describe_answer(CourseAnswer))
@allow(ANYONE)
async def get_lessons(catalogue: CatalogueDep, lang: LangDep) -> Response:
    chapters = [describe_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    paths = [describe_path(catalogue, path, lang) for path in catalogue.course.paths]
    return json_response(CourseAnswer(chapters, paths), headers=HEADERS)


@router.get("/{chapter}/{lesson}", summary="One lesson", responses={**describe_answer(LessonAnswer), **describe_errors(404)})
@allow(ANYONE)
async def get_lesson(chapter: str, lesson: str, catalogue: CatalogueDep, lang: LangDep) -> Response:
    return json_response(describe_lesson(find_lesson(catalogue, f"{chapter}/{lesson}"), lang), headers=HEADERS)


def describe_chapter(chapter: Chapter, lang: Lang) -> ChapterEntry:
    lessons = [
        LessonEntry(
            id=lesson.id,
            path=lesson.path,
            title=lesson.texts[lang].title,
            term=lesson.term.get(lang, ""),
            ability=lesson.ability.get(lang, ""),
            minutes=lesson.minutes,
            runtime=lesson.runtime,
            cells=[cell.id for cell in lesson.cells],
            predictions=[prediction.id for prediction in lesson.predictions],
            exercises=[exercise.id for exercise in lesson.exercises],
        )
        for lesson in chapter.lessons
    ]
    return ChapterEntry(
        id=chapter.id, number=chapter.number, title=chapter.title[lang], promise=chapter.promise.get(lang, ""), lessons=lessons
    )


def describe_path(catalogue: Catalogue, path: CoursePath, lang: Lang) -> PathEntry:
    lessons = catalogue.lessons_of(path)
    return PathEntry(
        id=path.id,
        title=path.title[lang],
        question=path.question[lang],
        end=path.end[lang],
        minutes=sum(lesson.minutes for lesson in lessons),
        lessons=[lesson.path for lesson in lessons],
    )


def describe_lesson(lesson: Lesson, lang: Lang) -> LessonAnswer:
    text = lesson.texts[lang]
    return LessonAnswer(
        id=lesson.id,
        path=lesson.path,
        chapter=lesson.chapter_id,
        lang=lang,
        title=text.title,
        summary=text.summary,
        minutes=lesson.minutes,
        runtime=lesson.runtime,
        html=join_html(text),
        cells=[
            CellAnswer(
                id=cell.id, filename=cell.filename, source=cell.source, after=list(cell.after), raises=cell.raises, runtime=cell.runtime
            )
            for cell in lesson.cells
        ],
        predictions=[describe_prediction(prediction, lang) for prediction in lesson.predictions],
        exercises=[describe_exercise(exercise, lang) for exercise in lesson.exercises],
    )


def describe_prediction(prediction: Prediction, lang: Lang) -> PredictionEntry:
    text = prediction.texts[lang]
    return PredictionEntry(
        id=prediction.id,
        cell=prediction.cell_id,
        asks=prediction.asks,
        question=text.question,
        choices=list(text.choices),
        names=list(prediction.names),
    )


def describe_exercise(exercise: Exercise, lang: Lang) -> ExerciseEntry:
    text = exercise.texts[lang]
    visible = [check.id for check in exercise.checks if not check.hidden]
    return ExerciseEntry(
        id=exercise.id,
        kind=exercise.kind,
        title=text.title,
        html=text.html,
        filename=exercise.filename,
        starter=exercise.starter,
        continues=exercise.continues,
        after=list(exercise.after),
        hints=list(text.hints),
        checks=[VisibleCheck(id=name, title=text.checks.get(name, name)) for name in visible],
        hidden=len(exercise.checks) - len(visible),
    )


def join_html(text: LessonText) -> str:
    """Return the lede and the blocks as HTML. Ids are not escaped, because they contain no special characters."""
    return "\n".join((f"<p>{text.lede_html}</p>", *map(render_block, text.blocks)))


def render_block(block: Block) -> str:
    match block:
        case CellPlace():
            return f'<div data-cell="{block.cell_id}"></div>'
        case ColumnsPlace():
            return "\n".join(render_block(CellPlace(cell_id)) for cell_id in block.cell_ids)
        case PredictionPlace():
            return f'<div data-prediction="{block.prediction_id}"></div>'
        case ExercisePlace():
            return f'<div data-exercise="{block.exercise_id}"></div>'
        case _:
            return block.html
