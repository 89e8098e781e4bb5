"""The limits on what is added to the store, by all and by one address: what is refused, with which words, and what is logged."""

import json
import re
from collections.abc import Callable

import httpx
import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from app.classroom.store.faults.store_faults import AddressAtLimit, StoreAtLimit
from app.classroom.store.store_room import StoreRoom
from app.lessons.course.catalogue import Catalogue
from app.protocol.limits import MEBIBYTE
from app.web.guards import additions as additions_module
from app.web.guards.additions import HOUR_SECONDS, Additions
from tests.classroom.sample_archives import pack
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import DRAFTS, services_of

pytestmark = pytest.mark.anyio
CLASS = "10.1.1.1"
ZIP = {"content-type": "application/zip"}
HEAD = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading())


class Meter(StoreRoom):
    """A store whose size the test sets."""

    def __init__(self, limit_bytes: int | None = None) -> None:
        super().__init__(None, limit_bytes)
        self.bytes = 0

    def measure(self, connection: Connection) -> int:
        return self.bytes

    def add(self, added_bytes: int) -> None:
        self.bytes += added_bytes


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(additions_module, "time", made)
    return made


def test_an_address_adds_its_bytes_at_once_and_again_in_an_hour_and_both_are_told_once(clock: Clock, connection: Connection) -> None:
    meter = Meter()
    additions = Additions(meter, 1000)
    with capture_logs() as lines:
        for _ in range(10):
            with additions.charge(CLASS, connection):
                meter.add(100)
        for _ in range(5):
            with pytest.raises(AddressAtLimit) as refused, additions.charge(CLASS, connection):
                meter.add(100)
        assert refused.value.retry_after_seconds == HOUR_SECONDS * 0.05
        with additions.charge("10.2.2.2", connection):
            meter.add(900)
        clock.seconds += HOUR_SECONDS * 0.05
        with additions.charge("10.2.2.2", connection):
            meter.add(1)
    assert [(line["event"], line["addresses"]) for line in lines] == [("address_at_limit", 1), ("address_below_limit", 0)]
    assert additions.refused == {"address_at_limit": 5}
    added = 0
    for _ in range(3600):
        clock.seconds += 1
        try:
            with additions.charge(CLASS, connection):
                meter.add(100)
            added += 100
        except AddressAtLimit:
            pass
    assert 900 <= added <= 1150  # the hour's, and what had come back before


def test_what_takes_room_away_costs_nothing(clock: Clock, connection: Connection) -> None:
    meter = Meter()
    additions = Additions(meter, 1000)
    for _ in range(50):
        with additions.charge(CLASS, connection):
            meter.add(-500)


def test_what_is_reserved_is_taken_at_once_or_not_at_all(clock: Clock, connection: Connection) -> None:
    meter = Meter(5000)
    additions = Additions(meter, 1000)
    additions.reserve(CLASS, 700, connection)
    with capture_logs() as lines, pytest.raises(AddressAtLimit):
        additions.reserve(CLASS, 700, connection)
    assert lines == []  # small things may still be added
    with additions.charge(CLASS, connection):
        meter.add(100)
    with pytest.raises(StoreAtLimit):
        additions.reserve("10.2.2.2", 4950, connection)


def test_more_than_an_hours_bytes_take_longer_to_come_back(clock: Clock, connection: Connection) -> None:
    additions = Additions(Meter(), 1000)
    additions.reserve(CLASS, 2500, connection)
    clock.seconds += 1.4 * HOUR_SECONDS
    with pytest.raises(AddressAtLimit):
        additions.reserve(CLASS, 1, connection)


@pytest.fixture
def connection() -> Connection:
    return None  # type: ignore[return-value]  # nothing here looks at it


async def save(client: httpx.AsyncClient, number: int) -> httpx.Response:
    await client.get("/en/")
    return await client.put(f"{DRAFTS}/use", json={"source": f"{number}" * 60_000, "version": 0, "ran": True})


async def fill(make_client: Callable[[], httpx.AsyncClient]) -> httpx.Response:
    """Have one learner after another save a draft until one is refused, and return this answer."""
    for number in range(200):
        async with make_client() as client:
            answer = await save(client, number % 10)
        if answer.status_code != 200:
            return answer
    raise AssertionError("none was refused")


WORDS = {
    "at_limit": ("this server has no room for more", "服务器"),
    "address_at_limit": ("your network has saved as much as one address may in an hour", "网络"),
}


