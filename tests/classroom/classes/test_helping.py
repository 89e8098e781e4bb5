"""Hands, notes, and where learners are; and that all of it goes with the learner."""

import json
import zipfile
from io import BytesIO

import pytest
from sqlalchemy import Connection, func, insert, select

from app.classroom.archive.archive_writer import write_archive
from app.classroom.classes.class_faults import BadClassValue, NoClass, NoMember
from app.classroom.classes.class_notices import LEARNER_NOTICE, NOTICE
from app.classroom.classes.hands import lower_hand, lower_members_hand, mark_coming, raise_hand, read_hands
from app.classroom.classes.member_changes import merge_members
from app.classroom.classes.members import join, leave
from app.classroom.classes.memberships import list_memberships
from app.classroom.classes.notes import NOTE_CHARACTERS, add_note, list_notes, read_note
from app.classroom.classes.presence import EXACT_MS, PAUSE_MS, QUIET_MS, attend
from app.classroom.store.notices import hash_name
from app.classroom.store.schema.class_tables import MemberLearnerRow, PointsOverrideRow
from app.classroom.store.schema.tables import OutboxRow
from app.classroom.work.drafts import save_draft
from app.classroom.work.learners import delete_learner, update_learner
from app.classroom.work.retention import delete_if_unseen
from tests.classroom.classes.sample_classes import (
    LESSONS,
    NOW_MS,
    SampleClass,
    count_rows,
    join_sample,
    make_sample,
    names_in,
    submit,
    take_notices,
)
from tests.classroom.sample_attempts import LIMIT


@pytest.fixture
def sample(connection: Connection) -> SampleClass:
    return make_sample(connection)


def last_notice(connection: Connection) -> int:
    return connection.execute(select(func.max(OutboxRow.id))).scalar_one()


def raise_sample(connection: Connection, sample: SampleClass, learner: str, lesson: str, now_ms: int, *, shares: bool = False) -> None:
    raise_hand(connection, learner, sample.id, lesson=lesson, exercise="e", shares=shares, now_ms=now_ms)


def test_a_hand_is_raised_once_and_who_comes_is_told(connection: Connection, sample: SampleClass) -> None:
    member = join_sample(connection, sample, "ann").member_id
    raise_sample(connection, sample, "ann", LESSONS[0], NOW_MS)
    raise_sample(connection, sample, "ann", LESSONS[1], NOW_MS + 5, shares=True)
    [hand] = read_hands(connection, "ann")
    assert (hand.class_id, hand.at_ms, hand.lesson, hand.shares, hand.helper) == (sample.id, NOW_MS, LESSONS[1], True, None)
    before = last_notice(connection)
    mark_coming(connection, sample.helper, sample.id, member, "Hal", NOW_MS + 6)
    [hand] = read_hands(connection, "ann")
    assert (hand.helper, hand.coming_ms, hand.at_ms) == ("Hal", NOW_MS + 6, NOW_MS)
    assert take_notices(connection, before) == [(NOTICE, str(sample.id)), (LEARNER_NOTICE, hash_name("ann"))]
    mark_coming(connection, sample.helper, sample.id, member, None, NOW_MS)
    [hand] = read_hands(connection, "ann")
    assert (hand.helper, hand.coming_ms, hand.at_ms) == (None, None, NOW_MS)
    lower_hand(connection, "ann", sample.id)
    before = last_notice(connection)
    lower_hand(connection, "ann", sample.id)
    assert (read_hands(connection, "ann"), take_notices(connection, before)) == ([], [])


def test_a_helper_comes_unasked(connection: Connection, sample: SampleClass) -> None:
    member = join_sample(connection, sample, "ann").member_id
    save_exercise(connection, "ann", NOW_MS)
    for teacher in (sample.helper, sample.teacher):
        mark_coming(connection, teacher, sample.id, member, f"helper {teacher}", NOW_MS)
    [hand] = read_hands(connection, "ann")
    assert (hand.at_ms, hand.lesson, hand.exercise, hand.helper) == (None, LESSONS[0], "e", f"helper {sample.teacher}")
    mark_coming(connection, sample.helper, sample.id, member, None, NOW_MS)
    assert read_hands(connection, "ann") == []
    mark_coming(connection, sample.helper, sample.id, member, "Hal", NOW_MS)
    raise_sample(connection, sample, "ann", LESSONS[0], NOW_MS + 9)
    [hand] = read_hands(connection, "ann")
    assert (hand.at_ms, hand.helper) == (NOW_MS + 9, "Hal")
    lower_members_hand(connection, sample.helper, sample.id, member)
    assert read_hands(connection, "ann") == []


