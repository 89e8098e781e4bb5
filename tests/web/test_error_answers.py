"""Every error is an answer: JSON from the API, a page elsewhere."""

from pathlib import Path

import httpx
import pytest

from app.protocol.sandbox import RunnerStatus
from tests.web.conftest import MakeApp, client_of, make_assets
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio


def broken() -> RunnerStatus:
    raise ValueError("a secret detail")


@pytest.mark.parametrize("path", ["/api/none", "/static/none.js"])
async def test_an_unknown_address_of_the_api_is_404_in_json(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert set(answer.json()["error"]) == {"code", "message"}


async def test_a_wrong_method_of_the_api_is_405_and_says_what_is_allowed(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/runs")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == "method_not_allowed"
    assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/none", 404), ("GET", "/en/none/none", 404), ("POST", "/en/", 405)])
async def test_elsewhere_an_error_is_a_page(client: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "nonce=" in answer.text


async def test_a_fault_of_ours_is_500_without_details(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = broken
    answer = await client.get("/readyz")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal"
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers


async def test_when_the_error_page_fails_too_there_are_plain_words(make_app: MakeApp, tmp_path: Path) -> None:
    folder = make_assets(tmp_path / "build")
    async with client_of(make_app(static_folder=folder)) as client:
        for file in folder.glob("*.json"):
            file.unlink()
        answer = await client.get("/en/")
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/plain")
