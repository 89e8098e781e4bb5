"""Random changes of every kind to the work of a few learners. A writing process makes them, and the model makes them as well.

The model is a database in memory in which the same changes are made one after another, in the order in which they were committed. That
order is known: each change records the time after it has locked its learner, and the lock ends with the commit.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw
from sqlalchemy import Connection, select

from app.classroom.archive.archive_format import (
    FORMAT,
    VERSION,
    Archive,
    ArchivedAttempt,
    ArchivedDraft,
    ArchivedExercise,
    ArchivedLesson,
    ArchivedPrediction,
    ArchivedText,
    ArchivedVersion,
)
from app.classroom.archive.archive_merge import begin_merge, merge_part
from app.classroom.archive.archive_parts import divide_lesson
from app.classroom.archive.archive_reader import read_lesson
from app.classroom.store.learner_lock import lock_learner
from app.classroom.store.schema.tables import LearnerRow, StoredAnswerRow, StoreTable
from app.classroom.store.stored_work_types import DraftConflict, KeyUsed, NewAttempt, ReportedPrediction, ReportedWork
from app.classroom.store.times import DAY_MS
from app.classroom.work.attempts import make_receipt, record_solution, save_attempt
from app.classroom.work.drafts import save_draft
from app.classroom.work.learners import delete_learner, record_visit, set_reviews
from app.classroom.work.predictions import record_prediction
from app.classroom.work.reported_work import record_work
from app.classroom.work.retention import delete_if_unseen

LIMIT = 1 << 30
BEGAN_MS = 1_790_000_000_000
LEARNERS, LESSONS, CELLS = ("ada", "bob", "eve", "kim", "lin", "max"), ("one/first", "one/second"), ("a", "b", "c")
VERDICT = '{"passed":%s,"checks":[],"mistake":null}'
KINDS = {  # how often each kind is drawn
    "save": 30, "predict": 12, "submit": 12, "report": 8, "import": 4, "solution": 5, "visit": 4, "reviews": 4, "delete": 2, "retention": 2,
}  # fmt: skip


@dataclass(frozen=True)
class ChangeToMake:
    """A change of one kind to one learner's work. `facts` are its arguments; a save names the version from which it began."""

    number: int
    kind: str
    learner: str
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def now_ms(self) -> int:
        """The time of the change. Each is about half an hour after the one before, so that visits are recorded and questions become due."""
        return BEGAN_MS + self.number * DAY_MS // 40


@dataclass(frozen=True)
class Made:
    """A change that was made: its result, and when it had locked its learner."""

    change: ChangeToMake
    locked_ns: int
    result: object


def draw_change(draw: random.Random, number: int) -> ChangeToMake:
    """Draw a change, except the version from which a text began, which only the writing process knows."""
    kind = draw.choices(list(KINDS), list(KINDS.values()))[0]
    lesson, cell, text = draw.choice(LESSONS), draw.choice(CELLS), draw.choice(("", "x = 1", f"x = {number}", "“ü”\n" * draw.randrange(40)))
    facts: dict[str, Any] = {"lesson": lesson}
    match kind:
        case "save":
            facts |= {"cell": cell, "source": draw.choice((text, text, text, None)), "ran": draw.random() < 0.4}
        case "predict":
            facts |= {"prediction": cell, "about": draw.choice("pq"), "answer": "1", "right": draw.choice((True, False, None))}
        case "submit":
            facts |= {"exercise": cell, "source": text, "passed": draw.random() < 0.3, "key": draw.choice((None, *"klmn"))}
        case "report":
            facts |= {"cells": draw.sample(CELLS, 2), "predictions": {cell: draw.random() < 0.5}, "hints": {cell: draw.randrange(4)}}
        case "import":
            facts = {"seed": draw.randrange(5)}  # few, so that the same archive is imported again
        case "solution":
            facts |= {"exercise": cell}
        case "reviews":
            facts = {"on": draw.random() < 0.7}
        case "retention":
            facts = {"days": draw.choice((5, 40))}
        case _:
            facts = {}
    return ChangeToMake(number, kind, draw.choice(LEARNERS), facts)


def split_change(change: ChangeToMake) -> list[ChangeToMake]:
    """Return the changes that web makes one after another: of an import its beginning and its parts."""
    if change.kind != "import":
        return [change]
    archive = make_archive(change.facts["seed"])
    parts = [(path, index) for path, raw in archive.lessons.items() for index, _ in enumerate(divide_lesson(path, read_lesson(raw)))]
    begin = ChangeToMake(change.number, "import begins", change.learner, change.facts)
    return [begin, *(ChangeToMake(change.number, "import part", change.learner, {**change.facts, "part": part}) for part in parts)]


def make_change(connection: Connection, change: ChangeToMake) -> Made:
    """Make a change, as web does: lock the learner, then read and write."""
    lock_learner(connection, change.learner)
    locked_ns = time.monotonic_ns()
    try:
        result = MAKERS[change.kind](connection, change)
    except DraftConflict as conflict:
        result = ("conflict", conflict.draft.version)
    except KeyUsed:
        result = "key used"
    return Made(change, locked_ns, result)


def _save(connection: Connection, change: ChangeToMake) -> object:
    return save_draft(connection, change.learner, **change.facts, now_ms=change.now_ms, limit_bytes=LIMIT)


def _predict(connection: Connection, change: ChangeToMake) -> object:
    return record_prediction(connection, change.learner, **change.facts, now_ms=change.now_ms)