def test_hands_and_notes_are_for_who_is_there(connection: Connection, sample: SampleClass) -> None:
    member, attempt = join_sample(connection, sample, "ann").member_id, submit(connection, "ann")
    for learner, class_id in (("bob", sample.id), ("nobody", sample.id), ("ann", sample.id + 1), ("ann", 2**70)):
        with pytest.raises(NoClass):
            raise_hand(connection, learner, class_id, lesson=LESSONS[0], exercise=None, shares=True, now_ms=NOW_MS)
        with pytest.raises(NoClass):
            lower_hand(connection, learner, class_id)
    with pytest.raises(NoClass):
        mark_coming(connection, sample.stranger, sample.id, member, "Sam", NOW_MS)
    with pytest.raises(NoClass):
        add_note(connection, sample.stranger, sample.id, attempt, 1, "x", "Sam", NOW_MS)
    leave(connection, "ann", sample.id, NOW_MS)
    for member_id in (member, member + 1, 2**70):
        with pytest.raises(NoMember):
            mark_coming(connection, sample.teacher, sample.id, member_id, "Tess", NOW_MS)
    with pytest.raises(NoMember):
        add_note(connection, sample.teacher, sample.id, attempt, 1, "x", "Tess", NOW_MS)


def test_a_note_reaches_who_wrote_the_attempt_and_is_read_once(connection: Connection, sample: SampleClass) -> None:
    before = submit(connection, "ann", at_ms=NOW_MS - 1)
    member, other = (join_sample(connection, sample, learner).member_id for learner in ("ann", "ann2"))
    attempt = submit(connection, "ann")
    merge_members(connection, sample.teacher, sample.id, other, member, NOW_MS)
    with pytest.raises(NoMember):  # from before joining, and not brought along
        add_note(connection, sample.helper, sample.id, before, 1, "x", "Hal", NOW_MS)
    for line, text in ((0, "x"), (2**40, "x"), (1, " \n"), (1, "x" * (NOTE_CHARACTERS + 1)), (1, "a\u202eb"), (1, "a\x00")):
        with pytest.raises(BadClassValue):
            add_note(connection, sample.helper, sample.id, attempt, line, text, "Hal", NOW_MS)
    last = last_notice(connection)
    note = add_note(connection, sample.helper, sample.id, attempt, 3, " 看这里\r\n\tx <b> ", "Hal", NOW_MS)
    assert {(LEARNER_NOTICE, hash_name("ann")), (NOTICE, str(sample.id))} <= {*take_notices(connection, last)}
    [found] = list_notes(connection, "ann")
    assert (found.id, found.line, found.text, found.author, found.class_name, found.lesson) == (
        note, 3, "看这里\n\tx <b>", "Hal", "Monday", LESSONS[0],
    )  # fmt: skip
    assert list_memberships(connection, "ann")[0].unread == 1
    assert (list_notes(connection, "ann2"), list_memberships(connection, "ann2")[0].unread) == ([], 0)
    for learner, note_id in (("ann2", note), ("nobody", note), ("ann", note + 1), ("ann", 2**70)):
        with pytest.raises(NoMember):
            read_note(connection, learner, note_id, NOW_MS)
    for now_ms in (NOW_MS + 1, NOW_MS + 2):
        read_note(connection, "ann", note, now_ms)
    assert (list_notes(connection, "ann")[0].read_ms, list_memberships(connection, "ann")[0].unread) == (NOW_MS + 1, 0)
    leave(connection, "ann", sample.id, NOW_MS)
    assert len(list_notes(connection, "ann")) == 1


def save_exercise(connection: Connection, learner: str, now_ms: int, cell: str = "exercise_e", source: str = "x") -> None:
    save_draft(
        connection, learner, lesson=LESSONS[0], cell=cell, source=source, version=0, ran=False, now_ms=now_ms, limit_bytes=LIMIT
    )  # fmt: skip


