"""The OpenAPI document. Its paths are written here, its schemas come from the protocol's types."""

from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from app.protocol.event import RunEvent
from app.protocol.records.registry import KINDS
from app.protocol.run import RunRequest, RunResult
from app.protocol.sandbox import SandboxAnswer
from app.web.errors import ErrorBody
from app.web.lessons import CourseAnswer, LessonAnswer

TYPES = (RunRequest, RunResult, RunEvent, SandboxAnswer, CourseAnswer, LessonAnswer, ErrorBody)
LISTS = {"display": "displays", "function": "functions", "diagnosis": "diagnoses"}
SCHEMAS = "#/components/schemas/"
STREAM = (
    "It answers with its result or, where `text/event-stream` is accepted, with server-sent events, each with a sequence number from 0 "
    "as its `id` and JSON as its `data`: `queued {id, position}` (again when the position changes), `started {id}`, then any of "
    "`stdout {text}`, `stderr {text}`, `display` (a display), `diagnosis` (a diagnosis) in the order they happened, and at last `result` "
    "(a RunResult), or `error {code, message}` when the fault is ours. Closing the connection kills the run."
)
LANG = {
    "name": "lang",
    "in": "query",
    "schema": {"enum": ["en", "zh-Hans"]},
    "description": "The language of the answer; without it, Accept-Language decides.",
}


@cache
def describe_api() -> dict[str, Any]:
    """The whole document, as OpenAPI 3.1."""
    types = [kind.type for kind in KINDS.values()]
    _, components = msgspec.json.schema_components([*TYPES, *types], ref_template=SCHEMAS + "{name}")
    for family, name in LISTS.items():
        refs = [{"$ref": SCHEMAS + kind.type.__name__} for kind in KINDS.values() if kind.family == family]
        components["RunResult"]["properties"][name]["items"] = {"anyOf": refs}
    about = (
        "Runs PyTorch programs and shows their gradients. Numbers are finite: NaN and infinities are the strings `nan`, `inf` and `-inf`."
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gradroom", "version": version("gradroom"), "description": about},
        "paths": {
            "/api/runs": {"post": describe_run()},
            "/api/runs/{id}": {"delete": describe_stop()},
            "/api/lessons": {"get": describe_get("The chapters and lessons, in order", "CourseAnswer", [LANG])},
            "/api/lessons/{chapter}/{lesson}": {
                "get": describe_get("One lesson", "LessonAnswer", [in_path("chapter"), in_path("lesson"), LANG], 404)
            },
            "/api/sandbox": {"get": describe_get("What confines the runs; for operators", "SandboxAnswer", [], 403, 503)},
            "/healthz": {"get": describe_probe("The process is up")},
            "/readyz": {"get": describe_probe("It can run code", 503)},
            "/metrics": {"get": {"summary": "Figures for Prometheus", "responses": {"200": {"description": "Prometheus text"}}}},
        },
        "components": {"schemas": components},
    }


def describe_run() -> dict[str, Any]:
    forms = {**json_of("RunResult"), "text/event-stream": {"schema": {"type": "string"}}}
    header = {"X-Run-Id": {"schema": {"type": "string"}, "description": "The id that stops the run"}}
    return {
        "summary": "Run a program",
        "description": STREAM,
        "requestBody": {"required": True, "content": json_of("RunRequest")},
        "responses": {"200": {"description": "It ran", "headers": header, "content": forms}, **errors(404, 413, 415, 422, 429, 503)},
    }


def describe_stop() -> dict[str, Any]:
    stopped = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    content = {"application/json": {"schema": stopped}}
    responses = {"202": {"description": "It is being stopped", "content": content}, **errors(404, 503)}
    return {"summary": "Stop a run", "parameters": [in_path("id")], "responses": responses}


def describe_get(summary: str, answer: str, parameters: list[dict[str, Any]], *statuses: int) -> dict[str, Any]:
    responses = {"200": {"description": summary, "content": json_of(answer)}, **errors(*statuses)}
    return {"summary": summary, "parameters": parameters, "responses": responses}


def describe_probe(summary: str, *statuses: int) -> dict[str, Any]:
    return {"summary": summary, "responses": {"200": {"description": summary}, **errors(*statuses)}}


def in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def json_of(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": SCHEMAS + schema}}}


def errors(*statuses: int) -> dict[str, Any]:
    """The answers that are errors: all have the same shape."""
    meanings = {
        403: "Not allowed",
        404: "There is no such thing",
        413: "The body is too large",
        415: "The body is not JSON",
        422: "A field is not as it should be",
        429: "Too many runs wait; Retry-After says when to come back",
        503: "The server cannot do it right now",
    }
    return {str(status): {"description": meanings[status], "content": json_of("ErrorBody")} for status in statuses}
