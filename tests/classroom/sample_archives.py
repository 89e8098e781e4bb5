"""Work of a learner, its export, and zips that are made by hand, for the tests of archives."""

import io
import json
import zipfile
from copy import deepcopy
from functools import partial
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, select

from app.classroom.archive.archive_format import (
    ImportAnswer,
)
from app.classroom.archive.archive_merge import add_up, begin_merge, merge_part, plan_merge
from app.classroom.archive.archive_parts import divide_lesson
from app.classroom.archive.archive_reader import read_archive, read_lesson
from app.classroom.archive.archive_writer import write_archive
from app.classroom.store.schema.tables import DoneCellRow, StoreTable
from app.classroom.store.stored_work_types import NewAttempt
from app.classroom.work.attempts import make_receipt, record_solution, save_attempt
from app.classroom.work.drafts import save_draft
from app.classroom.work.learners import set_reviews, update_learner
from app.classroom.work.predictions import record_prediction

HEAD = '{"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": null, "lesson": null, "reviews": true, "lessons": '
NOW_MS = 1_790_000_000_000
LIMIT = 64 << 20
LESSON = "backward-twice/cube"
VERDICT = '{"passed":%s,"checks":[{"id":"runs","passed":true,"reported":false,"message":null}],"mistake":null}'


def submit(connection: Connection, learner: str, source: str, *, passed: bool = False, lesson: str = LESSON, at_ms: int = NOW_MS) -> None:
    receipt = make_receipt(sha256(f"{learner} {source} {at_ms}".encode()).hexdigest()[:16], at_ms, sha256(source.encode()).hexdigest())
    attempt = NewAttempt(
        receipt=receipt, at_ms=at_ms, lesson=lesson, exercise="cube", key=None, source=source, seed=3, run_id="r-1",
        passed=passed, good=int(passed), total=1, mistake=None, verdict=VERDICT % str(passed).lower(), answer=b"{}",
    )  # fmt: skip
    save_attempt(connection, learner=learner, attempt=attempt, limit_bytes=LIMIT)


def write(connection: Connection, learner: str, cell: str, source: str | None, version: int = 0, *, ran: bool = False) -> int:
    place = {"learner": learner, "lesson": LESSON, "cell": cell}
    return save_draft(connection, **place, source=source, version=version, ran=ran, now_ms=NOW_MS, limit_bytes=LIMIT)


def work(connection: Connection, learner: str) -> None:
    """Store some work of each kind."""
    submit(connection, learner, "first = 1\n", at_ms=NOW_MS - 9)
    record_solution(connection, learner=learner, lesson=LESSON, exercise="cube", now_ms=NOW_MS - 8)
    submit(connection, learner, "second = '三'\n", passed=True, at_ms=NOW_MS - 7)
    submit(connection, learner, "third\n", at_ms=NOW_MS - 6)
    submit(connection, learner, "elsewhere\n", lesson="myths/one", passed=True)
    write(connection, learner, "cube", "x = 2\n", write(connection, learner, "cube", "x = 1\n", ran=True), ran=True)
    write(connection, learner, "exercise_cube", "cube = 3\n")
    write(connection, learner, "_rule", "Save what you need.")
    write(connection, learner, "reset", None, write(connection, learner, "reset", "y = 1\n"))
    for prediction, answer, right in (("grad", "1", False), ("shape", "[2,3]", True), ("shown", "null", None)):
        place = {"learner": learner, "lesson": LESSON, "prediction": prediction}
        record_prediction(connection, **place, about="ab12", answer=answer, right=right, now_ms=NOW_MS - 5)
    record_prediction(connection, learner=learner, lesson=LESSON, prediction="grad", about="ab12", answer="2.5", right=True, now_ms=NOW_MS)
    learner_id = update_learner(connection, learner, NOW_MS)
    connection.execute(DoneCellRow.__table__.insert().values(learner_id=learner_id, lesson=LESSON, cell="cube", at_ms=NOW_MS - 4))  # type: ignore[attr-defined]
    set_reviews(connection, learner, False, NOW_MS)


def export(connection: Connection, learner: str) -> bytes:
    return write_archive(connection, learner=learner, readme="Read me.", now_ms=NOW_MS, conceal=lambda path, exercise, verdict: verdict)


def take(connection: Connection, learner: str, zipped: bytes, limit_bytes: int = LIMIT) -> ImportAnswer:
    archive = read_archive(zipped, limit_bytes=limit_bytes, now_ms=NOW_MS)
    plan_merge(connection, learner=learner, archive=archive, now_ms=NOW_MS, limit_bytes=limit_bytes)
    if archive.lessons:
        begin_merge(connection, learner=learner, archive=archive, now_ms=NOW_MS)
    parts = [part for path, raw in archive.lessons.items() for part in divide_lesson(path, read_lesson(raw))]
    merge = partial(merge_part, connection, learner=learner, now_ms=NOW_MS, limit_bytes=limit_bytes)
    return add_up([merge(part=part) for part in parts])


def data_of(zipped: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(zipped)) as opened:
        data: dict[str, Any] = json.loads(opened.read("data.json"))
    return data


def all_rows(connection: Connection) -> dict[str, list[Any]]:
    return {name: sorted(map(repr, connection.execute(select(table)))) for name, table in StoreTable.metadata.tables.items()}


def without_origin(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an export without its origin: when the learner was made, and whether attempts were imported."""
    data = deepcopy(data) | {"made_ms": None}
    for lesson in data["lessons"].values():
        for exercise in lesson["exercises"].values():
            for attempt in exercise["attempts"]:
                del attempt["imported"]
    return data


def pack(data: object, name: str = "data.json", kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as zipped:
        zipped.writestr(name, data if isinstance(data, bytes | str) else json.dumps(data))
    return buffer.getvalue()
