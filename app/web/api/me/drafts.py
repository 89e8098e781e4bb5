"""`/api/me/drafts/{chapter}/{lesson}/{cell}`: reads and saves the text of a cell, and lists earlier texts."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from app.classroom.store.stored_work_types import Why
from app.classroom.store.times import format_time, now_ms
from app.classroom.work import drafts
from app.classroom.work.own_work import RULE
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Lesson, RulePlace
from app.locale.messages import mark
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.http.errors import BadField, Missing, SavedDraft
from app.web.runs.order import find_lesson
from app.web.runs.run_request import PythonSource, ReaderLang, StrictBody
from app.web.services import LearnerDep, PrincipalDep, ServicesDep

EXERCISE = "exercise_"
RULE_CHARACTERS = 2000
CELL_WORDS = "The id of a cell, `exercise_ID` of an exercise, or `_rule`, the lesson's rule in the learner's own words"
SAVING = (
    "`version` is the one from which the text began, 0 for none. The server takes the text if that is the newest version, and adds 1 "
    "to it; if the text is the one that it has, there is no conflict; otherwise nothing is saved, and the 409 has the server's text in "
    "`error.draft`."
)
Cell = Annotated[str, Path(description=CELL_WORDS)]

router = APIRouter(prefix="/api/me/drafts/{chapter}/{lesson}", tags=["What is kept about me"], route_class=LearnerRoute)


class DraftBody(StrictBody):
    """The text of a cell. If `ran` is true, the text was run, and it is also stored as an earlier text."""

    source: PythonSource | None = Field(
        description=mark("text, at most 65,536 bytes as UTF-8, without NUL and lone surrogates; or null, for what the lesson has")
    )
    version: int = Field(ge=0, le=2**31 - 1, description=mark("the number of the version that the text began from, or 0"))
    ran: bool = Field(False, description=mark("true or false"))
    lang: ReaderLang = None


class SavedAnswer(msgspec.Struct):
    """The text is saved. `version` is the number of its version."""

    version: int


class EarlierDraft(msgspec.Struct, kw_only=True):
    """An earlier text. `why` is the reason why it was stored, and `at` the time in ISO 8601 (UTC)."""

    number: int
    why: Why
    source: str
    at: str


class DraftAnswer(msgspec.Struct, kw_only=True):
    """The present text of a cell, null if none is stored, and its earlier texts, newest first."""

    draft: SavedDraft | None
    versions: list[EarlierDraft]


@router.put(
    "/{cell}",
    summary="Save the text of a cell",
    description=SAVING,
    responses={**describe_answer(SavedAnswer, "It is saved"), **describe_errors(403, 404, 409, 413, 415, 422, 429, 503)},
)
@allow(OWN_WORK)
async def put_draft(
    request: Request, chapter: str, lesson: str, cell: Cell, body: DraftBody, services: ServicesDep, principal: PrincipalDep
) -> Response:
    request.state.lang = body.lang
    path = check_place(services.catalogue, f"{chapter}/{lesson}", cell)
    if cell == RULE and body.source is not None and len(body.source) > RULE_CHARACTERS:
        raise BadField("source", mark("at most {most} characters"), most=f"{RULE_CHARACTERS:,}")
    version = await services.store.write(
        principal,
        drafts.save_draft,
        lesson=path,
        cell=cell,
        source=body.source,
        version=body.version,
        ran=body.ran,
        now_ms=now_ms(),
        limit_bytes=services.settings.kept_bytes_per_learner,
    )
    return json_response(SavedAnswer(version))


@router.get(
    "/{cell}",
    summary="The text of a cell, and earlier ones",
    responses={**describe_answer(DraftAnswer, "As it is kept"), **describe_errors(403, 404, 429, 503)},
)
@allow(OWN_WORK)
async def get_draft(chapter: str, lesson: str, cell: Cell, services: ServicesDep, learner: LearnerDep) -> Response:
    path = check_place(services.catalogue, f"{chapter}/{lesson}", cell)
    draft, versions = await services.database.read(drafts.read_draft, learner, lesson=path, cell=cell)
    earlier = [EarlierDraft(number=one.number, why=one.why, source=one.source, at=format_time(one.at_ms)) for one in versions]
    return json_response(DraftAnswer(draft=SavedDraft(version=draft.version, source=draft.source) if draft else None, versions=earlier))


def check_place(catalogue: Catalogue, path: str, cell: str) -> str:
    """Return the path of the lesson. Raises Missing if there is no such lesson or cell."""
    lesson = find_lesson(catalogue, path)
    exercise = cell.removeprefix(EXERCISE) if cell.startswith(EXERCISE) else None
    if not (lesson.cell(cell) or (exercise and lesson.exercise(exercise)) or (cell == RULE and has_rule(lesson))):
        raise Missing("no_such_cell", mark("The lesson has no such cell."), "cell")
    return lesson.path


def has_rule(lesson: Lesson) -> bool:
    return any(isinstance(block, RulePlace) for text in lesson.texts.values() for block in text.blocks)