@pytest.mark.parametrize(
    ("reason", "changes"), [("at_limit", {"store_bytes": 4 * MEBIBYTE}), ("address_at_limit", {"added_bytes_per_address": MEBIBYTE})]
)
async def test_at_a_limit_runs_and_grading_go_on_and_whoever_asks_is_told(make_app: MakeApp, reason: str, changes: dict[str, int]) -> None:
    app = make_app(**changes)
    async with client_of(app) as here:
        await here.get("/en/")
        await here.post("/api/me/work", json={"lesson": "one/first", "cells": ["use"]})
        refused = await fill(lambda: client_of(app))
        error = refused.json()["error"]
        assert (refused.status_code, error["code"], error["reason"]) == (503, "not_kept", reason)
        assert int(refused.headers["retry-after"]) == error["retry_after_seconds"] > 0
        assert WORDS[reason][0] in error["message"]
        chinese = await here.put(f"{DRAFTS}/make", json={"source": "x", "version": 0, "lang": "zh-Hans"})
        assert WORDS[reason][1] in chinese.json()["error"]["message"] and "{" not in chinese.json()["error"]["message"]
        graded = (await here.post(SUBMISSIONS, json={"source": "a"})).json()
        assert len(graded["checks"]) > 0
        assert (graded["receipt"], graded["not_kept"]) == (None, reason)
        assert (await here.post("/api/me/import", content=pack(HEAD | {"lessons": {}}), headers=ZIP)).json()["error"]["reason"] == reason
        assert (await here.get("/api/me")).json()["cells"] == 1  # what is kept can be read
        metrics = (await here.get("/metrics")).text
        refusals = re.search(rf'gradroom_store_refusals_total{{reason="{reason}"}} (\d+)', metrics)
        assert refusals and int(refusals[1]) == 4
        assert f"gradroom_store_at_limit {int(reason == 'at_limit')}.0" in metrics
        assert f"gradroom_store_addresses_at_limit {int(reason != 'at_limit')}.0" in metrics
        ready = await here.get("/readyz")
        assert (ready.status_code, ready.json()["not_kept"]) == (200, "at_limit" if reason == "at_limit" else None)
        async with client_of(app, "10.9.9.9") as elsewhere:
            assert (await save(elsewhere, 0)).status_code == (503 if reason == "at_limit" else 200)
        assert (await here.delete("/api/me")).status_code == 204
    assert services_of(app).database.room.used_bytes < 5 * MEBIBYTE


async def test_when_others_delete_their_work_there_is_room_again(make_app: MakeApp) -> None:
    app = make_app(store_bytes=4 * MEBIBYTE)
    async with client_of(app) as first, client_of(app) as later:
        for cell in ("make", "fail", "use"):
            await first.get("/en/")
            for version in range(8):
                body = {"source": str(version) * 60_000, "version": version, "ran": True}
                assert (await first.put(f"{DRAFTS}/{cell}", json=body)).status_code == 200
        await fill(lambda: client_of(app))
        assert (await save(later, 1)).status_code == 503
        assert (await first.delete("/api/me")).status_code == 204
        assert (await save(later, 1)).status_code == 200
        assert (await later.get("/readyz")).json()["not_kept"] is None


async def test_an_import_that_would_not_fit_takes_nothing(make_app: MakeApp) -> None:
    drafts = {f"c{number}": {"draft": {"version": 1, "source": "x" * 60_000, "at_ms": 1}, "versions": []} for number in range(16)}
    body = pack(HEAD | {"lessons": {f"a/b{number}": {"drafts": drafts} for number in range(3)}})
    for changes, reason in (({"store_bytes": 2 * MEBIBYTE}, "at_limit"), ({"added_bytes_per_address": 2 * MEBIBYTE}, "address_at_limit")):
        app = make_app(**changes, kept_bytes_per_learner=MEBIBYTE * 8, cookie_secret=None)
        async with client_of(app) as client:
            await save(client, 0)
            before = (await client.get("/api/me")).json()
            refused = (await client.post("/api/me/import", content=body, headers=ZIP)).json()["error"]
            if reason == "at_limit":
                assert (refused["code"], refused["reason"]) == ("not_kept", reason)
                assert (await client.get("/api/me")).json() == before
        await services_of(app).database.close()
    assert json.dumps(before)
