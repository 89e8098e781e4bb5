"""A web server without a sandbox says so on every page. One that was started with a sandbox never runs an unconfined program."""

import re

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from app.lessons.course.catalogue import Catalogue
from app.main import create_app
from app.protocol.sandbox import WITHOUT_SANDBOX, RunnerStatus, SandboxReport
from app.runner.client import RunnerUnconfined
from app.settings import Settings
from tests.web.conftest import client_of, share_routes
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
UNCONFINED = RunnerStatus(ready=True, sandbox=SandboxReport(setting=WITHOUT_SANDBOX, safe=False))
BANNER = '<aside class="unconfined-warning" aria-label='
WORDS = {"en": "No sandbox: programs here may do whatever", "zh-Hans": "没有沙箱：这里的程序拥有"}
NAMES = {"chapter": "one", "lesson": "first"}
TOKEN = "an operator's token"
MISSING = ("/en/one/none", "/zh-Hans/no/thing", "/nothing")


@pytest.fixture
def app(settings: Settings, runner: FakeRunner, catalogue: Catalogue) -> FastAPI:
    return share_routes(create_app(settings.model_copy(update={"operator_token": SecretStr(TOKEN)}), runner, catalogue, unconfined=True))


def paths_of(app: FastAPI) -> list[str]:
    """Return every address of the app, with the names of the tests' lesson filled in."""
    routers = [included.original_router for included in app.routes if hasattr(included, "original_router")]  # all but the mounted assets
    routes = [route for router in routers for route in router.routes]
    paths = {str(getattr(route, "path", "")) for route in routes if "GET" in (getattr(route, "methods", None) or ())}
    return sorted(re.sub("{(\\w+)(:\\w+)?}", lambda name: NAMES.get(name[1], "x"), path) for path in paths)


async def test_every_page_has_the_banner(app: FastAPI) -> None:
    pages = 0
    async with client_of(app) as client:
        for path in (*paths_of(app), *MISSING):
            answer = await client.get(path)
            if answer.headers.get("content-type", "").startswith("text/html"):
                pages += 1
                lang = re.search('<html lang="([^"]+)"', answer.text)
                assert lang, path
                assert answer.text.count(BANNER) == 1, path
                assert WORDS[lang[1]] in answer.text, path
    assert pages >= 2 * 3 + 1 + len(MISSING)  # map, lesson and playground in both languages, the API's page, and errors


async def test_with_a_sandbox_no_page_has_it(client: httpx.AsyncClient) -> None:
    for path in ("/en/", "/zh-Hans/one/first", "/en/playground", "/api/docs", *MISSING):
        assert BANNER not in (await client.get(path)).text


async def test_an_order_agrees_to_it_only_where_the_server_was_told(app: FastAPI, client: httpx.AsyncClient, runner: FakeRunner) -> None:
    async with client_of(app) as told:
        await told.post("/api/runs", json={"source": "1"})
    await client.post("/api/runs", json={"source": "1"})
    assert [order.unconfined for order in runner.orders] == [True, False]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_runner_without_a_sandbox_is_not_used(client: httpx.AsyncClient, runner: FakeRunner, accept: str) -> None:
    runner.plays = [RunnerUnconfined("none")]
    answer = await client.post("/api/runs?lang=zh-Hans", json={"source": "1", "lang": "zh-Hans"}, headers={"accept": accept})
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unconfined"
    assert "沙箱" in answer.json()["error"]["message"]


async def test_a_runner_without_a_sandbox_is_not_ready(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: UNCONFINED
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert "no sandbox" in answer.json()["error"]["message"]


async def test_where_the_server_was_told_it_is_ready_and_not_called_safe(app: FastAPI, runner: FakeRunner) -> None:
    runner.answer = lambda: UNCONFINED
    async with client_of(app) as client:
        assert (await client.get("/readyz")).status_code == 200
        report = (await client.get("/api/sandbox", headers={"authorization": f"Bearer {TOKEN}"})).json()
    assert (report["setting"], report["safe"]) == ("none", False)
