"""The page that shows an attempt to the class: large, runnable, and without the name of its author."""

import re
from dataclasses import replace
from typing import Annotated

from fastapi import Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.classes.board.shown_attempt import ShownAttempt, read_shown
from app.grading.submission_answer import SubmissionAnswer, answer_submission
from app.lessons.model.exercise import Exercise
from app.locale.messages import translator
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
    turns = find_turns(attempt_id, among)
    return render(
        request,
        lang,
        "teaching/projector.html",
        title=exercise.texts[lang].title,
        description=translator(lang)("An answer of somebody in the class, without a name."),
        script="projector.js",
        path=f"teach/{opened.id}/show/{attempt_id}" + (f"?among={among}" if len(turns) > 1 else ""),
        indexed=False,
        data={"lesson": lesson.path, "attempt": attempt_id},
        answer=grade_masked(exercise, shown, lang),
        cell=replace(view_starter(exercise, lesson), lines=render_lines(shown.attempt.source)),
        turns=turns,
        position=turns.index(attempt_id),
        board=f"/{lang}/teach/{opened.id}",
    )


def grade_masked(exercise: Exercise, shown: ShownAttempt, lang: Lang) -> SubmissionAnswer:
    """Return the verdict on an attempt. Messages can contain output of the program, and with it the author's name, which is masked."""
    graded = answer_submission(exercise, verdicts.decode(shown.attempt.verdict), NO_RUN, lang)
    for check in graded.checks:
        check.message, check.explanation = shown.mask(check.message), shown.mask(check.explanation)
        check.facts = [type(fact)(title=fact.title, value=shown.mask(fact.value)) for fact in check.facts]
    return graded


def find_turns(attempt_id: int, among: str) -> list[int]:
    """Return the ids of the attempts that are shown one after another. If `among` does not have the attempt, it is the only one."""
    ids = list(dict.fromkeys(map(int, among.split(",")))) if IDS.fullmatch(among) else []
    return ids if attempt_id in ids else [attempt_id]


router = route_pages({"/teach/{class_id:int}/show/{attempt_id:int}": get_show})
