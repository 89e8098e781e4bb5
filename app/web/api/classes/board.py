"""`/api/classes/{class_id}/board`: who needs help in a class, at once or as a stream of events."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial

from fastapi import APIRouter, Request
from fastapi.sse import format_sse_event
from starlette.responses import Response

from app.locale.messages import mark
from app.web.api.events import EndlessResponse
from app.web.classes.board_feed import BoardEnded, BoardViewer
from app.web.classes.board_words import BoardAnswer, BoardWords, read_answer
from app.web.guards.access import TEACHING, GuardedRoute, allow
from app.web.http.answer import EVENT_STREAM, describe_answer, describe_errors, encoder, json_response
from app.web.http.errors import ApiError
from app.web.pages.teaching.opened_class import OpenedDep
from app.web.services import LangDep, PersonDep, PrincipalDep, ServicesDep

STREAM = (
    "A stream of server-sent events. `board` has a board: first all rows, then what has changed, within a second of each change; every "
    "ten seconds it comes without rows, with the time alone. `unreadable {}` says that the board cannot be read at this moment. `ended "
    "{}` is the last event if you no longer teach the class or are signed out."
)

router = APIRouter(prefix="/api/classes", tags=["Classes"], route_class=GuardedRoute)


@router.get(
    "/{class_id:int}/board",
    summary="Who needs help in a class",
    responses={**describe_answer(BoardAnswer, "The board"), **describe_errors(403, 404, 503)},
)
@allow(TEACHING)
async def get_board(services: ServicesDep, opened: OpenedDep, lang: LangDep) -> Response:
    return json_response(await read_answer(services.database, services.boards.failures, services.catalogue, opened.id, lang))


@router.get(
    "/{class_id:int}/board/events",
    summary="Follow who needs help in a class",
    description=STREAM,
    responses={**describe_answer(BoardAnswer, "The data of `board`", other_forms=(EVENT_STREAM,)), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def get_board_events(
    request: Request, services: ServicesDep, opened: OpenedDep, principal: PrincipalDep, person: PersonDep, lang: LangDep
) -> Response:
    if not services.boards.has_room(opened.id):
        words = mark("Too many people look at this board right now. Please try again shortly.")
        raise ApiError("too_many_viewers", words, status=429)
    assert principal.session_id is not None
    viewer = services.boards.open(opened.id, person.id, principal.session_id)
    events = follow(viewer, BoardWords(services.catalogue, lang))
    return EndlessResponse(request, events, viewer.end, partial(services.boards.close, opened.id, viewer))


async def follow(viewer: BoardViewer, words: BoardWords) -> AsyncIterator[bytes]:
    """Yield the events of a board as bytes. The last one is `ended` if the viewer may no longer see the board."""
    try:
        async with aclosing(viewer.changes()) as changes:
            async for change in changes:
                if change is None:
                    yield event("unreadable", b"{}")
                else:
                    yield event("board", encoder.encode(words.answer(change)))
    except BoardEnded:
        yield event("ended", b"{}")


def event(name: str, data: bytes) -> bytes:
    return format_sse_event(event=name, data_str=data.decode())
