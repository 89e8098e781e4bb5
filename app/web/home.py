"""`/` sends to the course map in the language the browser prefers."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.web.language import request_lang

router = APIRouter()


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
async def get_home(request: Request) -> Response:
    return RedirectResponse(f"/{request_lang(request)}/", 307, {"vary": "accept-language", "cache-control": "no-cache"})
