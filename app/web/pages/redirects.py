"""Redirects addresses without a language to the page in the browser's language, and languages in another case to our spelling."""

from fastapi import APIRouter, Request
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.lessons.model.model import LANGS
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.services import CatalogueDep, LangDep


class NameConvertor(StringConvertor):
    """Matches the name of a chapter or a lesson. Does not match "api", "static" or the tag of a language."""

    regex = "(?!(?:api|static|en|zh-Hans)(?:/|$))[a-z0-9-]+"


class OtherCaseConvertor(StringConvertor):
    """Matches the tag of a language whose case differs from ours, because some programs write addresses in lower case."""

    regex = f"(?!(?:{'|'.join(LANGS)})(?:/|$))(?i:{'|'.join(LANGS)})"


register_url_convertor("name", NameConvertor())
register_url_convertor("othercase", OtherCaseConvertor())
router = APIRouter(include_in_schema=False, route_class=GuardedRoute)


@router.api_route("/{tag:othercase}", methods=["GET", "HEAD"])
@router.api_route("/{tag:othercase}/{rest:path}", methods=["GET", "HEAD"])
@allow(ANYONE)
async def get_other_case(request: Request, tag: str) -> Response:
    lang = next(lang for lang in LANGS if lang.lower() == tag.lower())
    _, _, rest = request.url.path.removeprefix("/").partition("/")
    return RedirectResponse(request.url.replace(path=f"/{lang}/{rest}"), 308)


@router.api_route("/{chapter:name}", methods=["GET", "HEAD"])
@allow(ANYONE)
async def get_chapter(chapter: str, catalogue: CatalogueDep, lang: LangDep) -> Response:
    if catalogue.chapter(chapter) is None:
        raise HTTPException(404)
    return send_to(lang, chapter)


@router.api_route("/{chapter:name}/{lesson:name}", methods=["GET", "HEAD"])
@allow(ANYONE)
async def get_lesson(chapter: str, lesson: str, catalogue: CatalogueDep, lang: LangDep) -> Response:
    if catalogue.lesson(f"{chapter}/{lesson}") is None:
        raise HTTPException(404)
    return send_to(lang, f"{chapter}/{lesson}")


def send_to(lang: Lang, path: str) -> Response:
    return RedirectResponse(f"/{lang}/{path}", 307, {"vary": "accept-language", "cache-control": "no-cache"})
