"""Archives in parts: each part is small, none is lost, and a repeated import completes an interrupted one."""

import json
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from sqlalchemy import Connection, func, select

from app.classroom.archive.archive_format import ArchivedLesson, ImportCounts
from app.classroom.archive.archive_merge import add_up, begin_merge, merge_part, plan_merge
from app.classroom.archive.archive_parts import PART_BYTES, PART_ROWS, ArchivePart, divide_lesson
from app.classroom.archive.archive_reader import read_archive, read_lesson
from app.classroom.store.schema.tables import AttemptRow, LearnerRow
from app.classroom.store.stored_work_types import TooMuchStored
from app.classroom.work.learners import read_holdings
from tests.classroom.sample_archives import LESSON, LIMIT, NOW_MS, VERDICT, all_rows, data_of, export, pack, take, without_origin, work


def make_attempt(number: int, size: int) -> dict[str, Any]:
    source = f"{number}" + "x" * size
    return {
        "receipt": f"R{number}", "at_ms": number, "sha256": sha256(source.encode()).hexdigest(), "source": source, "seed": 1, "run": "r",
        "good": 0, "total": 1, "verdict": json.loads(VERDICT % "false"), "imported": True,
    }  # fmt: skip


def make_draft(size: int, versions: int = 2) -> dict[str, Any]:
    earlier = [{"number": number, "why": "run", "source": f"{number}" + "x" * size, "at_ms": 1} for number in range(1, versions + 1)]
    return {"draft": {"version": 1, "source": "now" * (size // 3), "at_ms": 1}, "versions": earlier}


LARGE = {
    "cells": {f"c{number}": 1 for number in range(150)},
    "exercises": {
        "many": {"standing": "tried", "hints": 2, "attempts": [make_attempt(number, 10) for number in range(450)]},
        "long": {"standing": "passed", "passed_ms": 5, "attempts": [make_attempt(1000 + number, 60_000) for number in range(20)]},
        "none": {"standing": "tried"},
    },
    "drafts": {f"c{number}": make_draft(20_000) for number in range(30)} | {"history": make_draft(30_000, 50)},
}
ARCHIVE = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": LESSON, "reviews": False}
ZIP = pack(ARCHIVE | {"lessons": {LESSON: LARGE, "myths/one": {"cells": {"c": 1}}}})


def divide(zipped: bytes) -> list[ArchivePart]:
    archive = read_archive(zipped, limit_bytes=LIMIT, now_ms=NOW_MS)
    return [part for path, raw in archive.lessons.items() for part in divide_lesson(path, read_lesson(raw))]


def test_parts_are_small_and_have_everything_once() -> None:
    parts = [part for part in divide(ZIP) if part.path == LESSON]
    assert len(parts) > 8
    for part in parts:
        assert part.rows <= PART_ROWS
        assert part.bytes <= PART_BYTES or list(part.lesson.drafts) == ["history"]
    lesson = read_lesson(Raw(json.dumps(LARGE).encode()))
    assert {name: at for part in parts for name, at in part.lesson.cells.items()} == lesson.cells
    assert {name: draft for part in parts for name, draft in part.lesson.drafts.items()} == lesson.drafts
    for name, exercise in lesson.exercises.items():
        pieces = [part.lesson.exercises[name] for part in parts if name in part.lesson.exercises]
        assert [attempt for piece in pieces for attempt in piece.attempts] == exercise.attempts
        of_exercise = [part for part in parts if name in part.lesson.exercises]
        assert [part.continued == name for part in of_exercise] == [False] + [True] * (len(of_exercise) - 1)
        assert pieces[0].standing == exercise.standing


def test_an_empty_lesson_has_no_parts() -> None:
    assert list(divide_lesson(LESSON, ArchivedLesson())) == []


def test_a_large_import_is_counted_and_comes_back_whole(connection: Connection) -> None:
    answer = take(connection, "eve", ZIP)
    assert answer.taken == ImportCounts(cells=151, exercises=3, attempts=470, drafts=31, versions=110)
    assert answer.already == ImportCounts()
    standings = connection.exec_driver_sql("select exercise, standing, attempts, hints from standing order by exercise").fetchall()
    assert [tuple(row) for row in standings] == [("long", "passed", 20, 0), ("many", "tried", 450, 2), ("none", "tried", 0, 0)]
    rows = all_rows(connection)
    again = take(connection, "eve", ZIP)
    assert (again.taken, again.already) == (ImportCounts(), answer.taken)
    assert all_rows(connection) == rows
    assert take(connection, "bob", export(connection, "eve")).taken == answer.taken


@pytest.mark.parametrize("done", [0, 1, 3, 7, 100])
def test_wherever_an_import_ends_the_same_file_completes_it(connection: Connection, done: int) -> None:
    work(connection, "ada")
    mixed = data_of(export(connection, "ada"))
    mixed["lessons"][LESSON] = LARGE | {"predictions": mixed["lessons"][LESSON]["predictions"]}
    zipped = pack(mixed)
    begin_merge(connection, learner="eve", archive=read_archive(zipped, limit_bytes=LIMIT, now_ms=NOW_MS), now_ms=NOW_MS)
    for part in divide(zipped)[:done]:
        merge_part(connection, learner="eve", part=part, now_ms=NOW_MS, limit_bytes=LIMIT)
    export(connection, "eve")  # what is there so far can be looked at
    take(connection, "eve", zipped)
    take(connection, "bob", zipped)
    eve, bob = (without_origin(data_of(export(connection, name))) for name in ("eve", "bob"))
    assert eve == bob
    assert read_holdings(connection, "eve") == read_holdings(connection, "bob")


def test_a_plan_writes_nothing_and_counts_what_is_added_and_not_what_is_there(connection: Connection) -> None:
    archive = read_archive(ZIP, limit_bytes=LIMIT, now_ms=NOW_MS)
    plan = partial(plan_merge, connection, learner="eve", archive=archive, now_ms=NOW_MS)
    planned = plan(limit_bytes=LIMIT)
    assert connection.execute(select(func.count()).select_from(LearnerRow)).scalar() == 0
    take(connection, "eve", ZIP)
    kept = read_holdings(connection, "eve").bytes
    assert kept <= planned < 1.2 * kept
    assert plan(limit_bytes=kept) == 0
    other = partial(plan_merge, connection, learner="bob", archive=archive, now_ms=NOW_MS)
    with pytest.raises(TooMuchStored):
        other(limit_bytes=kept - 1)
    other(limit_bytes=kept)


def test_what_other_tabs_saved_meanwhile_counts(connection: Connection) -> None:
    parts = divide(ZIP)
    merge = partial(merge_part, connection, learner="eve", now_ms=NOW_MS, limit_bytes=4 * PART_BYTES)
    answers = []
    with pytest.raises(TooMuchStored):
        answers.extend(merge(part=part) for part in parts)
    assert read_holdings(connection, "eve").bytes <= 4 * PART_BYTES


def test_one_receipt_twice_in_a_file_is_taken_once(connection: Connection) -> None:
    attempts = [make_attempt(number % 250, 3) for number in range(500)]
    zipped = pack(ARCHIVE | {"lessons": {LESSON: {"exercises": {"e": {"attempts": attempts}}}}})
    answer = take(connection, "eve", zipped)
    assert (answer.taken.attempts, answer.already.attempts) == (250, 250)
    assert connection.execute(select(func.count()).select_from(AttemptRow)).scalar() == 250


def test_answers_are_added_up() -> None:
    assert add_up([]).taken == ImportCounts()
    one = msgspec.structs.replace(add_up([]), taken=ImportCounts(cells=2), already=ImportCounts(drafts=1), beside=3)
    assert add_up([one, one]) == msgspec.structs.replace(one, taken=ImportCounts(cells=4), already=ImportCounts(drafts=2), beside=6)
