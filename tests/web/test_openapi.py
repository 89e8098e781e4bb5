"""The description of the API fits the API."""

from typing import Any

import httpx
import pytest

from app.protocol.records.registry import KINDS
from tests.web.conftest import MakeApp

pytestmark = pytest.mark.anyio
SCHEMAS = "#/components/schemas/"


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {value["$ref"]} if "$ref" in value else set().union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


@pytest.fixture
def document(make_app: MakeApp) -> dict[str, Any]:
    return make_app().openapi()


def test_every_schema_that_is_referred_to_is_there_and_no_other(document: dict[str, Any]) -> None:
    assert {f"{SCHEMAS}{name}" for name in document["components"]["schemas"]} == references(document)


def test_every_answer_has_a_schema_and_every_error_the_same_one(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for about in methods.values():
            for status, answer in about["responses"].items():
                schemas = [form["schema"] for form in answer.get("content", {}).values()]
                assert all(schemas), (path, status)
                assert bool(schemas) is (status != "204"), (path, status)
                if not status.startswith("2"):
                    assert schemas == [{"$ref": f"{SCHEMAS}ErrorBody"}], (path, status)


def test_the_body_of_a_run_is_described_from_its_model(document: dict[str, Any]) -> None:
    body = document["components"]["schemas"]["RunRequest"]
    assert body["required"] == ["source"]
    assert body["additionalProperties"] is False
    assert (body["properties"]["seed"]["minimum"], body["properties"]["seed"]["maximum"]) == (0, 2**32 - 1)


def test_a_run_answers_in_two_forms(document: dict[str, Any]) -> None:
    forms = document["paths"]["/api/runs"]["post"]["responses"]["200"]["content"]
    assert set(forms) == {"application/json", "text/event-stream"}


def test_every_route_says_who_may_use_it(document: dict[str, Any]) -> None:
    schemes = set(document["components"]["securitySchemes"])
    for path, methods in document["paths"].items():
        for about in methods.values():
            assert {name for entry in about["security"] for name in entry} <= schemes, path
    assert document["paths"]["/api/me"]["get"]["security"] == [{"learner": []}]
    assert document["paths"]["/api/sandbox"]["get"]["security"] == [{"token": []}, {"person": []}]
    assert {} in document["paths"]["/api/runs"]["post"]["security"]


def test_the_events_of_a_stream_are_a_union(document: dict[str, Any]) -> None:
    stream = document["paths"]["/api/runs"]["post"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
    union = document["components"]["schemas"][stream["contentSchema"]["$ref"].removeprefix(SCHEMAS)]
    assert set(union["discriminator"]["mapping"]) >= {"queued", "started", "stdout", "stderr", "record", "result", "error"}


def test_a_results_records_are_of_the_kinds_in_the_registry_or_unknown(document: dict[str, Any]) -> None:
    result = document["components"]["schemas"]["RunResult"]["properties"]
    listed = {ref.removeprefix(SCHEMAS) for ref in references(result["records"]["items"])}
    assert listed == {kind.type.__name__ for kind in KINDS.values()} | {"UnknownRecord"}


async def test_the_document_is_served_and_names_this_server(client: httpx.AsyncClient, document: dict[str, Any]) -> None:
    answer = await client.get("/api/openapi.json")
    assert answer.json() == document
    assert document["openapi"].startswith("3.1")
    assert [server["url"] for server in document["servers"]] == ["/"]
