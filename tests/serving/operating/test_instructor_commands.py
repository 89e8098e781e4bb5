"""`gradroom instructor`: people and their links, on a database that a server may use meanwhile."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.classroom.people import audit, sign_in_links
from app.classroom.people.roles import Role
from app.classroom.store.database import Database
from app.classroom.store.database_lock import hold_database
from app.classroom.store.engine import make_engine
from app.classroom.store.times import now_ms
from app.serving.command_refused import CommandRefused
from app.serving.operating import operated_store
from app.serving.operating.instructor_commands import add, link, list_lines, remove, rename
from app.settings import Settings
from tests.classroom.audit_entries import list_newest
from tests.postgresql import ONLY_SQLITE

ROOM = "https://room.example"


@pytest.fixture
def settings(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    # the process of the tests stays the user that it is
    monkeypatch.setattr(operated_store, "become_web_user", lambda settings: None)
    return Settings(state_folder=tmp_path / "state", address=ROOM, database_url=database_url)


def token_in(printed: str, address: str = ROOM) -> str:
    found = re.search(rf"^{address}/sign-in/([\w-]{{43}})$", printed, re.MULTILINE)
    assert found, printed
    return found[1]


def test_a_link_is_printed_and_found_by_the_server(settings: Settings) -> None:
    database = Database(settings.database)
    with hold_database(settings.database, alone=False):  # as a server does
        database.open()
        token = token_in(add(settings, "Ada Lovelace", Role.INSTRUCTOR, None))
        person = database.read_here(sign_in_links.find_link, token, now_ms())
        assert person is not None
        assert (person.name, person.role) == ("Ada Lovelace", Role.INSTRUCTOR)
        newer = token_in(link(settings, "ada lovelace", "http://10.0.0.2:8000/"), "http://10.0.0.2:8000")
        assert [database.read_here(sign_in_links.find_link, one, now_ms()) is not None for one in (token, newer)] == [False, True]


def test_people_are_listed_renamed_and_removed(settings: Settings) -> None:
    assert "Nobody yet" in list_lines(settings)[0]
    add(settings, "Ada", Role.INSTRUCTOR, None)
    add(settings, "Grace Hopper", Role.OPERATOR, None)
    listed = [line.split("  ") for line in list_lines(settings)]
    assert [line[0].strip() for line in listed] == ["Ada", "Grace Hopper"]
    assert ["operator" in " ".join(line).split() for line in listed] == [False, True]
    assert all("has not chosen a password yet" in line for line in list_lines(settings))
    assert "Countess" in rename(settings, "ada", "Countess")
    remove(settings, "countess")
    assert len(list_lines(settings)) == 1


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (lambda settings: add(settings, "ADA", Role.ASSISTANT, None), "already"),
        (lambda settings: add(settings, " ", Role.ASSISTANT, None), "from 1 to 64"),
        (lambda settings: link(settings, "Eve", None), "nobody of the name Eve"),
        (lambda settings: remove(settings, "Eve"), "nobody of the name Eve"),
        (lambda settings: rename(settings, "Ada", "grace"), "already"),
        (lambda settings: rename(settings, "Ada", "x" * 65), "from 1 to 64"),
    ],
)
def test_what_cannot_be_done_is_said(settings: Settings, refused: Callable[[Settings], str], words: str) -> None:
    for name in ("Ada", "Grace"):
        add(settings, name, Role.INSTRUCTOR, None)
    with pytest.raises(CommandRefused, match=words):
        refused(settings)


def test_what_the_operator_does_is_recorded_without_tokens(settings: Settings) -> None:
    token = token_in(add(settings, "Ada", Role.INSTRUCTOR, None))
    rename(settings, "Ada", "Grace")
    remove(settings, "Grace")
    entries = Database(settings.database).read_here(list_newest, 10)
    assert [entry.action for entry in entries] == ["person_removed", "person_renamed", "link_made", "person_made"]
    assert {entry.actor for entry in entries} == {audit.COMMAND_LINE}
    assert token not in str(entries)


@ONLY_SQLITE
def test_a_database_that_cannot_be_used_is_named(settings: Settings) -> None:
    add(settings, "Ada", Role.INSTRUCTOR, None)
    engine = make_engine(settings.database, writes=True)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    engine.dispose()
    with pytest.raises(CommandRefused, match="gradroom migrate --backup"):
        list_lines(settings)


def test_the_command_adds_and_lists(tmp_path: Path) -> None:
    environment = os.environ | {"GRADROOM_STATE_FOLDER": str(tmp_path / "state"), "GRADROOM_WEB_UID": "0", "GRADROOM_ADDRESS": ROOM}

    def gradroom(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "app.cli", "instructor", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    token_in(gradroom("add", "Ada", "--role", "assistant").stdout)
    again = gradroom("add", "ada")
    assert (again.returncode, "already" in again.stderr) == (2, True)
    assert gradroom("list").stdout.startswith("Ada  assistant")
