"""The API's OpenAPI document, and the page on which people read and try the API: Swagger UI, served by the app itself.

FastAPI writes the document with pydantic's schemas of requests. This module adds msgspec's schemas of answers.
"""

from importlib.metadata import version
from typing import Any

import msgspec
from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Lifespan

from app.protocol.event import Failed, Queued, Started, Stderr, Stdout
from app.protocol.records.record import Record
from app.protocol.records.registry import KINDS
from app.web.guards.access import (
    ANYONE,
    AUTHOR,
    INSTRUCTOR,
    OPERATOR,
    OWN_WORK,
    SIGNED_IN,
    TEACHING,
    AccessRule,
    GuardedRoute,
    allow,
    list_rules,
)
from app.web.guards.person_cookies import PERSON_COOKIE, SECURE_PREFIX
from app.web.guards.sessions import COOKIE
from app.web.http.answer import JSON, SCHEMAS, STREAM_EVENT, answer_types, refer_to
from app.web.http.errors import ErrorBody
from app.web.pages.rendering import render

ABOUT = (
    "Runs PyTorch programs and shows their gradients. Numbers are finite: NaN and infinities are the strings `nan`, `inf` and `-inf`. "
    "What a run shows is what the program's own process says about it: nothing there contradicts itself, but a program can lie about "
    "itself. It is not a grade."
)
EVENT_WORDS = "An event of a stream: its name, and its data, which the stream has as one line of JSON."
EVENTS = {  # by name, the types of their data; describe_events adds `record`
    "queued": "Queued",
    "started": "Started",
    "stdout": "Stdout",
    "stderr": "Stderr",
    "result": "RunResult",
    "check": "CheckAnswer",
    "submission": "SubmissionAnswer",
    "prediction": "PredictionAnswer",
    "error": "Failed",
}
UNKNOWN = "UnknownRecord"
EVENT_TYPES = (Queued, Started, Stdout, Stderr, Failed)
UNKNOWN_WORDS = "A record of a kind that this document does not know; it may have any other fields. Show its `kind`, and its JSON folded."

router = APIRouter(include_in_schema=False, route_class=GuardedRoute)


class DescribedApi(FastAPI):
    """An app whose OpenAPI document also describes its answers."""

    def __init__(self, lifespan: Lifespan["DescribedApi"]) -> None:
        super().__init__(
            title="Gradroom",
            version=version("gradroom"),
            description=ABOUT,
            servers=[{"url": "/", "description": "This server"}],
            openapi_url=None,  # the routes below serve both
            docs_url=None,
            redoc_url=None,
            generate_unique_id_function=lambda route: route.name,
            responses={"default": {"description": "Any other error has the same shape", "content": {JSON: refer_to("ErrorBody")}}},
            lifespan=lifespan,
        )

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            document["components"]["schemas"] |= describe_answers()
            document["components"]["securitySchemes"] = SCHEMES
            for route, rule in list_rules(self.routes):
                if isinstance(route, APIRoute) and route.include_in_schema:
                    for method in route.methods or ():
                        document["paths"][route.path_format][method.lower()]["security"] = SECURITY[rule]
            self.openapi_schema = document
        return self.openapi_schema


SCHEMES = {
    "learner": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The cookie that the first answer gives. It names a learner, who has no account.",
    },
    "person": {
        "type": "apiKey",
        "in": "cookie",
        "name": PERSON_COOKIE,
        "description": f"The cookie of somebody who has signed in; over HTTPS its name is `{SECURE_PREFIX}{PERSON_COOKIE}`.",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "The operator's token, GRADROOM_OPERATOR_TOKEN."},
}
# by rule: a request must satisfy one entry of the list; the empty entry requires nothing
SECURITY: dict[AccessRule, list[dict[str, list[str]]]] = {
    ANYONE: [{}, {"learner": []}],
    OWN_WORK: [{"learner": []}],
    SIGNED_IN: [{"person": []}],
    TEACHING: [{"person": []}],
    INSTRUCTOR: [{"person": []}],
    OPERATOR: [{"token": []}, {"person": []}],
    AUTHOR: [{}],
}


def describe_answers() -> dict[str, Any]:
    """Return the schemas of all answers, and of every kind of record that a result may contain."""
    records = [kind.type for kind in KINDS.values()]
    _, schemas = msgspec.json.schema_components(
        [*(answer_types[name] for name in sorted(answer_types)), ErrorBody, *EVENT_TYPES, *records, Record], ref_template=SCHEMAS + "{name}"
    )
    run = {"$ref": SCHEMAS + "RunResult"}
    schemas["PredictionAnswer"]["properties"]["run"] = run
    schemas["SubmissionAnswer"]["properties"]["run"] = {"anyOf": [run, {"type": "null"}]}
    schemas[UNKNOWN] = describe_unknown(schemas.pop("Record"))
    kinds = [*(kind.__name__ for kind in records), UNKNOWN]
    schemas["RunResult"]["properties"]["records"]["items"] = {"anyOf": [{"$ref": SCHEMAS + kind} for kind in kinds]}
    simplify_drawing(schemas["FigureElement"])
    schemas |= describe_events(schemas["RunResult"]["properties"]["records"]["items"])
    return {name: close_tuples(schema) for name, schema in schemas.items()}


def describe_events(record: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas of the events of a stream: one for each name of an event, and their union. `record` is the schema of a record."""
    data = {name: {"$ref": SCHEMAS + kind} for name, kind in EVENTS.items()} | {"record": record}
    schemas: dict[str, Any] = {
        f"{name.capitalize()}Event": {
            "title": f"{name.capitalize()}Event",
            "type": "object",
            "properties": {"event": {"const": name, "type": "string"}, "data": schema},
            "required": ["event", "data"],
        }
        for name, schema in data.items()
    }
    mapping = {name: f"{SCHEMAS}{name.capitalize()}Event" for name in data}
    union = {
        "title": STREAM_EVENT,
        "description": EVENT_WORDS,
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "event", "mapping": mapping},
    }
    return schemas | {STREAM_EVENT: union}


def simplify_drawing(element: dict[str, Any]) -> None:
    """Describe the children of a drawing's element as arrays. Generators of clients do not read an array that contains itself."""
    children = next(part for part in element["prefixItems"] if "items" in part)
    children["items"] = {"type": "array", "items": {}, "description": "An element of the same form."}


def close_tuples(schema: Any) -> Any:
    """Return a schema in which tuples have no `items: false`, which generators of clients do not read. `maxItems` says the same."""
    if isinstance(schema, list):
        return [close_tuples(one) for one in schema]
    if isinstance(schema, dict):
        return {name: close_tuples(one) for name, one in schema.items() if not (name == "items" and one is False)}
    return schema


def describe_unknown(record: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a record of an unknown kind, with the fields that all records have."""
    return {**record, "title": UNKNOWN, "description": UNKNOWN_WORDS, "properties": {**record["properties"], "kind": {"type": "string"}}}


@router.get("/api/docs")
@allow(ANYONE)
async def get_docs(request: Request) -> Response:
    return render(request, "en", "api.html", title="API", description=ABOUT, script="plain.js", path=None)


@router.get("/api/openapi.json")
@allow(ANYONE)
async def get_openapi(request: Request) -> Response:
    return JSONResponse(request.app.openapi())


@router.get("/docs")
@allow(ANYONE)
async def get_usual_docs() -> Response:
    return RedirectResponse("/api/docs")


@router.get("/openapi.json")
@allow(ANYONE)
async def get_usual_openapi() -> Response:
    return RedirectResponse("/api/openapi.json")
