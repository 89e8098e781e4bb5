"""The images of lessons. Only addresses that the catalogue lists are served, so a request cannot reach other files."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.services import CatalogueDep

HEADERS = {
    "cache-control": "public, max-age=31536000, immutable",  # the address holds a hash of the content
    # for an SVG that a browser opens as a page
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
}

router = APIRouter(include_in_schema=False, route_class=GuardedRoute)


@router.api_route("/lessons/{chapter}/{lesson}/images/{digest}/{name}", methods=["GET", "HEAD"])
@allow(ANYONE)
async def get_picture(chapter: str, lesson: str, digest: str, name: str, catalogue: CatalogueDep) -> Response:
    image = catalogue.image(f"/lessons/{chapter}/{lesson}/images/{digest}/{name}")
    if image is None:
        raise HTTPException(404)
    return Response(image.data, media_type=image.media_type, headers=HEADERS)
