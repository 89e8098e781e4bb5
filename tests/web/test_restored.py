"""A backup that another server has restored: learners find everything with the cookies they had."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from app.settings import PROJECT, Settings
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import PASSED, SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import DRAFTS, kept_of, services_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading(PASSED))


def gradroom(settings: Settings, *arguments: str) -> None:
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(settings.state_folder), "GRADROOM_WEB_UID": "0"}
    command = (sys.executable, "-m", "app.cli", *arguments)
    ended = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, env=environment, check=False)
    assert ended.returncode == 0, ended.stderr


async def test_a_restored_backup_serves_an_old_cookie_its_work(make_app: MakeApp, settings: Settings, tmp_path: Path) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        receipt = (await client.post(SUBMISSIONS, json={"source": "a = 1"})).json()["receipt"]
        assert (await client.put(f"{DRAFTS}/exercise_fix", json={"source": "a draft", "version": 0})).status_code == 200
        gradroom(settings, "backup", str(tmp_path / "backup"))
        assert (await client.put(f"{DRAFTS}/exercise_fix", json={"source": "after the backup", "version": 1})).status_code == 200
        cookie = client.cookies["learner"]
    elsewhere = tmp_path / "elsewhere"
    gradroom(settings.model_copy(update={"state_folder": elsewhere}), "restore", str(tmp_path / "backup"))
    restored = make_app(state_folder=elsewhere)
    async with client_of(restored) as client:
        await client.get("/en/")
        client.cookies = httpx.Cookies({"learner": cookie})
        kept = await kept_of(client)
        assert kept["drafts"]["exercise_fix"]["source"] == "a draft"
        assert [attempt["receipt"] for attempt in kept["exercises"]["fix"]["attempts"]] == [receipt["id"]]
        assert kept["exercises"]["fix"]["standing"] == "passed"
    for one in (app, restored):
        await services_of(one).database.close()
