"""`/api/me/drafts`: versions, conflicts, earlier texts, and who and what is refused."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from app.classroom.work import drafts
from app.lessons.course.catalogue import Catalogue
from app.settings import Settings
from app.web.guards import rates
from tests.postgresql import ONLY_SQLITE
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import make_catalogue
from tests.web.kept import DRAFTS, LESSON, LockedStore, break_store, learner_of, look

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
USE = f"{DRAFTS}/use"


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
async def learner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.get("/en/")
    return client


async def save(client: httpx.AsyncClient, source: str | None, version: int, path: str = USE, **told: Any) -> httpx.Response:
    return await client.put(path, json={"source": source, "version": version, **told})


async def test_versions_count_on_and_the_same_text_is_no_conflict(learner: httpx.AsyncClient) -> None:
    assert (await save(learner, "a", 0)).json() == {"version": 1}
    assert (await save(learner, "b", 1)).json() == {"version": 2}
    assert (await save(learner, "b", 1)).json() == {"version": 2}
    answer = await learner.get(USE)
    assert answer.json()["draft"] == {"version": 2, "source": "b"}
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize(("lang", "ascii_only"), [("en", True), ("zh-Hans", False)])
async def test_a_conflict_has_the_servers_text_and_changes_nothing(learner: httpx.AsyncClient, lang: str, ascii_only: bool) -> None:
    await save(learner, "mine", 0)
    answer = await save(learner, "other", 0, lang=lang)
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert (error["code"], error["draft"]) == ("draft_conflict", {"version": 1, "source": "mine"})
    assert error["message"].isascii() is ascii_only
    assert (await learner.get(USE)).json()["draft"] == {"version": 1, "source": "mine"}


async def test_a_conflict_with_the_text_of_the_lesson_says_null(learner: httpx.AsyncClient) -> None:
    await save(learner, "mine", 0)
    await save(learner, None, 1)
    assert (await save(learner, "other", 1)).json()["error"]["draft"] == {"version": 2, "source": None}


async def test_what_was_run_can_be_looked_back_to(learner: httpx.AsyncClient) -> None:
    await save(learner, "first", 0, ran=True)
    await save(learner, "second", 1, ran=True)
    versions = (await learner.get(USE)).json()["versions"]
    assert [(one["number"], one["why"], one["source"]) for one in versions] == [(2, "run", "second"), (1, "run", "first")]
    assert versions[0]["at"].endswith("Z")


@pytest.mark.parametrize("cell", ["use", "exercise_fix", "make"])
async def test_cells_and_exercises_have_drafts(learner: httpx.AsyncClient, cell: str) -> None:
    assert (await save(learner, "a", 0, f"{DRAFTS}/{cell}")).status_code == 200
    assert (await learner.get(f"{DRAFTS}/{cell}")).json()["draft"] == {"version": 1, "source": "a"}


async def test_what_was_never_saved_is_null(learner: httpx.AsyncClient) -> None:
    assert (await learner.get(USE)).json() == {"draft": None, "versions": []}


@ONLY_SQLITE
@pytest.mark.parametrize(
    ("path", "code"),
    [
        (f"{DRAFTS}/none", "no_such_cell"),
        (f"{DRAFTS}/exercise_use", "no_such_cell"),
        (f"{DRAFTS}/exercise_", "no_such_cell"),
        (f"{DRAFTS}/fix", "no_such_cell"),
        (f"{DRAFTS}/_rule", "no_such_cell"),  # this lesson has none
        ("/api/me/drafts/one/none/use", "no_such_lesson"),
    ],
)
async def test_what_is_not_there_is_404(learner: httpx.AsyncClient, path: str, code: str) -> None:
    for answer in (await save(learner, "a", 0, path), await learner.get(path)):
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)


@ONLY_SQLITE
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"version": 0}, "source"),
        ({"source": "a"}, "version"),
        ({"source": 1, "version": 0}, "source"),
        ({"source": "é" * 32_769, "version": 0}, "source"),
        ({"source": "a", "version": -1}, "version"),
        ({"source": "a", "version": 2**31}, "version"),
        ({"source": "a", "version": "1"}, "version"),
        ({"source": "a", "version": True}, "version"),
        ({"source": "a", "version": 0, "ran": 1}, "ran"),
        ({"source": "a", "version": 0, "cell": "use"}, "cell"),
        ([], "body"),
    ],
)
async def test_a_field_that_is_not_as_it_should_be_is_named(learner: httpx.AsyncClient, body: Any, field: str) -> None:
    answer = await learner.put(USE, json=body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


@ONLY_SQLITE
async def test_a_lone_surrogate_is_422(learner: httpx.AsyncClient) -> None:
    headers = {"content-type": "application/json"}
    answer = await learner.put(USE, content=b'{"source": "\\ud800", "version": 0}', headers=headers)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "source")


async def test_the_longest_text_can_be_saved(learner: httpx.AsyncClient) -> None:
    assert (await save(learner, "é" * 32_768, 0)).status_code == 200


async def test_without_a_cookie_nothing_is_kept(client: httpx.AsyncClient) -> None:
    answer = await save(client, "a", 0)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_learner")
    assert "set-cookie" in answer.headers
    assert (await client.get(USE)).json()["draft"] is None


async def test_another_learner_sees_nothing_of_it(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as ada, client_of(app) as bob:
        for client in (ada, bob):
            await client.get("/en/")
        await save(ada, "a", 0)
        assert (await bob.get(USE)).json()["draft"] is None


@ONLY_SQLITE
@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
async def test_a_broken_store_is_named(make_app: MakeApp, settings: Settings, lang: str) -> None:
    break_store(settings)
    async with client_of(make_app()) as client:
        await client.get("/en/")
        for answer in (await save(client, "a", 0, lang=lang), await client.get(USE, headers={"accept-language": lang})):
            error = answer.json()["error"]
            assert (answer.status_code, error["code"], error["reason"]) == (503, "not_kept", "broken")
            assert {"en": "damaged", "zh-Hans": "已损坏"}[lang] in error["message"]
            assert answer.headers["retry-after"] == "10"


@ONLY_SQLITE
async def test_a_locked_store_says_so_and_can_be_read(make_app: MakeApp, settings: Settings) -> None:
    async with client_of(make_app()) as client:
        await client.get("/en/")
        await save(client, "a", 0)
        async with LockedStore(settings):
            assert (await save(client, "b", 1)).json()["error"]["reason"] == "locked"
            assert (await client.get(USE)).json()["draft"] == {"version": 1, "source": "a"}
        assert (await save(client, "b", 1)).json() == {"version": 2}


async def test_beyond_the_limit_nothing_more_is_kept_and_less_always_is(make_app: MakeApp) -> None:
    app = make_app(kept_bytes_per_learner=2000)
    async with client_of(app) as client:
        await client.get("/en/")
        await save(client, "#" * 1500, 0)
        answer = await save(client, "#" * 1500, 0, f"{DRAFTS}/make")
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_much_kept")
        assert (await save(client, "#", 1)).json() == {"version": 2}
        draft, _ = await look(app, drafts.read_draft, learner=learner_of(app, client), lesson=LESSON, cell="use")
        assert draft is not None
        assert draft.source == "#"


async def test_saving_uses_up_no_runs_and_has_words_of_its_own(monkeypatch: pytest.MonkeyPatch, make_app: MakeApp) -> None:
    monkeypatch.setattr(rates, "SAVING", replace(rates.SAVING, per_second=0.001))  # else, on a slow machine, it would never be too often
    async with client_of(make_app(burst_per_learner=1, rate_per_learner=0.001)) as client:
        await client.get("/en/")
        answers = [await client.get("/api/me") for _ in range(130)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert len(refused) == 10
        assert (refused[0].json()["error"]["code"], refused[0].json()["error"]["reason"]) == ("too_often", "saving")
        assert "saved" in refused[0].json()["error"]["message"]
        assert (await client.post("/api/runs", json={"source": "x"})).status_code == 200
