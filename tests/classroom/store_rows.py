"""Rows for tests of the store, made without the app's functions."""

from collections.abc import Callable

from sqlalchemy import Connection, delete, func, insert, select

from app.classroom.store.schema.tables import AttemptRow, DraftRow, DraftVersionRow, LearnerRow, StoredAnswerRow

LESSON = "one/first"


def add_learner(name: str, seen_ms: int = 1, text: str | None = None, drafts: int = 1) -> Callable[[Connection], int]:
    """Return a change that adds a learner, and, if `text` is given, an attempt and drafts with versions that contain it."""

    def change(connection: Connection) -> int:
        row = connection.execute(insert(LearnerRow).values(name=name, made_ms=1, seen_ms=seen_ms))
        learner: int = row.inserted_primary_key[0]
        if text is not None:
            add_work(connection, learner, text, drafts)
        return learner

    return change


def add_work(connection: Connection, learner: int, text: str, drafts: int) -> None:
    mine = {"learner_id": learner, "lesson": LESSON}
    receipt = connection.execute(select(func.count()).select_from(AttemptRow)).scalar_one()
    attempt = connection.execute(
        insert(AttemptRow).values(
            **mine,
            exercise="e",
            receipt=str(receipt),
            at_ms=1,
            source=text,
            sha256="",
            seed=0,
            run_id="",
            passed=True,
            good=1,
            total=1,
            verdict=text,
        )
    )
    connection.execute(
        insert(StoredAnswerRow).values(attempt_id=attempt.inserted_primary_key[0], learner_id=learner, at_ms=1, data=text.encode())
    )
    for cell in map(str, range(drafts)):
        connection.execute(insert(DraftRow).values(**mine, cell=cell, version=1, source=text, at_ms=1))
        connection.execute(insert(DraftVersionRow).values(**mine, cell=cell, number=1, why="run", source=text, at_ms=1))


def forget(learner: int) -> Callable[[Connection], None]:
    return lambda connection: connection.execute(delete(LearnerRow).where(LearnerRow.id == learner)) and None


def count_learners(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(LearnerRow)).scalar_one()
