"""Two changes of one class that come at once end as if they had been made one after another."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, text

from app.classroom.classes.class_faults import ClassFault, JoiningClosed, NoMember, NumberTaken, WrongCode
from app.classroom.classes.hands import raise_hand
from app.classroom.classes.member_changes import merge_members, remove_member
from app.classroom.classes.members import join, learners_of, leave
from app.classroom.classes.memberships import list_memberships
from app.classroom.classes.notes import add_note
from app.classroom.classes.roster import RosterLine, import_roster
from app.classroom.classes.school_classes import archive_class, delete_class
from app.classroom.store.database import Database
from app.classroom.store.schema.tables import StoreTable
from app.classroom.work.learners import delete_learner
from tests.classroom.classes.sample_classes import LESSONS, NOW_MS, SampleClass, count_rows, join_sample, make_sample, names_in, submit
from tests.patience import PATIENCE_SECONDS, wait_for
from tests.postgresql import ONLY_POSTGRES

Change = Callable[[Connection], Any]
WAITING = text("SELECT count(*) FROM pg_locks WHERE NOT granted")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    made = Database(database_url)
    made.open()
    yield made
    made._engines.dispose()


def make_at_once(database: Database, *changes: Change) -> list[object]:
    """Make changes, of which the first ends after each other has begun, and waits or has ended. Return results or exceptions."""
    made, others_began = Event(), Event()

    def make_first(connection: Connection) -> object:
        try:
            return changes[0](connection)
        finally:
            made.set()
            others_began.wait(PATIENCE_SECONDS)

    futures = [database.enqueue(make_first)]
    assert made.wait(PATIENCE_SECONDS)
    futures += [database.enqueue(change) for change in changes[1:]]
    if database.is_postgres:
        wait_for(
            lambda: (
                database.read_here(lambda reader: reader.execute(WAITING).scalar_one()) + sum(one.done() for one in futures[1:])
                == len(changes) - 1
            )
        )
    others_began.set()
    return [one.exception(PATIENCE_SECONDS) or one.result() for one in futures]


def join_as(sample: SampleClass, learner: str, number: str | None = None) -> Change:
    return lambda connection: join(connection, learner, sample.code, learner, number, False, NOW_MS)


def test_a_number_on_the_roster_is_taken_by_the_first_who_joins(database: Database) -> None:
    sample = database.enqueue(make_sample, asks_number=True).result()
    database.enqueue(import_roster, sample.teacher, sample.id, [RosterLine(name="Ann", number="s1")], NOW_MS).result()
    for number, names in (("s1", [("ann", "s1")]), ("s2", [("ann", "s1"), ("cal", "s2")])):
        first, second = make_at_once(database, join_as(sample, names[-1][0], number), join_as(sample, f"not {number}", number))
        assert not isinstance(first, Exception) and isinstance(second, NumberTaken)
        assert database.read_here(names_in, sample.id) == names


def test_a_browser_that_joins_twice_is_one_member(database: Database) -> None:
    sample = database.enqueue(make_sample).result()
    first, second = make_at_once(database, join_as(sample, "ann"), join_as(sample, "ann"))
    assert not isinstance(first, Exception) and first.member_id == second.member_id  # type: ignore[attr-defined]
    assert database.read_here(names_in, sample.id) == [("ann", None)]


def test_two_who_merge_the_same_members_lose_none(database: Database) -> None:
    sample = database.enqueue(make_sample).result()
    ann, bob = (database.enqueue(join_sample, sample, learner).result().member_id for learner in ("ann", "bob"))
    first, second = make_at_once(
        database,
        lambda connection: merge_members(connection, sample.teacher, sample.id, ann, bob, NOW_MS),
        lambda connection: merge_members(connection, sample.teacher, sample.id, bob, ann, NOW_MS),
    )
    assert first is None and isinstance(second, NoMember)
    assert database.read_here(lambda reader: {row.member_id for row in reader.execute(learners_of(sample.id))}) == {ann}
    assert len(database.read_here(list_memberships, "bob")) == 1


OTHERS: dict[str, Callable[[SampleClass, int, int], tuple[Change, type[ClassFault] | None]]] = {
    "join": lambda sample, *_: (join_as(sample, "bob"), WrongCode),
    "join again": lambda sample, *_: (join_as(sample, "ann"), WrongCode),
    "hand": lambda sample, *_: (
        lambda connection: raise_hand(connection, "ann", sample.id, lesson=LESSONS[0], exercise=None, shares=True, now_ms=NOW_MS),
        ClassFault,
    ),
    "note": lambda sample, _, attempt: (
        lambda connection: add_note(connection, sample.teacher, sample.id, attempt, 1, "x", "Tess", NOW_MS),
        ClassFault,
    ),
    "leave": lambda sample, *_: (lambda connection: leave(connection, "ann", sample.id, NOW_MS), ClassFault),
    "submit": lambda *_: (lambda connection: submit(connection, "ann"), None),
    "erase": lambda *_: (lambda connection: delete_learner(connection, "ann"), None),
    "remove": lambda sample, member, _: (
        lambda connection: remove_member(connection, sample.teacher, sample.id, member, NOW_MS),
        ClassFault,
    ),
}


@ONLY_POSTGRES
def test_whatever_comes_while_a_class_is_deleted_leaves_nothing_of_it(database: Database) -> None:
    for make_other in OTHERS.values():
        for is_first in (True, False):
            sample, member, attempt = database.enqueue(make_filled).result()
            other, fault = make_other(sample, member, attempt)
            deletion: Change = lambda connection, sample=sample: delete_class(connection, sample.teacher, sample.id, NOW_MS)  # noqa: E731
            results = make_at_once(database, *((deletion, other) if is_first else (other, deletion)))
            refused = is_first and fault is not None
            assert [isinstance(one, Exception) for one in results] == [False, refused], results
            assert not refused or isinstance(results[1], fault or ())
            left = database.read_here(count_rows)
            assert not left.keys() & {"school_class", "class_staff", "class_lesson", "member", "member_learner", "raised_hand", "note"}
            database.enqueue(delete_all).result()


@ONLY_POSTGRES
def test_whatever_comes_while_a_learner_is_erased_leaves_no_member(database: Database) -> None:
    for name, make_other in OTHERS.items():
        if name in ("join", "join again", "erase", "submit", "hand"):  # web refuses what comes from a learner who was erased
            continue
        for is_first in (True, False):
            sample, member, attempt = database.enqueue(make_filled).result()
            other, fault = make_other(sample, member, attempt)
            erasure: Change = lambda connection: delete_learner(connection, "ann")  # noqa: E731
            results = make_at_once(database, *((erasure, other) if is_first else (other, erasure)))
            assert [isinstance(one, Exception) for one in results] == [False, is_first and fault is not None], results
            left = database.read_here(count_rows)
            assert not left.keys() & {"learner", "attempt", "member_learner", "raised_hand", "note"}
            assert database.read_here(names_in, sample.id) == []
            database.enqueue(delete_all).result()


def make_filled(connection: Connection) -> tuple[SampleClass, int, int]:
    """Make a class with a member, and return it with the ids of the member and of an attempt."""
    sample = make_sample(connection)
    member = join_sample(connection, sample, "ann").member_id
    return sample, member, submit(connection, "ann")


def delete_all(connection: Connection) -> None:
    for table in reversed(StoreTable.metadata.sorted_tables):
        connection.execute(table.delete())


def test_who_joins_while_a_class_is_archived_is_in_it_or_not(database: Database) -> None:
    sample = database.enqueue(make_sample).result()
    first, second = make_at_once(
        database, lambda connection: archive_class(connection, sample.teacher, sample.id, NOW_MS), join_as(sample, "ann")
    )
    assert first is None and isinstance(second, JoiningClosed)
    assert (
        database.read_here(lambda reader: reader.execute(select(func.count()).select_from(learners_of(sample.id).subquery())).scalar()) == 0
    )
