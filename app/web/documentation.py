"""The API's description: an OpenAPI document for machines, and a page for people that is made from it."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.web.answer import json_response
from app.web.openapi import describe_api
from app.web.pages import make_page, render
from app.web.reference import list_operations, list_schemas

router = APIRouter(include_in_schema=False)


@router.get("/api/openapi.json")
async def get_openapi(request: Request) -> Response:
    return json_response(describe_api(), headers={"cache-control": "no-cache"})


@router.get("/api/docs")
async def get_docs(request: Request) -> Response:
    document = describe_api()
    about = document["info"]["description"]
    page = make_page(request, "en", title="API", description=about, script="plain.js", path="")
    return render(request, "api.html", page, operations=list_operations(document), schemas=list_schemas(document))


@router.get("/docs")
async def get_usual_docs(request: Request) -> Response:
    return RedirectResponse("/api/docs")


@router.get("/openapi.json")
async def get_usual_openapi(request: Request) -> Response:
    return RedirectResponse("/api/openapi.json")
