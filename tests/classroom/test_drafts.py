"""The texts of cells: versions, conflicts, and earlier texts."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine

from app.classroom.store.schema.tables import LAST_ID
from app.classroom.store.stored_work_types import DraftConflict, StoredDraft, TooMuchStored
from app.classroom.work import drafts, learners
from tests.classroom.sample_attempts import LIMIT

HERE = {"learner": "ada", "lesson": "basics/first", "cell": "one"}


def keep(connection: Connection, source: str | None, version: int, *, ran: bool = False, now_ms: int = 1, limit_bytes: int = LIMIT) -> int:
    return drafts.save_draft(connection, source=source, version=version, ran=ran, now_ms=now_ms, limit_bytes=limit_bytes, **HERE)


def read(connection: Connection) -> tuple[StoredDraft | None, list[tuple[str, str]]]:
    draft, versions = drafts.read_draft(connection, **HERE)
    return draft, [(version.why, version.source) for version in versions]


def test_a_text_that_began_from_the_newest_version_is_taken(connection: Connection) -> None:
    assert [keep(connection, "a", 0), keep(connection, "b", 1), keep(connection, "c", 2, now_ms=7)] == [1, 2, 3]
    assert read(connection) == (StoredDraft(version=3, source="c", at_ms=7), [])


@pytest.mark.parametrize("version", [0, 1, 3])
def test_a_text_that_began_from_another_version_is_a_conflict(connection: Connection, version: int) -> None:
    keep(connection, "a", 0)
    keep(connection, "b", 1, now_ms=5)
    with pytest.raises(DraftConflict) as raised:
        keep(connection, "mine", version)
    assert raised.value.draft == StoredDraft(version=2, source="b", at_ms=5)
    assert read(connection)[0] == raised.value.draft


def test_what_began_from_none_conflicts_with_a_cell_that_was_set_back(connection: Connection) -> None:
    keep(connection, "a", 0)
    keep(connection, None, 1)
    with pytest.raises(DraftConflict):
        keep(connection, "mine", 0)
    assert keep(connection, "mine", 2) == 3


@pytest.mark.parametrize("version", [0, 1, 2, 9])
def test_an_equal_text_is_no_conflict_and_nothing_is_written(connection: Connection, version: int) -> None:
    keep(connection, "a", 0)
    keep(connection, "b", 1, now_ms=5)
    assert keep(connection, "b", version, now_ms=9) == 2
    assert read(connection) == (StoredDraft(version=2, source="b", at_ms=5), [])


def test_the_lessons_own_text_is_not_kept_of_who_has_none(connection: Connection) -> None:
    assert keep(connection, None, 0) == 0
    assert learners.find_learner(connection, "ada") is None
    assert read(connection) == (None, [])


def test_a_number_that_somebody_may_hold_is_not_given_again(connection: Connection) -> None:
    """After a backup was restored, a tab may name a version that the server does not have. Its text is then the only one."""
    assert keep(connection, "mine", 7) == 8
    assert keep(connection, "next", 8) == 9


def test_a_number_beyond_the_databases_is_cut(connection: Connection) -> None:
    assert keep(connection, "mine", 10**30) == LAST_ID


def test_a_text_that_ran_is_kept_once(connection: Connection) -> None:
    keep(connection, "a", 0, ran=True)
    keep(connection, "a", 1, ran=True)
    assert read(connection)[1] == [("run", "a")]
    keep(connection, "b", 1)
    keep(connection, "b", 0, ran=True)  # equal, so no conflict; and it was run
    keep(connection, "a", 2, ran=True)
    assert read(connection)[1] == [("run", "a"), ("run", "b"), ("run", "a")]


def test_a_text_that_is_set_back_is_still_there_to_restore(connection: Connection) -> None:
    keep(connection, "much work", 0)
    keep(connection, None, 1)
    assert read(connection) == (StoredDraft(version=2, source=None, at_ms=1), [("replaced", "much work")])
    keep(connection, "more", 2, ran=True)
    keep(connection, None, 3, ran=True)  # it ran as the lesson has it, which is no version
    assert read(connection)[1] == [("run", "more"), ("replaced", "much work")]


def test_the_oldest_versions_go(connection: Connection) -> None:
    version = 0
    for number in range(drafts.MOST_VERSIONS + 3):
        version = keep(connection, f"x = {number}", version, ran=True)
    versions = drafts.read_draft(connection, **HERE)[1]
    assert [one.source for one in versions] == [f"x = {number}" for number in range(drafts.MOST_VERSIONS + 2, 2, -1)]
    assert [one.number for one in versions] == sorted((one.number for one in versions), reverse=True)


def test_too_much_is_refused_and_a_shorter_text_is_not(connection: Connection) -> None:
    keep(connection, "a" * 100, 0, limit_bytes=300)
    with pytest.raises(TooMuchStored):
        keep(connection, "a" * 101, 1, limit_bytes=300)
    assert keep(connection, "a" * 99, 1, limit_bytes=300) == 2


def test_cells_learners_and_lessons_are_apart(connection: Connection) -> None:
    keep(connection, "a", 0, ran=True)
    others = [HERE | {"learner": "bob"}, HERE | {"lesson": "basics/second"}, HERE | {"cell": "two"}]
    for other in others:
        assert drafts.read_draft(connection, **other) == (None, [])
        save = partial(drafts.save_draft, connection, ran=True, now_ms=1, limit_bytes=LIMIT, **other)
        assert save(source="b", version=0) == 1
    assert read(connection) == (StoredDraft(version=1, source="a", at_ms=1), [("run", "a")])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.text("ab", max_size=2) | st.none(), st.booleans()), max_size=15))
def test_nobody_overwrites_a_text_that_was_not_seen(engine: Engine, writes: list[tuple[int, str | None, bool]]) -> None:
    """Three tabs write; each knows the version that it saw last, and looks again after a conflict."""
    with engine.connect() as connection:
        seen: dict[int, tuple[int, str | None]] = {}
        newest: tuple[int, str | None] = (0, None)
        for tab, source, ran in writes:
            version, _ = seen.get(tab, (0, None))
            try:
                given_version = keep(connection, source, version, ran=ran)
            except DraftConflict:
                assert version != newest[0] and source != newest[1]
                seen[tab] = newest
                continue
            if source != newest[1]:
                assert version == newest[0] and given_version == newest[0] + 1
            else:
                assert given_version == newest[0]
            newest = seen[tab] = (given_version, source)
        draft = drafts.read_draft(connection, **HERE)[0]
        connection.rollback()
    assert ((draft.version, draft.source) if draft else (0, None)) == newest
