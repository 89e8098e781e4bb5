"""The API's description for machines, an OpenAPI document, and a page that shows it to people.

The viewer is bundled with our other front-end assets; nothing comes from another host.
"""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.web.answer import encoder
from app.web.assets import load_assets
from app.web.openapi import describe_api

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gradroom API</title>
<script type="module" src="{viewer}"></script>
<rapi-doc spec-url="/api/openapi.json" load-fonts="false" render-style="view" show-header="false" allow-authentication="false">
<p>The API is described in <a href="/api/openapi.json">an OpenAPI document</a>.</p>
</rapi-doc>
"""
VIEWER = "rapidoc.js"
HEADERS = {"cache-control": "no-cache"}

router = APIRouter(prefix="/api", include_in_schema=False)


@router.get("/openapi.json")
async def get_openapi(request: Request) -> Response:
    return Response(encoder.encode(describe_api()), headers=HEADERS, media_type="application/json")


@router.get("/docs")
async def get_docs(request: Request) -> Response:
    viewer = load_assets(request.app.state.settings.static_folder).address(VIEWER)
    return HTMLResponse(PAGE.format(viewer=viewer), headers=HEADERS)
