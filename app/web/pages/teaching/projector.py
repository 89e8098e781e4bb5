"""The page that shows an attempt to the class: large, runnable, and without the name of its author."""

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.classes.board.shown_attempt import ShownAttempt, read_shown
from app.grading.submission_answer import CheckAnswer, HiddenAnswer, answer_submission
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import TEACHING, allow
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.pages.teaching.opened_class import OpenedDep, check_id
from app.web.services import CatalogueDep, LangDep, ServicesDep
from app.web.storing.stored_submissions import NO_RUN, verdicts
from app.web.views.lesson.cell_view import CellView
from app.web.views.lesson.highlight import render_lines

MOST_SHOWN = 100
IDS = re.compile(r"\d{1,10}(,\d{1,10}){0,99}")
SHOWN = mark("An answer of somebody in the class, without a name.")


@dataclass(frozen=True, kw_only=True)
class ShownAnswer:
    """What the page shows of an attempt. `mistake_html` is "" if no mistake was recognised."""

    lesson: str
    exercise: str
    exercise_title: str
    passed: bool
    checks: list[CheckAnswer]
    hidden: HiddenAnswer
    mistake_html: str
    cell: CellView


@dataclass(frozen=True, kw_only=True)
class ShownTurns:
    """The number of an attempt among those shown one after another, from 1. `previous` and `following` are addresses or ""."""

    number: int
    count: int
    previous: str
    following: str


@allow(TEACHING)
async def get_show(
    request: Request,
    lang: LangDep,
    services: ServicesDep,
    catalogue: CatalogueDep,
    opened: OpenedDep,
    attempt_id: int,
    among: Annotated[str, Query(max_length=1100)] = "",
) -> Response:
    """Answer with an attempt. `among` has the ids of attempts that fail in the same way, between which the page turns."""
    shown = await services.database.read(read_shown, opened.id, check_id(attempt_id))
    answer = view_answer(catalogue, shown, lang)
    turns = find_turns(f"/{lang}/teach/{opened.id}/show", attempt_id, among)
    path = f"teach/{opened.id}/show/{attempt_id}" + (f"?among={among}" if turns.count > 1 else "")
    return render(
        request,
        lang,
        "teaching/projector.html",
        title=answer.exercise_title,
        description=translator(lang)(SHOWN),
        script="projector.js",
        path=path,
        indexed=False,
        data={"lesson": answer.lesson, "attempt": attempt_id},
        answer=answer,
        turns=turns,
        board=f"/{lang}/teach/{opened.id}",
    )


def view_answer(catalogue: Catalogue, shown: ShownAttempt, lang: Lang) -> ShownAnswer:
    """Return the view of an attempt. Raises HTTPException (404) if the course no longer has the exercise."""
    lesson = catalogue.lesson(shown.lesson)
    exercise = lesson.exercise(shown.exercise) if lesson else None
    if lesson is None or exercise is None:
        raise HTTPException(404)
    graded = answer_submission(exercise, verdicts.decode(shown.attempt.verdict), NO_RUN, lang)
    for check in graded.checks:  # messages can contain output of the program, and with it the author's name
        check.message, check.explanation = shown.mask(check.message), shown.mask(check.explanation)
        check.facts = [type(fact)(title=fact.title, value=shown.mask(fact.value)) for fact in check.facts]
    numbers = {one.id: number for number, one in enumerate(lesson.cells, 1)}
    return ShownAnswer(
        lesson=lesson.path,
        exercise=exercise.id,
        exercise_title=exercise.texts[lang].title,
        passed=graded.passed,
        checks=graded.checks,
        hidden=graded.hidden,
        mistake_html=graded.mistake.html if graded.mistake else "",
        cell=CellView(
            id=f"exercise_{exercise.id}",
            number=0,
            filename=exercise.filename,
            lines=render_lines(shown.attempt.source),
            runtime=lesson.runtime,
            after=exercise.after,
            after_numbers=tuple(numbers[one] for one in exercise.after),
            exercise=exercise.id,
        ),
    )


def find_turns(address: str, attempt_id: int, among: str) -> ShownTurns:
    """Return the attempts before and after an attempt in `among`. If `among` does not have it, there are none."""
    ids = list(dict.fromkeys(map(int, among.split(",")))) if IDS.fullmatch(among) else []
    if attempt_id not in ids:
        return ShownTurns(number=1, count=1, previous="", following="")
    place = ids.index(attempt_id)
    query = f"?among={','.join(map(str, ids))}"
    before, after = ids[place - 1] if place else None, ids[place + 1] if place + 1 < len(ids) else None
    return ShownTurns(
        number=place + 1,
        count=len(ids),
        previous=f"{address}/{before}{query}" if before is not None else "",
        following=f"{address}/{after}{query}" if after is not None else "",
    )


router = route_pages({"/teach/{class_id:int}/show/{attempt_id:int}": get_show})
