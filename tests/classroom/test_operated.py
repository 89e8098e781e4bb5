"""What an operator's commands read and delete, on both databases."""

import pytest
from sqlalchemy import Connection, func, insert, select, update

from app.classroom.people import audit
from app.classroom.store.schema.tables import AttemptRow, AuditEntryRow, LearnerRow, StoreTable
from app.classroom.store.times import DAY_MS
from app.classroom.work.attempts import save_attempt
from app.classroom.work.forgotten_learners import is_forgotten
from app.classroom.work.learners import MOST_FOUND, find_learners
from app.classroom.work.receipts import find_receipt
from app.classroom.work.retention import count_retained
from app.serving.operating.learner_commands import erase_learner
from tests.classroom.sample_attempts import LIMIT, new_attempt

NOW_MS = 1000 * DAY_MS


def submit(connection: Connection, learner: str) -> str:
    attempt = new_attempt()
    save_attempt(connection, learner, attempt, limit_bytes=LIMIT)
    return attempt.receipt.id


def count_all(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in StoreTable.metadata.tables.values()
        if "learner_id" in table.columns or table.name == "learner"
    }


def test_a_name_is_compared_letter_by_letter(connection: Connection) -> None:
    for name in ("ann_1", "annx2", "Ann_3", "%nn"):
        submit(connection, name)

    def found(text: str) -> list[str]:
        return sorted(one.name for one in find_learners(connection, text, "none"))

    assert [found(text) for text in ("ann", "ann_", "Ann", "%nn", "x")] == [["ann_1", "annx2"], ["ann_1"], ["Ann_3"], ["%nn"], []]


def test_the_last_seen_come_first_and_not_all(connection: Connection) -> None:
    rows = [{"name": f"many{n}", "made_ms": 1, "seen_ms": n, "bytes": 0} for n in range(MOST_FOUND + 9)]
    connection.execute(insert(LearnerRow), rows)
    found = find_learners(connection, "many", "none")
    assert [one.name for one in found] == [f"many{n}" for n in range(MOST_FOUND + 8, 8, -1)]


def test_everybody_with_a_receipt_is_found(connection: Connection) -> None:
    receipt = submit(connection, "zoe")
    submit(connection, "bob")
    connection.execute(update(AttemptRow).where(AttemptRow.receipt != receipt).values(receipt=receipt, imported=True))
    assert {one.name for one in find_learners(connection, "none", receipt)} == {"bob", "zoe"}
    assert [(one.learner, one.imported) for one in find_receipt(connection, receipt)] == [("zoe", False), ("bob", True)]
    assert find_receipt(connection, "other") == []


def test_an_erased_learner_leaves_a_mark_and_no_row(connection: Connection) -> None:
    submit(connection, "bob")
    before = count_all(connection)
    submit(connection, "ann")
    audit.append(connection, 1, audit.name_learner("ann"), "did")
    audit.append(connection, 1, audit.COMMAND_LINE, "looked", audit.name_learner("ann"))
    audit.append(connection, 1, audit.COMMAND_LINE, "looked", audit.name_learner("bob"))
    assert erase_learner(connection, "ann", 2) == 2
    assert count_all(connection) == before
    assert is_forgotten(connection, "ann")
    entries = connection.execute(select(AuditEntryRow.action, AuditEntryRow.subject).order_by(AuditEntryRow.id)).all()
    assert [tuple(entry) for entry in entries] == [("looked", audit.name_learner("bob")), ("learner erased", None)]


@pytest.mark.parametrize(("days", "soon"), [(0, 1), (9, 1), (11, 2), (36_500, 3)])
def test_whoever_becomes_due_is_counted(connection: Connection, days: int, soon: int) -> None:
    for seen in (599, 610, 1000):
        connection.execute(insert(LearnerRow).values(name=str(seen), made_ms=1, seen_ms=seen * DAY_MS))
    figures = count_retained(connection, 400, days, NOW_MS)
    assert (figures.due, figures.soon) == (1, soon)
    never = count_retained(connection, 0, days, NOW_MS)
    assert (never.due, never.soon) == (0, 0)
