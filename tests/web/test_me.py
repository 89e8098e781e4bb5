"""`/api/me`: what is stored, its deletion, a new cookie, reviews; and that no other site can do any of it."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.classroom.people import audit
from app.classroom.store.engine import WRITE_PATIENCE_SECONDS
from app.classroom.store.stored_work_types import Holdings, StoredAttempt
from app.classroom.work import progress
from app.lessons.course.catalogue import Catalogue
from app.settings import Settings
from app.web.storing.stored_submissions import StoredSubmissions
from tests.classroom.sample_archives import pack
from tests.postgresql import ONLY_SQLITE
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import DRAFTS, LESSON, LockedStore, break_store, kept_of, learner_of, look, services_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
PATIENCE = 60
SECRET_WORK = "what-only-this-learner-wrote"
CHANGES = [
    ("DELETE", "/api/me", None),
    ("POST", "/api/me/leave", None),
    ("PUT", "/api/me/reviews", {"on": False}),
    ("POST", "/api/me/work", {"lesson": LESSON, "cells": ["use"]}),
    ("PUT", f"{DRAFTS}/use", {"source": "x", "version": 0}),
]
READS = ["/api/me", f"/api/me/attempts?exercise={LESSON}/fix", f"{DRAFTS}/use"]


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading())


async def do_work(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    await client.post(SUBMISSIONS, json={"source": f"# {SECRET_WORK}"}, headers={"idempotency-key": "a"})
    await client.put(f"{DRAFTS}/use", json={"source": f"# {SECRET_WORK}", "version": 0, "ran": True})
    await client.post("/api/me/work", json={"lesson": LESSON, "cells": ["use"], "hints": {"fix": 1}})


async def test_what_is_kept_is_summed_up(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    nothing = (await client.get("/api/me")).json()
    assert (nothing["made_ms"], nothing["attempts"], nothing["reviews"]) == (None, 0, True)
    await do_work(client)
    holdings = (await client.get("/api/me")).json()
    assert set(holdings) == {*Holdings.__struct_fields__, "retention_days", "limit_bytes", "classes"}
    counts = {name: holdings[name] for name in ("cells", "predictions", "exercises", "attempts", "drafts", "versions")}
    assert counts == {"cells": 1, "predictions": 0, "exercises": 1, "attempts": 1, "drafts": 1, "versions": 1}
    assert holdings["bytes"] > 0
    assert (holdings["retention_days"], holdings["limit_bytes"]) == (400, 64 * 2**20)


@ONLY_SQLITE
async def test_deletion_leaves_nothing_in_the_files_and_gives_a_new_cookie(make_app: MakeApp, settings: Settings) -> None:
    app = make_app()
    async with client_of(app) as client:
        await do_work(client)
        before = learner_of(app, client)
        await services_of(app).database.write(audit.append, 1, audit.COMMAND_LINE, "learner exported", audit.name_learner(before))
        answer = await client.delete("/api/me")
        assert (answer.status_code, answer.content) == (204, b"")
        assert learner_of(app, client) != before
        assert (await client.get("/api/me")).json()["made_ms"] is None
        assert await kept_of(client) == {"drafts": {}, "cells": [], "predictions": {}, "exercises": {}}
        assert (await look(app, progress.read_course_work, learner=before, now_ms=0)).seen_ms is None
    await asyncio.wrap_future(services_of(app).database.scrub())
    files = list(settings.state_folder.glob("classroom.sqlite3*"))
    assert files
    assert not [file for file in files if holds(file, SECRET_WORK, before)]


async def test_what_is_under_way_when_all_is_deleted_is_not_kept(make_app: MakeApp, runner: FakeRunner) -> None:
    app, verdict = make_app(), asyncio.Event()
    save = StoredSubmissions.save

    async with client_of(app) as client, client_of(app) as other_tab:
        await do_work(client)
        other_tab.cookies.update(client.cookies)
        name, old = learner_of(app, client), client.cookies["learner"]
        submissions = services_of(app).submissions
        deciding = asyncio.Event()

        async def save_later(*graded: Any) -> StoredAttempt | None:
            deciding.set()
            await verdict.wait()
            return await save(submissions, *graded)

        submissions.save = save_later  # type: ignore[method-assign]
        under_way = asyncio.create_task(other_tab.post(SUBMISSIONS, json={"source": f"# {SECRET_WORK}"}))
        await deciding.wait()
        assert (await client.delete("/api/me")).status_code == 204
        verdict.set()
        told = (await under_way).json()
        assert (told["receipt"], told["not_kept"]) == (None, "no_learner")
        saved = await other_tab.put(f"{DRAFTS}/use", json={"source": SECRET_WORK, "version": 0}, headers={"cookie": f"learner={old}"})
        assert (saved.status_code, saved.json()["error"]["code"]) == (403, "no_learner")
        assert learner_of(app, other_tab) != name  # it was given a new cookie
        assert (await look(app, progress.read_course_work, learner=name, now_ms=0)).seen_ms is None


@ONLY_SQLITE
async def test_a_deletion_that_fails_says_so_and_leaves_the_learner_as_it_was(make_app: MakeApp, settings: Settings) -> None:
    app = make_app()
    async with client_of(app) as client:
        await do_work(client)
        async with LockedStore(settings):
            answer = await client.delete("/api/me")
            assert (answer.status_code, answer.json()["error"]["reason"]) == (503, "locked")
            assert "set-cookie" not in answer.headers
        assert (await client.get("/api/me")).json()["attempts"] == 1
        assert (await client.put(f"{DRAFTS}/use", json={"source": "x", "version": 1})).status_code == 200


@ONLY_SQLITE
async def test_a_deletion_is_true_at_its_answer_also_while_somebody_reads(make_app: MakeApp, settings: Settings) -> None:
    """Its traces are removed once nobody reads an earlier state. No other change waits for that."""
    app = make_app()
    async with client_of(app) as client, client_of(app) as other:
        await do_work(client)
        await other.get("/en/")
        name, database = learner_of(app, client), services_of(app).database
        reader = sqlite3.connect(settings.state_folder / "classroom.sqlite3", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM learner").fetchall()
        began = time.monotonic()
        assert (await client.delete("/api/me")).status_code == 204
        assert (await other.put(f"{DRAFTS}/use", json={"source": "x", "version": 0})).status_code == 200
        assert time.monotonic() - began < WRITE_PATIENCE_SECONDS
        assert (await client.get("/api/me")).json()["made_ms"] is None
        assert learner_of(app, client) != name
        reader.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wrap_future(database.scrub())
    assert not [file for file in settings.state_folder.glob("classroom.sqlite3*") if holds(file, SECRET_WORK, name)]


async def test_while_another_imports_and_deletes_all_the_time_deletions_succeed(make_app: MakeApp) -> None:
    app = make_app()
    lesson = {
        "drafts": {f"c{number}": {"draft": {"version": 1, "source": f"{number}" * 900, "at_ms": 1}, "versions": []} for number in range(99)}
    }
    head = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}
    zipped = pack(head | {"lessons": {f"a/b{number}": lesson for number in range(3)}})

    async def import_and_delete() -> list[int]:
        async with client_of(app, "10.0.0.1") as client:
            await client.get("/en/")
            taken = await client.post("/api/me/import", content=zipped, headers={"content-type": "application/zip"})
            return [taken.status_code, (await client.delete("/api/me")).status_code]

    async def work_and_delete() -> list[int]:
        async with client_of(app) as client:
            await do_work(client)
            return [200, (await client.delete("/api/me")).status_code]

    answers = await asyncio.gather(*(one() for one in [import_and_delete, work_and_delete] * 6))
    assert answers == [[200, 204]] * 12


def holds(file: Path, *words: str) -> bool:
    return any(word.encode() in file.read_bytes() for word in words)


async def test_leaving_gives_a_new_cookie_and_keeps_the_work_for_the_old_one(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await do_work(client)
        before, name = client.cookies["learner"], learner_of(app, client)
        answer = await client.post("/api/me/leave")
        assert answer.status_code == 204
        cookie = answer.headers["set-cookie"]
        assert [word in cookie for word in ("HttpOnly", "SameSite=Lax", "Path=/", "Secure")] == [True, True, True, False]
        assert learner_of(app, client) != name
        assert (await client.get("/api/me")).json()["attempts"] == 0
        client.cookies.clear()
        client.cookies["learner"] = before
        assert (await client.get("/api/me")).json()["attempts"] == 1


async def test_over_https_the_new_cookie_is_for_https_only(client: httpx.AsyncClient) -> None:
    await client.get("https://localhost/en/")
    assert "Secure" in (await client.post("https://localhost/api/me/leave")).headers["set-cookie"]


async def test_reviews_are_switched_off_and_on(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    for on in (False, True):
        assert (await client.put("/api/me/reviews", json={"on": on})).status_code == 204
        assert (await client.get("/api/me")).json()["reviews"] is on
        assert (await kept_of(client, "/en/"))["reviews"] is on
    assert (await client.put("/api/me/reviews", json={"on": 1})).json()["error"]["field"] == "on"


@ONLY_SQLITE
@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://localhost:9999"}, {"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "same-site"}],
)
@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
async def test_no_other_site_or_port_can_change_anything(
    make_app: MakeApp, headers: dict[str, str], method: str, path: str, body: object
) -> None:
    """Browsers send Origin with every such request, also over plain HTTP, where they send no Sec-Fetch-Site; cookies know no ports."""
    app = make_app()
    async with client_of(app) as client:
        await do_work(client)
        name, before = learner_of(app, client), (await client.get("/api/me")).json()
        answer = await client.request(method, path, content=body and json.dumps(body), headers={**headers, "content-type": "text/plain"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "other_origin")
        assert "set-cookie" not in answer.headers
        assert learner_of(app, client) == name
        assert (await client.get("/api/me")).json() == before


@ONLY_SQLITE
@pytest.mark.parametrize(("method", "path", "body"), [*CHANGES, *(("GET", path, None) for path in READS)])
async def test_without_a_cookie_everything_is_refused_before_a_body_is_read(
    client: httpx.AsyncClient, method: str, path: str, body: object
) -> None:
    answer = await client.request(method, path, json=body, headers={"accept-language": "zh"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_learner")
    assert "Cookie" in answer.json()["error"]["message"]
    assert not answer.json()["error"]["message"].isascii()


@ONLY_SQLITE
@pytest.mark.parametrize(("method", "path", "body"), [*CHANGES[:1], *CHANGES[2:], *(("GET", path, None) for path in READS)])
async def test_a_store_that_cannot_be_used_is_named_and_pages_and_leaving_go_on(
    make_app: MakeApp, settings: Settings, method: str, path: str, body: object
) -> None:
    break_store(settings)
    async with client_of(make_app()) as client:
        await client.get("/en/")
        cookie = client.cookies["learner"]
        answer = await client.request(method, path, json=body)
        assert (answer.status_code, answer.json()["error"]["code"], answer.json()["error"]["reason"]) == (503, "not_kept", "broken")
        assert client.cookies["learner"] == cookie
        assert await kept_of(client) is None
        assert await kept_of(client, "/en/") is None
        assert (await client.post("/api/me/leave")).status_code == 204


@ONLY_SQLITE
async def test_what_is_sent_as_no_json_is_415(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    answer = await client.put("/api/me/reviews", content=b'{"on": false}', headers={"content-type": "text/plain"})
    assert answer.status_code == 415
