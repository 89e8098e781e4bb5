"""Export and import: an import restores what was exported, and removes nothing that is stored."""

import io
import json
import zipfile
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, select, update

from app.classroom.archive.archive_format import (
    ImportAnswer,
    ImportCounts,
)
from app.classroom.archive.archive_merge import MOST_DONE
from app.classroom.store.schema.tables import AttemptRow, PredictionRow, StandingRow, StoreTable
from app.classroom.store.stored_work_types import TooMuchStored
from app.classroom.store.times import DAY_MS
from app.classroom.work.attempts import list_attempts
from app.classroom.work.drafts import MOST_VERSIONS, read_draft
from app.classroom.work.learners import read_holdings, update_learner
from app.classroom.work.predictions import record_prediction
from tests.classroom.sample_archives import (
    HEAD,
    LESSON,
    NOW_MS,
    all_rows,
    data_of,
    export,
    pack,
    submit,
    take,
    without_origin,
    work,
    write,
)


def test_an_export_has_data_and_files_to_read(connection: Connection) -> None:
    work(connection, "ada-secret-cookie")
    zipped = export(connection, "ada-secret-cookie")
    with zipfile.ZipFile(io.BytesIO(zipped)) as opened:
        assert opened.testzip() is None
        texts = {name: opened.read(name).decode() for name in opened.namelist()}
    assert "ada-secret-cookie" not in "".join(texts.values())
    data = json.loads(texts.pop("data.json"))
    assert texts == {
        "README.txt": "Read me.",
        "backward-twice/cube/cube.py": "x = 2\n",
        "backward-twice/cube/cube/draft.py": "cube = 3\n",
        "backward-twice/cube/rule.txt": "Save what you need.",
        "backward-twice/cube/cube/latest.py": "third\n",
        "backward-twice/cube/cube/passed.py": "second = '三'\n",
        "myths/one/cube/latest.py": "elsewhere\n",
        "myths/one/cube/passed.py": "elsewhere\n",
    }
    lesson = data["lessons"][LESSON]
    assert lesson["cells"] == {"cube": NOW_MS - 4}
    assert lesson["predictions"]["grad"] | {"card": None} == {
        "about": "ab12", "first_answer": 1, "first_right": False, "first_ms": NOW_MS - 5, "last_answer": 2.5, "last_right": True,
        "last_ms": NOW_MS, "times": 2, "card": None,
    }  # fmt: skip
    exercise = lesson["exercises"]["cube"]
    assert exercise["standing"] == "shown" and exercise["shown_ms"] == NOW_MS - 8 and exercise["passed_ms"] == NOW_MS - 7
    assert [attempt["source"] for attempt in exercise["attempts"]] == ["first = 1\n", "second = '三'\n", "third\n"]
    assert exercise["attempts"][1]["verdict"]["passed"] is True
    assert [version["source"] for version in lesson["drafts"]["cube"]["versions"]] == ["x = 1\n", "x = 2\n"]
    assert data["reviews"] is False


def test_who_has_nothing_kept_gets_an_export_that_says_so(connection: Connection) -> None:
    zipped = export(connection, "nobody")
    assert data_of(zipped)["lessons"] == {}
    assert take(connection, "nobody", zipped) == ImportAnswer(taken=ImportCounts(), already=ImportCounts())
    assert read_holdings(connection, "nobody").made_ms is None


