"""`GET /api/me/export` makes a zip of everything that is stored of a learner. `POST /api/me/import` imports it, also on another server.

Only one archive at a time is made or read, because each needs memory and one of the store's two reading threads. The other thread is left
for pages.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from app.classroom.archive.archive_format import ArchiveFault, ArchiveTooLarge, ImportAnswer
from app.classroom.archive.archive_reader import read_archive
from app.classroom.archive.archive_writer import write_archive
from app.classroom.store.stored_work_types import TooMuchStored
from app.classroom.store.times import now_ms, to_datetime
from app.grading.submission_answer import conceal_hidden
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import Translate, mark, translator
from app.protocol.limits import MEBIBYTE
from app.web.api.rated_route import LearnerRoute, content_type_of
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_answer, describe_errors, encoder, json_response
from app.web.http.errors import ApiError, TooLarge
from app.web.runs.result_buffers import ResultBuffer, open_buffer
from app.web.services import LangDep, LearnerDep, PrincipalDep, Services, ServicesDep
from app.web.storing.archive_import import import_archive, refuse
from app.web.storing.stored_submissions import verdicts

ZIP = "application/zip"
PIECE_BYTES = 65_536
BINARY = {"schema": {"type": "string", "format": "binary"}}
README = (
    mark("What you did in Gradroom, exported on {date}."),
    mark(
        "data.json has all of it: the cells that you ran, your predictions, what you submitted with its verdict and receipt, and the texts "
        "of your cells, earlier ones too. On another computer, import this zip into Gradroom as it is."
    ),
    mark(
        "The .py files are for you to read and run. chapter/lesson/cell.py is a cell as you left it. For an exercise, draft.py is your "
        "text, latest.py is what you submitted last, and passed.py is what passed last. rule.txt is the lesson’s rule in your own words."
    ),
    mark("If you are in a class, classes.json says in which, under which name, and what teachers wrote to you."),
    mark("Whoever has this file can read your work. It does not say who you are."),
)
TAKING = (
    "The body is the zip of an export. All of it is checked, and compared with what may be kept, before anything is taken. It is taken "
    "in parts, so that others can save meanwhile: if the server ends before the last, or can keep nothing more (503 "
    "`import_interrupted`), some of it is there, and to import the same file again adds the rest. What is already there stays: the first "
    "answer to a question, what was reached in an exercise, and a text that differs from the imported one, which then is among the "
    "cell's earlier texts. Importing again changes nothing. Imported submissions are marked: they prove nothing."
)

router = APIRouter(prefix="/api/me", tags=["What is kept about me"], route_class=LearnerRoute)


@router.get(
    "/export",
    response_class=StreamingResponse,
    summary="Everything that is kept about me, as a zip",
    description="`data.json`, which `POST /api/me/import` takes, and Python files to read.",
    responses={200: {"description": "The zip", "content": {ZIP: BINARY}}, **describe_errors(403, 429, 503)},
)
@allow(OWN_WORK)
async def get_export(request: Request, services: ServicesDep, learner: LearnerDep, lang: LangDep) -> Response:
    admit_archive(request, services)
    at_ms = now_ms()
    date = to_datetime(at_ms).date().isoformat()
    readme = write_readme(date, translator(lang))
    async with services.archive_turn:
        conceal = partial(conceal_verdict, services.catalogue)
        data = await services.database.read(write_archive, learner, readme=readme, now_ms=at_ms, conceal=conceal)
    headers = {
        "content-disposition": f'attachment; filename="gradroom-{date}.zip"',
        "content-length": str(len(data)),
        "cache-control": "no-store",
    }
    return StreamingResponse(send_pieces(data, open_buffer(request, services.result_buffers)), headers=headers, media_type=ZIP)


@router.post(
    "/import",
    summary="Import an export",
    description=TAKING,
    responses={**describe_answer(ImportAnswer, "What was taken"), **describe_errors(403, 413, 415, 422, 429, 503)},
    openapi_extra={"requestBody": {"required": True, "content": {ZIP: BINARY}}},
)
@allow(OWN_WORK)
async def post_import(request: Request, services: ServicesDep, principal: PrincipalDep) -> Response:
    if content_type_of(request) != ZIP:
        raise ApiError("wrong_type", mark("The content type must be application/zip."), status=415)
    admit_archive(request, services)
    await services.store.reserve(principal, 1)  # refuses a learner who may add nothing before the zip is read
    try:
        body = await request.body()
    except TooLarge:
        raise refuse(ArchiveTooLarge("zip", services.settings.archive_bytes // MEBIBYTE)) from None
    limit_bytes = services.settings.kept_bytes_per_learner
    try:
        async with services.archive_turn:
            archive = await asyncio.to_thread(read_archive, body, limit_bytes=limit_bytes, now_ms=now_ms())
            return json_response(await import_archive(services.database, services.store, principal, archive, limit_bytes))
    except (ArchiveFault, TooMuchStored) as error:
        raise refuse(error) from error


def conceal_verdict(catalogue: Catalogue, path: str, exercise_id: str, verdict: bytes) -> bytes:
    lesson = catalogue.lesson(path)
    exercise = lesson.exercise(exercise_id) if lesson else None
    return encoder.encode(conceal_hidden(exercise, verdicts.decode(verdict)))


def admit_archive(request: Request, services: Services) -> None:
    """Count an archive against the learner's rate for saving, like a body of the greatest length. Raises TooOften."""
    services.rates.admit_saving(request.state.principal, "", time.monotonic())


def write_readme(date: str, translate: Translate) -> str:
    return "\n\n".join(translate(words).format(date=date) for words in README) + "\n"


async def send_pieces(data: bytes, buffer: ResultBuffer) -> AsyncIterator[bytes]:
    """Iterate over the zip in pieces.

    All of it counts as buffered until the last piece is sent, so a slow client may be disconnected (app.buffered_bytes).
    """
    with buffer:
        buffer.count(len(data))
        for start in range(0, len(data), PIECE_BYTES):
            yield data[start : start + PIECE_BYTES]
