"""Export and import over HTTP: what a browser downloads and sends, and in which words it is refused."""

import asyncio
import io
import json
import random
import zipfile
from collections.abc import AsyncIterator
from concurrent.futures import Future
from functools import partial
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.classroom.archive.archive_format import ImportCounts
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFull
from app.classroom.work.drafts import save_draft
from app.classroom.work.learners import read_holdings
from app.protocol.grading import CheckResult, Verdict
from app.settings import Settings
from app.web.edge.security import IMPORT_PATH
from app.web.guards.connection_caps import caps_of
from app.web.guards.connections import Connections
from app.web.services import Services
from tests.postgresql import ONLY_SQLITE
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import SECRETS, SOLUTIONS, SUBMISSIONS, TESTS, make_grading
from tests.web.exercises import make_catalogue as make_exercise_catalogue
from tests.web.fake_runner import FakeRunner
from tests.web.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
ZIP = {"content-type": "application/zip"}
JSON = {"content-type": "application/json"}
NOTHING = dict.fromkeys(ImportCounts.__struct_fields__, 0)


@pytest.fixture
def app(make_app: MakeApp) -> FastAPI:
    return make_app()


@pytest.fixture
async def ada(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as client:
        await client.get("/api/lessons")
        yield client


@pytest.fixture
async def eve(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as client:
        await client.get("/api/lessons")
        yield client


def learner_of(app: FastAPI, client: httpx.AsyncClient) -> str:
    services: Services = app.state.services
    learner = services.sessions.read(client.cookies["learner"].strip('"'))
    assert learner is not None
    return learner


async def write(app: FastAPI, client: httpx.AsyncClient, source: str) -> None:
    place = {"learner": learner_of(app, client), "lesson": "one/first", "cell": "make"}
    keep = partial(save_draft, **place, source=source, version=0, ran=True, now_ms=1, limit_bytes=1 << 20)  # type: ignore[arg-type]
    await app.state.services.database.write(keep)


def data_of(zipped: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(zipped)) as opened:
        data: dict[str, Any] = json.loads(opened.read("data.json"))
    return data


async def test_what_one_device_exports_another_imports(app: FastAPI, ada: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
    await write(app, ada, "x = 1\n")
    answer = await ada.get("/api/me/export")
    assert (answer.status_code, answer.headers["content-type"], answer.headers["cache-control"]) == (200, "application/zip", "no-store")
    name = answer.headers["content-disposition"].removeprefix("attachment; filename=").strip('"')
    assert name.startswith("gradroom-20") and name.endswith(".zip") and len(name) == len("gradroom-2026-11-22.zip")
    assert int(answer.headers["content-length"]) == len(answer.content)

    taken = await eve.post("/api/me/import", content=answer.content, headers=ZIP)
    assert taken.json() == {"taken": NOTHING | {"drafts": 1, "versions": 1}, "already": NOTHING, "beside": 0}
    again = await eve.post("/api/me/import", content=answer.content, headers=ZIP)
    assert again.json() == {"taken": NOTHING, "already": NOTHING | {"drafts": 1, "versions": 1}, "beside": 0}
    assert data_of((await eve.get("/api/me/export")).content)["lessons"] == data_of(answer.content)["lessons"]


async def test_an_export_does_not_say_what_is_hidden_and_comes_back_whole(make_app: MakeApp) -> None:
    mutants = [CheckResult(id=f"mutant:secret-mutant-{number}", passed=number == "one") for number in ("one", "two")]
    judged = Verdict(passed=False, checks=[CheckResult(id="right", passed=True), *mutants])
    app = make_app(FakeRunner(make_grading(), make_grading(judged)), make_exercise_catalogue())
    async with client_of(app) as client, client_of(app) as other:
        for one in (client, other):
            await one.get("/en/")
        for address in (SUBMISSIONS, TESTS):
            await client.post(address, json={"source": "a"})
        exported = (await client.get("/api/me/export")).content
        text = json.dumps(data_of(exported))
        assert "values" in text
        assert not [secret for secret in (*SECRETS, *SOLUTIONS) if secret in text]
        await other.post("/api/me/import", content=exported, headers=ZIP)
        told = {}
        for one in (client, other):
            for exercise in ("fix", "test"):
                (attempt,) = (await one.get(f"/api/me/attempts?exercise=one/first/{exercise}")).json()["attempts"]
                told[one is client, exercise] = [attempt[name] for name in ("passed", "good", "total", "mistake", "checks")]
    for exercise in ("fix", "test"):
        assert told[True, exercise] == told[False, exercise]


@pytest.mark.parametrize(("lang", "word"), [("en", "What you did in Gradroom"), ("zh-Hans", "你在 Gradroom 的学习记录")])
async def test_the_readme_is_in_the_language_of_the_request(ada: httpx.AsyncClient, lang: str, word: str) -> None:
    answer = await ada.get("/api/me/export", params={"lang": lang})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as opened:
        text = opened.read("README.txt").decode()
    assert word in text and "{" not in text and "data.json" in text


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_without_a_cookie_there_is_nothing_to_export_or_to_import_into(app: FastAPI) -> None:
    async with client_of(app) as client:
        assert code_of(await client.get("/api/me/export")) == (403, "no_learner")
    async with client_of(app) as client:
        assert code_of(await client.post("/api/me/import", content=b"", headers=ZIP)) == (403, "no_learner")


def pack(data: object, name: str = "data.json") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr(name, json.dumps(data))
    return buffer.getvalue()


BAD = {
    "a text": (b"text", 422, "not_zip", ("not a zip", "不是 zip")),
    "another zip": (pack({}, "a.json"), 422, "not_export", ("not an export from Gradroom", "不是从 Gradroom 导出")),
    "a later version": (pack({"format": "gradroom", "version": 9}), 422, "later_version", ("later version", "更新版本")),
    "a damaged one": (pack({"format": "gradroom", "version": 1}), 422, "damaged", ("damaged", "已损坏")),
    "a large one": (bytes((1 << 20) + 1), 413, "archive_too_large", ("more than this server accepts", "超出了服务器接受的大小")),
    "a bomb": (pack("x" * (4 << 20)), 413, "archive_too_large", ("more than this server accepts", "超出了服务器接受的大小")),
}


@ONLY_SQLITE
@pytest.mark.parametrize("name", BAD)
async def test_what_cannot_be_imported_is_told_in_plain_words(make_app: MakeApp, name: str) -> None:
    body, status, code, words = BAD[name]
    async with client_of(make_app(kept_bytes_per_learner=1 << 20)) as client:
        await client.get("/api/lessons")
        for lang, word in zip(("en", "zh-Hans"), words, strict=True):
            answer = await client.post("/api/me/import", content=body, headers=ZIP, params={"lang": lang})
            assert code_of(answer) == (status, code)
            assert word in answer.json()["error"]["message"]


@ONLY_SQLITE
async def test_another_content_type_is_refused(ada: httpx.AsyncClient) -> None:
    assert code_of(await ada.post("/api/me/import", json={})) == (415, "wrong_type")


async def test_more_than_may_be_kept_is_refused_and_nothing_is_taken(make_app: MakeApp, app: FastAPI, ada: httpx.AsyncClient) -> None:
    sources = {f"c{number}": "x" * 65_000 for number in range(10)}
    drafts = {cell: {"draft": {"version": 1, "source": source, "at_ms": 1}, "versions": []} for cell, source in sources.items()}
    head = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}
    body = pack(head | {"lessons": {name: {"drafts": drafts} for name in ("one/first", "one/second")}})
    assert (await ada.post("/api/me/import", content=body, headers=ZIP)).json()["taken"]["drafts"] == 20
    async with client_of(make_app(kept_bytes_per_learner=1 << 20)) as client:
        await client.get("/api/lessons")
        answer = await client.post("/api/me/import", content=body, headers=ZIP)
        assert code_of(answer) == (413, "too_much_kept")
        assert (await client.get("/api/me")).json()["bytes"] == 0


async def test_a_store_that_cannot_keep_says_so(app: FastAPI, ada: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    await write(app, ada, "x = 1\n")
    body = (await ada.get("/api/me/export")).content

    def fail(*_: object) -> Future[None]:
        return failed()

    monkeypatch.setattr(Database, "enqueue_in_order", fail)
    answer = await ada.post("/api/me/import", content=body, headers=ZIP)
    assert code_of(answer) == (503, "not_kept") and answer.json()["error"]["reason"] == "full"


def failed() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(StoreFull())
    return future


def large_export(lessons: int = 5) -> bytes:
    """Return an export of many parts."""
    texts = [random.Random(number).randbytes(200).hex() * 25 for number in range(99)]
    drafts = {f"c{number}": {"draft": {"version": 1, "source": text, "at_ms": 1}, "versions": []} for number, text in enumerate(texts)}
    head = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}
    return pack(head | {"lessons": {f"a/b{number}": {"drafts": drafts} for number in range(lessons)}})


async def test_others_save_while_somebody_imports(app: FastAPI, ada: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
    importing = asyncio.create_task(ada.post("/api/me/import", content=large_export(), headers=ZIP))
    versions = 0
    while not importing.done():
        answer = await eve.put("/api/me/drafts/one/first/make", json={"source": f"{versions}", "version": versions})
        versions = answer.json()["version"]
    assert importing.result().json()["taken"]["drafts"] == 5 * 99
    assert versions > 5


@pytest.mark.parametrize(("lang", "word"), [("en", "its disk is full"), ("zh-Hans", "已满")])
async def test_an_import_that_is_interrupted_says_so_and_can_be_completed(
    app: FastAPI, ada: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, lang: str, word: str
) -> None:
    original, parts = Database.enqueue_in_order, 0

    def fail(self: Database, key: str, change: Any) -> Future[Any]:
        nonlocal parts
        parts += 1
        return failed() if parts == 7 else original(self, key, change)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "enqueue_in_order", fail)
        answer = await ada.post("/api/me/import", content=large_export(), headers=ZIP, params={"lang": lang})
    assert code_of(answer) == (503, "import_interrupted")
    error = answer.json()["error"]
    assert error["reason"] == "full" and word in error["message"] and "{" not in error["message"]
    assert 0 < (await ada.get("/api/me")).json()["drafts"] < 5 * 99
    again = (await ada.post("/api/me/import", content=large_export(), headers=ZIP)).json()
    assert again["taken"]["drafts"] + again["already"]["drafts"] == 5 * 99 == (await ada.get("/api/me")).json()["drafts"]


async def test_who_deletes_everything_during_an_import_has_nothing_kept(app: FastAPI, ada: httpx.AsyncClient) -> None:
    learner, importing = learner_of(app, ada), asyncio.create_task(ada.post("/api/me/import", content=large_export(), headers=ZIP))
    async with client_of(app) as other_tab:
        other_tab.cookies.update(ada.cookies)
        while not (await other_tab.get("/api/me")).json()["drafts"]:
            await asyncio.sleep(0.02)
        assert (await other_tab.delete("/api/me")).status_code == 204
    assert code_of(await importing) == (403, "no_learner")
    assert (await app.state.services.database.read(partial(read_holdings, learner=learner))).made_ms is None


BOUNDS = {
    "ratio": (pack("x" * (5 << 20)), ("200 times as large as the zip", "压缩包的 200 倍")),
    "records": (
        pack({
            "format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True,
            "lessons": {"a/b": {"cells": {f"c{number}": 1 for number in range(30_001)}}},
        }),
        ("30,000 records", "30,000 条记录"),
    ),
    "bytes": (pack(random.Random(1).randbytes(200_000).hex() + "x" * (6 << 20)), ("its data.json may have at most 6 MiB", "最大 6 MiB")),
    "zip": (bytes((1 << 20) + 1), ("the zip may have at most 1 MiB", "压缩包最大 1 MiB")),
}  # fmt: skip


@ONLY_SQLITE
@pytest.mark.parametrize("bound", BOUNDS)
async def test_which_bound_a_file_exceeds_is_told(make_app: MakeApp, bound: str) -> None:
    body, words = BOUNDS[bound]
    async with client_of(make_app(kept_bytes_per_learner=4 << 20, request_bytes=1 << 20)) as client:
        await client.get("/api/lessons")
        for lang, word in zip(("en", "zh-Hans"), words, strict=True):
            answer = await client.post("/api/me/import", content=body, headers=ZIP, params={"lang": lang})
            assert code_of(answer) == (413, "archive_too_large")
            assert word in answer.json()["error"]["message"]


async def test_which_field_of_a_card_is_wrong_is_told(app: FastAPI, ada: httpx.AsyncClient) -> None:
    card = {"card_id": 0, "state": 2, "step": None, "stability": None, "difficulty": 5.0}
    card |= {"due": "2026-11-15T22:13:20+00:00", "last_review": "2026-11-14T22:13:20+00:00"}
    prediction = {"about": "a", "first_answer": 1, "first_right": False, "first_ms": 1, "last_answer": 1, "last_right": False}
    prediction |= {"last_ms": 1, "times": 1, "card": card}
    head = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}
    body = pack(head | {"lessons": {"one/first": {"predictions": {"grad": prediction}}}})
    for lang in ("en", "zh-Hans"):
        answer = await ada.post("/api/me/import", content=body, headers=ZIP, params={"lang": lang})
        assert code_of(answer) == (422, "damaged")
        field = "one/first predictions.grad.card.stability"
        assert answer.json()["error"]["field"] == field and field in answer.json()["error"]["message"]


async def test_one_archive_is_made_at_a_time(app: FastAPI, ada: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most = 0, 0
    original = Database.read

    async def watch(self: Database, *query: Any, **arguments: Any) -> Any:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        found = await original(self, *query, **arguments)
        at_once -= 1
        return found

    monkeypatch.setattr(Database, "read", watch)
    answers = await asyncio.gather(*(ada.get("/api/me/export") for _ in range(4)))
    assert {answer.status_code for answer in answers} == {200} and most == 1


async def test_archives_have_a_rate(ada: httpx.AsyncClient) -> None:
    codes = [(await ada.get("/api/me/export")).status_code for _ in range(8)]
    assert codes[:5] == [200] * 5 and codes[-1] == 429


async def test_an_import_may_be_longer_than_other_bodies_over_a_connection_too(make_app: MakeApp) -> None:
    settings = Settings(held_bytes_per_learner=1 << 20)
    body = bytes(settings.archive_bytes - 1)  # no zip, but read to its end
    async with serving(make_app(), Connections(caps_of(settings, overall=100))) as port, httpx.AsyncClient(timeout=60) as client:
        address = f"http://127.0.0.1:{port}"
        await client.get(f"{address}/api/lessons")
        assert code_of(await client.post(address + IMPORT_PATH, content=body, headers=ZIP)) == (422, "not_zip")
        assert code_of(await client.post(f"{address}/api/me/work", content=b" " * (2 << 20), headers=JSON)) == (413, "too_large")