def test_where_a_learner_is_is_written_when_it_changes_and_told(connection: Connection, sample: SampleClass) -> None:
    join_sample(connection, sample, "ann")

    def place() -> tuple[str | None, str | None, int | None, int | None]:
        columns = MemberLearnerRow.lesson, MemberLearnerRow.exercise, MemberLearnerRow.here_ms, MemberLearnerRow.active_ms
        return tuple(connection.execute(select(*columns)).one())

    def is_told(now_ms: int, lesson: str | None, exercise: str | None) -> bool:
        before = last_notice(connection)
        update_learner(connection, "ann", now_ms, lesson=lesson, exercise=exercise)
        return take_notices(connection, before) == [(NOTICE, str(sample.id))]

    save_exercise(connection, "ann", NOW_MS + 1)
    assert place() == (LESSONS[0], "e", NOW_MS + 1, NOW_MS + 1)
    assert not is_told(NOW_MS + EXACT_MS, LESSONS[0], "e") and place()[3] == NOW_MS + 1  # not exact enough to be written
    assert not is_told(NOW_MS + EXACT_MS + 1, None, None) and place() == (LESSONS[0], "e", NOW_MS + 1, NOW_MS + EXACT_MS + 1)
    later = NOW_MS + EXACT_MS + 2
    assert is_told(later, LESSONS[0], None) and place() == (LESSONS[0], None, later, later)
    assert is_told(later + QUIET_MS, LESSONS[0], None) and place() == (LESSONS[0], None, later, later + QUIET_MS)
    later += QUIET_MS
    assert is_told(later, LESSONS[0], "e")
    attend(connection, "ann", LESSONS[0], later + EXACT_MS)  # whoever has the lesson open stays in the exercise
    assert place() == (LESSONS[0], "e", later, later + EXACT_MS)
    attend(connection, "ann", LESSONS[1], later + EXACT_MS)
    assert place()[:2] == (LESSONS[1], None)
    attend(connection, "nobody", LESSONS[0], later)
    assert is_told(later + EXACT_MS, LESSONS[0], "e")
    back = later + EXACT_MS + PAUSE_MS  # from lunch: they have not been at it for all that time
    assert is_told(back, LESSONS[0], "e") and place() == (LESSONS[0], "e", back, back)
    later = back - QUIET_MS
    before = last_notice(connection)
    submit(connection, "ann", at_ms=later + QUIET_MS + 1)
    submit(connection, "ann", at_ms=later + QUIET_MS + 2)
    assert take_notices(connection, before) == [(NOTICE, str(sample.id))] * 2


def test_nothing_of_a_class_is_left_of_who_goes_unless_somebody_else_is_the_same_member(connection: Connection) -> None:
    sample = make_sample(connection)
    for learner in ("ann", "ann2", "bob", "eve"):
        member = join_sample(connection, sample, learner).member_id
        raise_sample(connection, sample, learner, LESSONS[0], NOW_MS)
        add_note(connection, sample.helper, sample.id, submit(connection, learner), 1, "Look", "Hal", NOW_MS)
        values = {"member_id": member, "lesson": "l", "exercise": "e", "hundredths": 1, "reason": "r", "author": "a", "at_ms": 1}
        connection.execute(insert(PointsOverrideRow), values)
    [ann, ann2] = [one.member_id for learner in ("ann", "ann2") for one in list_memberships(connection, learner)]
    merge_members(connection, sample.teacher, sample.id, ann, ann2, NOW_MS)
    delete_learner(connection, "ann")
    assert [name for name, _ in names_in(connection, sample.id)] == ["ann", "bob", "eve"]
    assert len(list_notes(connection, "ann2")) == 1
    before = last_notice(connection)
    delete_learner(connection, "ann2")
    assert take_notices(connection, before) == [(NOTICE, str(sample.id))]
    assert [delete_if_unseen(connection, "bob", before_ms) for before_ms in (NOW_MS, NOW_MS + 10**9)] == [0, 1]
    assert names_in(connection, sample.id) == [("eve", None)]
    counts = count_rows(connection)
    assert {counts[name] for name in ("member", "member_learner", "raised_hand", "note", "points_override", "attempt")} == {1}


def test_an_export_says_what_classes_have_of_the_learner(connection: Connection, sample: SampleClass) -> None:
    def export(learner: str) -> zipfile.ZipFile:
        return zipfile.ZipFile(
            BytesIO(write_archive(connection, learner, readme="", now_ms=NOW_MS, conceal=lambda _, __, verdict: verdict))
        )

    submit(connection, "bob")
    assert "classes.json" not in export("bob").namelist()
    join(connection, "ann", sample.code, "Ann", None, True, NOW_MS)
    raise_sample(connection, sample, "ann", LESSONS[0], NOW_MS)
    add_note(connection, sample.helper, sample.id, submit(connection, "ann"), 1, "Look", "Hal", NOW_MS)
    found = json.loads(export("ann").read("classes.json"))
    assert [(one["class_name"], one["name"]) for one in found["classes"]] == [("Monday", "Ann")]
    assert ([one["text"] for one in found["notes"]], [one["lesson"] for one in found["hands"]]) == (["Look"], [LESSONS[0]])