def test_what_was_exported_comes_back_whole_on_another_device(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    answer = take(connection, "eve", zipped)
    assert answer.taken == ImportCounts(cells=1, predictions=3, exercises=2, attempts=4, drafts=4, versions=3)
    assert (answer.already, answer.beside) == (ImportCounts(), 0)
    assert without_origin(data_of(export(connection, "eve"))) == without_origin(data_of(zipped))
    before, after = read_holdings(connection, "ada"), read_holdings(connection, "eve")
    assert after == msgspec.structs.replace(before, made_ms=NOW_MS, seen_ms=NOW_MS)
    due = select(StoreTable.metadata.tables["prediction"].c.due_ms).where(StoreTable.metadata.tables["prediction"].c.prediction == "grad")
    assert len(set(connection.execute(due).scalars())) == 1
    assert all(one.imported for one in list_attempts(connection, learner="eve", lesson=LESSON, exercise="cube"))


def test_importing_twice_changes_nothing(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    take(connection, "eve", zipped)
    rows = all_rows(connection)
    answer = take(connection, "eve", zipped)
    assert answer == ImportAnswer(
        taken=ImportCounts(), already=ImportCounts(cells=1, predictions=3, exercises=2, attempts=4, drafts=4, versions=3), beside=0
    )
    assert all_rows(connection) == rows


def test_a_draft_that_differs_goes_beside_the_learners_own_once(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    write(connection, "eve", "cube", "mine = 1\n", ran=True)
    answer = take(connection, "eve", zipped)
    assert (answer.beside, answer.taken.drafts) == (1, 3)
    draft, versions = read_draft(connection, learner="eve", lesson=LESSON, cell="cube")
    assert draft is not None and draft.source == "mine = 1\n"
    told = [(one.why, one.source) for one in versions]
    assert told == [("imported", "x = 2\n"), ("run", "x = 1\n"), ("run", "mine = 1\n")]
    rows = all_rows(connection)
    assert take(connection, "eve", zipped).beside == 0
    assert all_rows(connection) == rows


def test_the_newest_earlier_texts_of_a_learner_are_kept_when_there_is_no_room(connection: Connection) -> None:
    version = 0
    for number in range(MOST_VERSIONS + 5):
        version = write(connection, "ada", "cube", f"theirs = {number}\n", version, ran=True)
    write(connection, "ada", "cube", "theirs, not run\n", version)
    version = 0
    for number in range(MOST_VERSIONS - 2):
        version = write(connection, "eve", "cube", f"mine = {number}\n", version, ran=True)
    zipped = export(connection, "ada")
    answer = take(connection, "eve", zipped)
    assert (answer.taken.versions, answer.beside) == (2, 1)
    _, versions = read_draft(connection, learner="eve", lesson=LESSON, cell="cube")
    assert len(versions) == MOST_VERSIONS
    assert [one.source for one in versions[:4]] == ["theirs, not run\n", "theirs = 54\n", "theirs = 53\n", f"mine = {MOST_VERSIONS - 3}\n"]
    rows = all_rows(connection)
    take(connection, "eve", zipped)
    assert all_rows(connection) == rows


@pytest.mark.parametrize(
    ("theirs", "mine", "together"),
    [("passed", "tried", "passed"), ("tried", "passed", "passed"), ("new", "shown", "shown"), ("shown", "passed", "passed")],
)
def test_a_standing_is_never_taken_away(connection: Connection, theirs: str, mine: str, together: str) -> None:
    for learner, standing in (("ada", theirs), ("eve", mine)):
        learner_id = update_learner(connection, learner, NOW_MS)
        values = {"learner_id": learner_id, "lesson": LESSON, "exercise": "cube", "standing": standing, "hints": 1 + (learner == "ada")}
        connection.execute(StandingRow.__table__.insert().values(passed_ms=NOW_MS if standing in ("passed", "shown") else None, **values))  # type: ignore[attr-defined]
    take(connection, "eve", export(connection, "ada"))
    row = connection.execute(select(StandingRow.__table__).where(StandingRow.learner_id == learner_id)).one()
    assert (row.standing, row.hints, row.passed_ms) == (together, 2, None if together == "tried" else NOW_MS)


def test_the_first_answer_to_a_question_stays(connection: Connection) -> None:
    for learner, answer in (("ada", "1"), ("eve", "2")):
        place = {"learner": learner, "lesson": LESSON, "prediction": "grad"}
        record_prediction(connection, **place, about="ab", answer=answer, right=True, now_ms=NOW_MS)
    assert take(connection, "eve", export(connection, "ada")).already.predictions == 1
    assert data_of(export(connection, "eve"))["lessons"][LESSON]["predictions"]["grad"]["first_answer"] == 2


def test_times_of_a_clock_that_is_ahead_become_now(connection: Connection) -> None:
    submit(connection, "ada", "x", at_ms=NOW_MS + DAY_MS // 2)
    take(connection, "eve", export(connection, "ada"))
    times = connection.execute(select(AttemptRow.at_ms).where(AttemptRow.imported)).scalars().all()
    assert times == [NOW_MS]


def test_over_the_limit_nothing_is_taken(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    used = read_holdings(connection, "ada").bytes
    rows = all_rows(connection)
    savepoint = connection.begin_nested()
    with pytest.raises(TooMuchStored):
        take(connection, "eve", zipped, used - 1)
    savepoint.rollback()
    assert all_rows(connection) == rows
    take(connection, "eve", zipped, used)
    assert read_holdings(connection, "eve").bytes == used


def of_lessons(**lessons: Any) -> bytes:
    return pack({**json.loads(HEAD + "{}}"), "lessons": {f"a/{name}": lesson for name, lesson in lessons.items()}})


@pytest.mark.parametrize("names", ["many", "more"])
def test_no_page_is_made_long_by_what_no_course_has(connection: Connection, names: str) -> None:
    draft = {"draft": {"version": 1, "source": "x" * 30_000, "at_ms": 1}}
    lesson = {"drafts": {f"c{number}": draft for number in range(40)}}
    with pytest.raises(TooMuchStored):
        take(connection, "eve", of_lessons(long=lesson))
    connection.rollback()
    cells = {name: dict.fromkeys((f"{name}{number}" for number in range(MOST_DONE // 2 + 1)), 1) for name in ("many", "more")}
    take(connection, "eve", of_lessons(many={"cells": cells[names]}))
    with pytest.raises(TooMuchStored):
        take(connection, "eve", of_lessons(**{name: {"cells": some} for name, some in cells.items()}))


def test_a_card_that_is_broken_in_the_store_does_not_spoil_the_export(connection: Connection) -> None:
    work(connection, "ada")
    connection.execute(update(PredictionRow).where(PredictionRow.prediction == "grad").values(card='{"stability": null}'))
    zipped = export(connection, "ada")
    assert data_of(zipped)["lessons"][LESSON]["predictions"]["grad"]["card"] is None
    assert take(connection, "eve", zipped).taken.predictions == 3
