"""The questions that a learner should answer again, as the home page and the page \"My work\" show them."""

from dataclasses import dataclass

from app.classroom.store.stored_work_types import CourseWork, DuePrediction
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Cell
from app.protocol.run import Lang
from app.web.storing.stored_predictions import hash_question
from app.web.views.lesson.highlight import render_lines

MOST_REVIEWS = 3  # shown on a page
MOST_LINES = 12  # longer code of a review is folded


@dataclass(frozen=True, kw_only=True)
class ReviewCode:
    """The code of the cell that a question is about, or of a cell that runs before it. `lines` are HTML."""

    filename: str
    lines: tuple[str, ...]
    folded: bool


@dataclass(frozen=True, kw_only=True)
class ReviewLink:
    """A question that a learner should answer again, with its code and its address. `question_html` is HTML."""

    question_html: str
    code: tuple[ReviewCode, ...]
    lesson_title: str
    url: str


def list_reviews(catalogue: Catalogue, work: CourseWork | None, lang: Lang) -> tuple[ReviewLink, ...]:
    """Return the first MOST_REVIEWS questions that are due. Questions that the course no longer asks are left out."""
    if work is None or not work.reviews:
        return ()
    links = (link_review(catalogue, due, lang) for due in work.due)
    return tuple(link for link in links if link is not None)[:MOST_REVIEWS]


def link_review(catalogue: Catalogue, due: DuePrediction, lang: Lang) -> ReviewLink | None:
    lesson = catalogue.lesson(due.lesson)
    prediction = lesson.prediction(due.prediction) if lesson else None
    cell = lesson.cell(prediction.cell_id) if lesson and prediction else None
    if lesson is None or prediction is None or cell is None or due.about != hash_question(lesson, prediction):
        return None
    return ReviewLink(
        question_html=prediction.texts[lang].question,
        code=tuple(_show_code(one, folded=one is not cell) for one in lesson.cells if one is cell or one.id in cell.after),
        lesson_title=lesson.texts[lang].title,
        url=f"/{lang}/{lesson.path}#prediction-{prediction.id}",
    )


def _show_code(cell: Cell, *, folded: bool) -> ReviewCode:
    lines = render_lines(cell.source)
    return ReviewCode(filename=cell.filename, lines=lines, folded=folded or len(lines) > MOST_LINES)
