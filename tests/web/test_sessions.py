"""Cookies, and whom a run counts for."""

import stat
from pathlib import Path

import httpx
import pytest

from app.settings import Settings, SettingsError
from app.web.guards.sessions import SECRET_FILE, Sessions, load_secret, make_private
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner
from tests.web.test_unconfined import paths_of

pytestmark = pytest.mark.anyio
RUN = {"source": "x"}


async def test_the_first_visit_gives_a_cookie_that_scripts_cannot_read(client: httpx.AsyncClient) -> None:
    cookie = (await client.get("/en/")).headers["set-cookie"]
    assert cookie.startswith("learner=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie


async def test_over_https_the_cookie_is_for_https_only(client: httpx.AsyncClient) -> None:
    assert "Secure" in (await client.get("https://localhost/en/")).headers["set-cookie"]


async def test_a_cookie_names_the_same_learner_each_time(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.get("/en/")
    for _ in range(2):
        assert "set-cookie" not in (await client.post("/api/runs", json=RUN)).headers
    first, second = runner.orders
    assert first.learner == second.learner != first.address == "127.0.0.1"


async def test_a_first_run_counts_for_the_learner_whom_its_answer_names(make_app: MakeApp, runner: FakeRunner) -> None:
    async with client_of(make_app(), "203.0.113.9") as client:
        for _ in range(2):
            await client.post("/api/runs", json=RUN)
    first, second = runner.orders
    assert (first.learner, first.address) == (second.learner, second.address)
    assert first.address == "203.0.113.9" != first.learner


async def test_beyond_the_rate_of_newcomers_runs_without_a_cookie_count_for_the_address(make_app: MakeApp, runner: FakeRunner) -> None:
    async with client_of(make_app(newcomer_burst_per_address=1, newcomer_rate_per_address=0.001), "203.0.113.9") as client:
        await client.get("/en/")
        client.cookies.clear()
        await client.post("/api/runs", json=RUN)
    assert runner.orders[0].learner == "203.0.113.9"


async def test_the_first_runs_of_a_class_behind_one_address_do_not_count_against_each_other(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app(burst_per_learner=1, rate_per_learner=0.001)
    for _ in range(40):
        async with client_of(app, "203.0.113.9") as client:
            assert (await client.post("/api/runs", json=RUN)).status_code == 200
    assert len({order.learner for order in runner.orders}) == 40


@pytest.mark.parametrize("forged", ["abc", "abc.def", "", "a" * 5000])
async def test_a_forged_cookie_names_nobody(client: httpx.AsyncClient, runner: FakeRunner, forged: str) -> None:
    answer = await client.post("/api/runs", json=RUN, headers={"cookie": f"learner={forged}"})
    assert runner.orders[0].learner not in (forged, forged.partition(".")[0])
    assert "set-cookie" in answer.headers


async def test_a_whole_ipv6_network_is_one_address(make_app: MakeApp, runner: FakeRunner) -> None:
    for address in ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"):
        async with client_of(make_app(), address) as client:
            await client.post("/api/runs", json=RUN)
    first, second, third = (order.address for order in runner.orders)
    assert first == second != third


async def test_no_shared_cache_keeps_an_answer_that_gives_a_cookie(make_app: MakeApp) -> None:
    app = make_app()
    given = 0
    for path in [*paths_of(app), "/api/openapi.json", "/en", "/none", "/en/none/none", "/api/none", "/static/page-ABCD2345.css"]:
        async with client_of(app) as client:
            answer = await client.get(path)
        words = [word.strip() for word in answer.headers.get("cache-control", "").split(",")]
        if "set-cookie" in answer.headers:
            given += 1
            assert "private" in words or "no-store" in words, path
            assert "public" not in words, path
    assert given > 15


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("no-cache", "private, no-cache"),
        ("no-store", "no-store"),
        ("private, no-cache", "private, no-cache"),
        ("public, max-age=60", "private, max-age=60"),
    ],
)
def test_a_rule_for_caches_becomes_private(before: str, after: str) -> None:
    assert make_private(before) == after


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/static/page-ABCD2345.css"])
async def test_machines_and_assets_get_no_cookie(client: httpx.AsyncClient, path: str) -> None:
    assert "set-cookie" not in (await client.get(path)).headers


def test_the_secret_is_made_once_and_is_ours_alone(tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path / "new" / "state")
    secret = load_secret(settings)
    file = settings.state_folder / SECRET_FILE
    assert load_secret(settings) == secret
    assert len(secret) > 30
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.state_folder.stat().st_mode) == 0o700
    assert list(settings.state_folder.iterdir()) == [file]


def test_a_given_secret_is_taken_and_nothing_is_written(tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path / "none", cookie_secret="0123456789abcdef")
    assert load_secret(settings) == "0123456789abcdef"
    assert not settings.state_folder.exists()


def test_a_state_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="GRADROOM_STATE_FOLDER"):
        load_secret(Settings(state_folder=tmp_path / "file" / "state"))


def test_a_cookie_of_another_server_is_not_ours() -> None:
    assert Sessions("one secret").read(Sessions("another").give()) is None
