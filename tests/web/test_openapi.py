"""The description of the API fits the API."""

import re
from typing import Any

import httpx
import pytest
from fastapi.openapi.utils import get_openapi

from app.web.openapi import describe_api
from app.web.reference import describe_type
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


async def test_the_page_has_every_operation_and_schema_and_no_dangling_link(client: httpx.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text.replace("<wbr>", "")
    document = describe_api()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
    ids = set(re.findall(r'<h\d id="([^"]+)"', page))
    assert ids >= set(document["components"]["schemas"])
    assert ids | {"main"} >= set(re.findall(r'href="#([^"]+)"', page))


async def test_the_page_is_our_own_and_has_no_inline_style(client: httpx.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "style=" not in page


@pytest.mark.parametrize(("usual", "ours"), [("/docs", "/api/docs"), ("/openapi.json", "/api/openapi.json")])
async def test_the_usual_addresses_lead_there(client: httpx.AsyncClient, usual: str, ours: str) -> None:
    assert (await client.get(usual)).headers["location"] == ours


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"$ref": "#/components/schemas/RunResult"}, "RunResult"),
        ({"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]}, "string, at most 9 characters or null"),
        ({"enum": ["a", "b"]}, '"a" or "b"'),
        ({"type": "array", "items": {"type": "integer", "minimum": 0}}, "list of integer ≥ 0"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": False}, "[integer, integer]"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of string"),
        ({}, "anything"),
    ],
)
def test_a_type_is_said_in_words(schema: dict[str, Any], words: str) -> None:
    assert "".join(part.text for part in describe_type(schema)) == words
