"""The description of the API fits the API."""

import re
from typing import Any

import httpx
import pytest
from fastapi.openapi.utils import get_openapi

from app.web.openapi import describe_api
from tests.web.conftest import MakeApp

pytestmark = pytest.mark.anyio


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {value["$ref"]} if "$ref" in value else set().union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_schema_that_is_referred_to_is_there() -> None:
    document = describe_api()
    assert {f"#/components/schemas/{name}" for name in document["components"]["schemas"]} >= references(document)


async def test_every_address_of_the_api_is_described(make_app: MakeApp) -> None:
    served = get_openapi(title="", version="", routes=make_app().routes)["paths"]
    assert {(path.replace("{run_id}", "{id}"), *methods) for path, methods in served.items()} == {
        (path, *methods) for path, methods in describe_api()["paths"].items()
    }


async def test_the_document_is_served(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/openapi.json")
    assert answer.json()["openapi"].startswith("3.1")
    assert answer.json()["components"]["schemas"]["RunRequest"]["required"] == ["source"]
    forms = answer.json()["paths"]["/api/runs"]["post"]["responses"]["200"]["content"]
    assert set(forms) == {"application/json", "text/event-stream"}


async def test_the_viewer_is_our_own(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/docs")
    assert answer.status_code == 200
    assert re.findall(r'(?:src|href)="([^"]+)"', answer.text) == ["/static/rapidoc-ABCD2345.js", "/api/openapi.json"]
    assert "<style" not in answer.text
    assert "style=" not in answer.text.replace("render-style=", "")