def _submit(connection: Connection, change: ChangeToMake) -> object:
    facts, passed = change.facts, change.facts["passed"]
    receipt = make_receipt(f"r{change.number}", change.now_ms, sha256(facts["source"].encode()).hexdigest())
    attempt = NewAttempt(
        receipt=receipt, at_ms=change.now_ms, seed=0, run_id="r", good=int(passed), total=1, mistake=None,
        verdict=VERDICT % str(passed).lower(), answer=b"{}" * 100, **facts,
    )  # fmt: skip
    earlier = save_attempt(connection, change.learner, attempt, limit_bytes=LIMIT)
    return earlier and earlier.receipt.id


def _report(connection: Connection, change: ChangeToMake) -> object:
    facts = change.facts
    predictions = {name: ReportedPrediction(about="p", answer="2", right=right) for name, right in facts["predictions"].items()}
    reported = ReportedWork(cells=facts["cells"], predictions=predictions, hints=facts["hints"])
    return record_work(connection, change.learner, lesson=facts["lesson"], reported=reported, now_ms=change.now_ms)


def _solution(connection: Connection, change: ChangeToMake) -> object:
    return record_solution(connection, change.learner, **change.facts, now_ms=change.now_ms)


def _visit(connection: Connection, change: ChangeToMake) -> object:
    return record_visit(connection, change.learner, change.now_ms)


def _reviews(connection: Connection, change: ChangeToMake) -> object:
    return set_reviews(connection, change.learner, change.facts["on"], change.now_ms)


def _delete(connection: Connection, change: ChangeToMake) -> object:
    return delete_learner(connection, change.learner)


def _retention(connection: Connection, change: ChangeToMake) -> object:
    return delete_if_unseen(connection, change.learner, change.now_ms - change.facts["days"] * DAY_MS)


def _begin_import(connection: Connection, change: ChangeToMake) -> object:
    return begin_merge(connection, change.learner, archive=make_archive(change.facts["seed"]), now_ms=change.now_ms)


def _import_part(connection: Connection, change: ChangeToMake) -> object:
    path, index = change.facts["part"]
    part = list(divide_lesson(path, read_lesson(make_archive(change.facts["seed"]).lessons[path])))[index]
    return msgspec.to_builtins(merge_part(connection, change.learner, part=part, now_ms=change.now_ms, limit_bytes=LIMIT))


MAKERS: dict[str, Callable[[Connection, ChangeToMake], object]] = {
    "save": _save, "predict": _predict, "submit": _submit, "report": _report, "solution": _solution, "visit": _visit, "reviews": _reviews,
    "delete": _delete, "retention": _retention, "import begins": _begin_import, "import part": _import_part,
}  # fmt: skip


def make_archive(seed: int) -> Archive:
    """Return an export with something of each kind, always the same for a seed."""
    draw, null = random.Random(seed), Raw(b"null")
    lessons = {}
    for path in draw.sample(LESSONS, 2):
        said = {"first_answer": Raw(b"3"), "first_right": True, "first_ms": 5, "last_answer": Raw(b"3"), "last_right": True, "last_ms": 6}
        sources = [f"import {seed} {number}" for number in range(draw.randrange(1, 4))]
        attempts = [
            ArchivedAttempt(
                receipt=f"i{seed}-{number}", at_ms=7, sha256=sha256(source.encode()).hexdigest(), source=source, seed=0, run="r", good=0,
                total=1, verdict=Raw((VERDICT % "false").encode()), imported=False,
            )
            for number, source in enumerate(sources)
        ]  # fmt: skip
        numbers = range(1, draw.randrange(2, 9))
        versions = [ArchivedVersion(number=number, why="run", source=f"{seed} {number}", at_ms=8) for number in numbers]
        lesson = ArchivedLesson(
            cells={draw.choice(CELLS): 5},
            predictions={draw.choice(CELLS): ArchivedPrediction(about="p", times=1, card=null, **said)},
            exercises={draw.choice(CELLS): ArchivedExercise(standing="tried", hints=draw.randrange(3), attempts=attempts)},
            drafts={draw.choice(CELLS): ArchivedDraft(draft=ArchivedText(version=3, source=f"y = {seed}", at_ms=9), versions=versions)},
        )
        lessons[path] = Raw(msgspec.json.encode(lesson))
    return Archive(format=FORMAT, version=VERSION, exported_ms=1, made_ms=1, lesson=LESSONS[0], reviews=bool(seed % 2), lessons=lessons)


def read_end(connection: Connection) -> dict[str, list[str]]:
    """Return all rows without the numbers that a database gives them: learners by name, and answers by their receipts."""
    names = {row.id: row.name for row in connection.execute(select(LearnerRow.id, LearnerRow.name))}
    attempts = StoreTable.metadata.tables["attempt"]
    receipts = {row.id: row.receipt for row in connection.execute(select(attempts.c.id, attempts.c.receipt))}
    found = {}
    for name, table in StoreTable.metadata.tables.items():
        rows = [dict(row._mapping) for row in connection.execute(select(table))]
        for row in rows:
            row.pop("id", None)
            row |= {"learner_id": names[row["learner_id"]]} if "learner_id" in row else {}
            row |= {"attempt_id": receipts[row["attempt_id"]]} if name == StoredAnswerRow.__tablename__ else {}
        found[name] = sorted(map(repr, rows))
    return found
