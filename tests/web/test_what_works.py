"""The page "What works here", with the runner's report and without it."""

import httpx
import msgspec
import pytest

from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.sandbox import RunnerStatus, RuntimeStatus
from app.runner.client import RunnerUnavailable
from app.web.views.reference.what_works import with_code
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
STATUS = RunnerStatus(
    ready=True,
    versions={"torch": "2.98.1", "python": "3.11.77"},
    libraries={"numpy": "7.8.9"},
    runtimes=[
        RuntimeStatus(name="torch", installed=True, state="ready", versions={"torch": "2.98.1"}),
        RuntimeStatus(name="tensorflow", installed=False, state="absent"),
        RuntimeStatus(name="jax", installed=True, state="idle"),
    ],
)


async def test_versions_are_those_that_the_runner_reports(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: STATUS
    text = (await client.get("/en/what-works")).text
    for words in (
        "3.11.77",
        "2.98.1",
        "<code>import numpy</code>",
        "7.8.9",
        "JAX",
        "it starts when it is first used",
        "SciPy and pandas are not",
    ):
        assert words in text
    assert "TensorFlow" not in text


async def test_what_is_installed_is_not_said_to_be_missing(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: msgspec.structs.replace(STATUS, libraries={"scipy": "1.17.1"})
    text = (await client.get("/en/what-works")).text
    assert "SciPy and pandas are not" not in text
    assert "SciPy is here because JAX needs it" in text


async def test_limits_are_those_of_the_settings(make_app: MakeApp) -> None:
    app = make_app(deadline_seconds=7.5, memory_bytes=768 * MEBIBYTE, graph_nodes=1234, threads=99)
    text = (await client_of(app).get("/en/what-works")).text
    for words in ("7.5 seconds", "768 MiB", "1,234 nodes", "99", f"{Limits().scratch_bytes // MEBIBYTE} MiB in up to 4,096 files"):
        assert words in text


async def test_without_the_runner_it_says_what_is_known(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    def gone() -> RunnerStatus:
        raise RunnerUnavailable("gone")

    runner.answer = gone
    text = (await client.get("/en/what-works")).text
    assert "cannot be found out at the moment" in text
    assert "10 seconds" in text
    assert "SciPy" not in text
    runner.answer = lambda: msgspec.structs.replace(STATUS, ready=False, reason="starting")
    assert "Programs cannot be run at the moment" in (await client.get("/en/what-works")).text


async def test_it_is_in_chinese_too(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: STATUS
    text = (await client.get("/zh-Hans/what-works")).text
    for words in ("<h1>这里能用什么</h1>", "哪些用不了", "<code>num_workers=0</code>", "10 秒"):
        assert words in text


async def test_it_is_linked_where_programs_are_brought(client: httpx.AsyncClient) -> None:
    assert 'href="/en/what-works"' in (await client.get("/en/playground")).text


async def test_its_address_without_a_language_leads_to_it(client: httpx.AsyncClient) -> None:
    answer = await client.get("/what-works", headers={"accept-language": "zh-CN"})
    assert answer.headers["location"] == "/zh-Hans/what-works"


def test_code_in_words_is_code_and_nothing_else_is_markup() -> None:
    assert with_code("`x < 1` & <b>") == "<code>x &lt; 1</code> &amp; &lt;b&gt;"
