"""The page that shows an attempt to the class: large, runnable, and without the name of its author."""

import re
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.classes.board.shown_attempt import ShownAttempt, read_shown
from app.grading.submission_answer import SubmissionAnswer, answer_submission
from app.lessons.model.exercise import Exercise
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import TEACHING, allow
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.pages.teaching.opened_class import OpenedDep, check_id
from app.web.services import CatalogueDep, LangDep, ServicesDep
from app.web.storing.stored_submissions import NO_RUN, verdicts
from app.web.views.lesson.cell_view import view_starter
from app.web.views.lesson.highlight import render_lines

MOST_SHOWN = 100
IDS = re.compile(r"\d{1,10}(,\d{1,10}){0,99}")
SHOWN = mark("An answer of somebody in the class, without a name.")


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
    """Answer with an attempt. `among` has the ids of attempts that fail in the same way, between which the page turns.

    Raises HTTPException (404) if the course no longer has the exercise.
    """
    shown = await services.database.read(read_shown, opened.id, check_id(attempt_id))
    lesson = catalogue.lesson(shown.lesson)
    exercise = lesson.exercise(shown.exercise) if lesson else None
    if lesson is None or exercise is None:
        raise HTTPException(404)
    turns = find_turns(f"/{lang}/teach/{opened.id}/show", attempt_id, among)
    path = f"teach/{opened.id}/show/{attempt_id}" + (f"?among={among}" if turns.count > 1 else "")
    return render(
        request,
        lang,
        "teaching/projector.html",
        title=exercise.texts[lang].title,
        description=translator(lang)(SHOWN),
        script="projector.js",
        path=path,
        indexed=False,
        data={"lesson": lesson.path, "attempt": attempt_id},
        answer=grade_masked(exercise, shown, lang),
        cell=replace(view_starter(exercise, lesson), lines=render_lines(shown.attempt.source)),
        turns=turns,
        board=f"/{lang}/teach/{opened.id}",
    )


def grade_masked(exercise: Exercise, shown: ShownAttempt, lang: Lang) -> SubmissionAnswer:
    """Return the verdict on an attempt. Messages can contain output of the program, and with it the author's name, which is masked."""
    graded = answer_submission(exercise, verdicts.decode(shown.attempt.verdict), NO_RUN, lang)
    for check in graded.checks:
        check.message, check.explanation = shown.mask(check.message), shown.mask(check.explanation)
        check.facts = [type(fact)(title=fact.title, value=shown.mask(fact.value)) for fact in check.facts]
    return graded


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
