"""Addresses without a language send to the same page in the language that the browser prefers."""

from fastapi import APIRouter, Request
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.web.language import request_lang


class NameConvertor(StringConvertor):
    """The name of a chapter or a lesson, but nothing that begins an address of the app itself."""

    regex = "(?!(?:api|static|en|zh-Hans)(?:/|$))[a-z0-9-]+"


register_url_convertor("name", NameConvertor())
router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=["GET", "HEAD"])
async def get_home(request: Request) -> Response:
    """The course map."""
    return prefer(request, "")


@router.api_route("/playground", methods=["GET", "HEAD"])
async def get_playground(request: Request) -> Response:
    return prefer(request, "playground")


@router.api_route("/{chapter:name}", methods=["GET", "HEAD"])
async def get_chapter(request: Request) -> Response:
    """A chapter's place on the course map."""
    chapter = request.path_params["chapter"]
    if not request.app.state.catalogue.has_chapter(chapter):
        raise HTTPException(404)
    return prefer(request, f"#{chapter}")


@router.api_route("/{chapter:name}/{lesson:name}", methods=["GET", "HEAD"])
async def get_lesson(request: Request) -> Response:
    path = "{chapter}/{lesson}".format_map(request.path_params)
    if request.app.state.catalogue.lesson(path) is None:
        raise HTTPException(404)
    return prefer(request, path)


def prefer(request: Request, path: str) -> Response:
    return RedirectResponse(f"/{request_lang(request)}/{path}", 307, {"vary": "accept-language", "cache-control": "no-cache"})
