"""Joining, resuming and leaving, and what teachers do to members."""

from collections.abc import Callable

import pytest
from sqlalchemy import Connection, insert, select

from app.classroom.classes import member_changes, members
from app.classroom.classes.class_faults import (
    AssistantOnly,
    BadClassValue,
    ClassFault,
    ClassFull,
    JoiningClosed,
    NoClass,
    NoMember,
    NumberNeeded,
    NumberTaken,
    WrongCode,
)
from app.classroom.classes.hands import raise_hand
from app.classroom.classes.members import find_joinable, join, learners_of, leave, renew_own_code, resume
from app.classroom.classes.memberships import list_memberships
from app.classroom.classes.notes import add_note
from app.classroom.classes.school_classes import ClassChanges, archive_class, change_class, renew_code
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, NoteRow, PointsOverrideRow, RaisedHandRow
from app.classroom.work.learners import delete_learner, find_learner
from tests.classroom.audit_entries import list_newest
from tests.classroom.classes.sample_classes import NOW_MS, SampleClass, join_sample, make_sample, names_in, submit


@pytest.fixture
def sample(connection: Connection) -> SampleClass:
    return make_sample(connection)


def test_who_has_the_code_sees_the_class_and_joins(connection: Connection, sample: SampleClass) -> None:
    typed = f" {sample.code[:4].lower()}-{sample.code[4:].lower()} "
    found = find_joinable(connection, typed)
    assert (found.id, found.name, found.teachers, found.asks_number) == (sample.id, "Monday", ["Tess", "Hal"], False)
    joined = join(connection, "ann", typed, "  Ann\u0301  Lee ", "ignored", True, NOW_MS)
    join(connection, "bob", sample.code, "ANŃ lee", None, False, NOW_MS + 5)  # two may have one name
    assert names_in(connection, sample.id) == [("Anń Lee", None), ("ANŃ lee", None)]
    [own] = list_memberships(connection, "ann")
    assert (own.class_id, own.class_name, own.member_id, own.name, own.unread) == (sample.id, "Monday", joined.member_id, "Anń Lee", 0)
    assert [row.since_ms for row in connection.execute(learners_of(sample.id).order_by("learner_id"))] == [0, NOW_MS + 5]
    again = join(connection, "ann", sample.code, "Other", None, False, NOW_MS)
    assert (again.member_id, len(names_in(connection, sample.id))) == (joined.member_id, 2)
    assert resume(connection, again.resume_code, NOW_MS).learner == "ann"
    with pytest.raises(WrongCode):  # each time that one joins, there is another code
        resume(connection, joined.resume_code, NOW_MS)


BLANK = "\u115f", "\u1160", "\u2800", "\u3164", "\uffa0", "\ufe0f", "\u034f"  # of categories that are drawn as a rule, but as nothing


@pytest.mark.parametrize("name", ["", " \n", "a" * 65, "a\u202eb", "a\x00", "\u200b", "a\u2066b", *BLANK])
def test_a_name_that_could_not_be_read_is_refused(connection: Connection, sample: SampleClass, name: str) -> None:
    with pytest.raises(BadClassValue, match="name: expected from 1 to 64 characters"):
        join(connection, "ann", sample.code, name, None, False, NOW_MS)
    assert (names_in(connection, sample.id), find_learner(connection, "ann")) == ([], None)


def test_a_number_is_asked_for_and_is_one_persons(connection: Connection) -> None:
    sample = make_sample(connection, asks_number=True)
    for number in (None, "  "):
        with pytest.raises(NumberNeeded):
            join_sample(connection, sample, "ann", number=number)
    for number in ("9" * 33, "1\u202e", "\u3164"):
        with pytest.raises(BadClassValue):
            join_sample(connection, sample, "ann", number=number)
    first = join_sample(connection, sample, "ann", number=" Ｓ12 ")
    with pytest.raises(NumberTaken):
        join_sample(connection, sample, "bob", number="s12")
    join_sample(connection, sample, "bob", number="s13")
    leave(connection, "ann", sample.id, NOW_MS)
    assert join_sample(connection, sample, "zoe", number="s12").member_id == first.member_id  # nobody has it any more
    assert names_in(connection, sample.id) == [("zoe", "s12"), ("bob", "s13")]


def test_no_code_that_is_old_wrong_or_closed_lets_anybody_in(connection: Connection, sample: SampleClass) -> None:
    new = renew_code(connection, sample.teacher, sample.id, NOW_MS)
    for code in (sample.code, "", "0" * 8, "' or 1=1", new[:-1], new + "0", "x" * 10_000):
        with pytest.raises(WrongCode):
            find_joinable(connection, code)
        with pytest.raises(WrongCode):
            resume(connection, code, NOW_MS)
    change_class(connection, sample.teacher, sample.id, ClassChanges(joining=False), NOW_MS)
    with pytest.raises(JoiningClosed):
        join(connection, "ann", new, "Ann", None, False, NOW_MS)
    change_class(connection, sample.teacher, sample.id, ClassChanges(joining=True), NOW_MS)
    archive_class(connection, sample.teacher, sample.id, NOW_MS)
    with pytest.raises(JoiningClosed):
        join(connection, "ann", new, "Ann", None, False, NOW_MS)


def test_a_class_has_an_end(connection: Connection, sample: SampleClass, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MOST_MEMBERS", 2)
    for learner in ("ann", "bob"):
        join_sample(connection, sample, learner)
    with pytest.raises(ClassFull):
        join_sample(connection, sample, "eve")


def test_who_leaves_takes_the_work_along_and_the_name_stays(connection: Connection, sample: SampleClass) -> None:
    joined = join_sample(connection, sample, "ann")
    join_sample(connection, make_other(connection, sample), "ann", "Ann elsewhere")
    raise_hand(connection, "ann", sample.id, lesson="basics/first", exercise=None, shares=True, now_ms=NOW_MS)
    leave(connection, "ann", sample.id, NOW_MS + 9)
    [left] = member_changes.list_members(connection, sample.id)
    assert (left.name, left.left_ms, left.learners) == ("ann", NOW_MS + 9, 0)
    assert connection.execute(select(RaisedHandRow)).all() == connection.execute(learners_of(sample.id)).all() == []
    assert [own.name for own in list_memberships(connection, "ann")] == ["Ann elsewhere"]
    with pytest.raises(WrongCode):
        resume(connection, joined.resume_code, NOW_MS)
    with pytest.raises(NoClass):
        leave(connection, "ann", sample.id, NOW_MS)


def test_who_left_and_joins_again_has_the_old_place_unless_it_was_removed(connection: Connection, sample: SampleClass) -> None:
    place = join_sample(connection, sample, "ann").member_id
    other = join_sample(connection, make_other(connection, sample), "ann").member_id
    leave(connection, "ann", sample.id, NOW_MS)
    join_sample(connection, sample, "bob", "Ann")
    again = join_sample(connection, sample, "ann", "Ann Lee")
    assert (again.member_id, names_in(connection, sample.id)) == (place, [("Ann Lee", None), ("Ann", None)])
    assert [one.left_ms for one in member_changes.list_members(connection, sample.id)] == [None, None]
    assert resume(connection, again.resume_code, NOW_MS).member_id == place
    leave(connection, "ann", sample.id, NOW_MS)
    member_changes.remove_member(connection, sample.teacher, sample.id, place, NOW_MS)
    assert join_sample(connection, sample, "ann").member_id not in (place, other)


def test_who_left_and_is_deleted_is_on_no_list_any_more(connection: Connection, sample: SampleClass) -> None:
    for learner in ("ann", "bob"):
        join_sample(connection, sample, learner)
        leave(connection, learner, sample.id, NOW_MS)
    delete_learner(connection, "ann")
    assert names_in(connection, sample.id) == [("bob", None)]


def test_a_double_who_left_takes_no_code_away(connection: Connection, sample: SampleClass) -> None:
    left, stays = join_sample(connection, sample, "ann"), join_sample(connection, sample, "ann2")
    leave(connection, "ann", sample.id, NOW_MS)
    member_changes.merge_members(connection, sample.teacher, sample.id, left.member_id, stays.member_id, NOW_MS)
    assert resume(connection, stays.resume_code, NOW_MS).learner == "ann2"


def make_other(connection: Connection, sample: SampleClass) -> SampleClass:
    from app.classroom.classes.school_classes import find_class, make_class

    class_id = make_class(connection, sample.stranger, "Tuesday", NOW_MS)
    return SampleClass(
        id=class_id, code=find_class(connection, sample.stranger, class_id).code, teacher=sample.stranger, helper=0, stranger=0
    )


def test_doubles_become_one_with_the_work_of_both(connection: Connection, sample: SampleClass) -> None:
    kept, other = (join_sample(connection, sample, learner).member_id for learner in ("ann", "ann2"))
    for learner, member in (("ann", kept), ("ann2", other)):
        raise_hand(connection, learner, sample.id, lesson=f"basics/{learner}", exercise=None, shares=False, now_ms=NOW_MS)
        attempt = submit(connection, learner)
        add_note(connection, sample.helper, sample.id, attempt, 1, "Look", "Hal", NOW_MS)
        for exercise in {"both", learner}:
            values = {
                "member_id": member,
                "lesson": "l",
                "exercise": exercise,
                "hundredths": member,
                "reason": "r",
                "author": "a",
                "at_ms": 1,
            }
            connection.execute(insert(PointsOverrideRow), values)
    member_changes.rename_member(connection, sample.teacher, sample.id, other, "Ann 2", "7", NOW_MS)
    member_changes.merge_members(connection, sample.teacher, sample.id, kept, other, NOW_MS)
    assert names_in(connection, sample.id) == [("ann", "7")]
    assert {row.member_id for row in connection.execute(learners_of(sample.id))} == {kept}
    assert connection.execute(select(RaisedHandRow.lesson)).scalars().all() == ["basics/ann"]
    assert connection.execute(select(NoteRow.member_id)).scalars().all() == [kept, kept]
    overrides = select(PointsOverrideRow.exercise, PointsOverrideRow.hundredths).order_by(PointsOverrideRow.exercise)
    assert [tuple(row) for row in connection.execute(overrides)] == [("ann", kept), ("ann2", other), ("both", kept)]
    assert len(list_memberships(connection, "ann2")) == 1
    with pytest.raises(BadClassValue):
        member_changes.merge_members(connection, sample.teacher, sample.id, kept, kept, NOW_MS)
    leave(connection, "ann2", sample.id, NOW_MS)
    assert connection.execute(select(MemberLearnerRow)).all() == []


def test_a_new_resume_code_ends_the_old_one(connection: Connection, sample: SampleClass) -> None:
    joined = join_sample(connection, sample, "ann")
    new = member_changes.renew_resume_code(connection, sample.teacher, sample.id, joined.member_id, NOW_MS)
    assert resume(connection, new.lower(), NOW_MS).learner == "ann"
    stored = connection.execute(select(MemberRow.resume_sha256)).scalar_one()
    assert len(new) == 16 and new not in str(stored)
    own = renew_own_code(connection, "ann", sample.id, NOW_MS)
    assert resume(connection, own, NOW_MS).learner == "ann"
    for old in (joined.resume_code, new):
        with pytest.raises(WrongCode):
            resume(connection, old, NOW_MS)
    with pytest.raises(NoClass):
        renew_own_code(connection, "bob", sample.id, NOW_MS)


CHANGES: dict[str, Callable[[Connection, int, int, int], object]] = {
    "renamed": lambda connection, teacher, class_id, member: member_changes.rename_member(
        connection, teacher, class_id, member, "New", None, NOW_MS
    ),
    "removed": lambda connection, teacher, class_id, member: member_changes.remove_member(connection, teacher, class_id, member, NOW_MS),
    "merged": lambda connection, teacher, class_id, member: member_changes.merge_members(
        connection, teacher, class_id, member, member + 1, NOW_MS
    ),
    "code": lambda connection, teacher, class_id, member: member_changes.renew_resume_code(connection, teacher, class_id, member, NOW_MS),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_only_an_instructor_of_the_class_changes_its_members_and_it_is_recorded(
    connection: Connection, sample: SampleClass, change: Callable[[Connection, int, int, int], object]
) -> None:
    member = join_sample(connection, sample, "ann").member_id
    join_sample(connection, sample, "bob")
    foreign = join_sample(connection, make_other(connection, sample), "eve").member_id
    refusals: list[tuple[int, int, int, type[ClassFault]]] = [
        (sample.helper, sample.id, member, AssistantOnly),
        (sample.stranger, sample.id, member, NoClass),
        (sample.teacher, 2**70, member, NoClass),
        (sample.teacher, sample.id, foreign, NoMember),
        (sample.teacher, sample.id, 2**70, NoMember),
    ]
    for teacher, class_id, member_id, fault in refusals:
        with pytest.raises(fault):
            change(connection, teacher, class_id, member_id)
    change(connection, sample.teacher, sample.id, member)
    [entry] = list_newest(connection, 1)
    assert (entry.actor, entry.subject, entry.detail["member"]) == ("person Tess", f"class {sample.id}", member)
    assert "ann" not in str(entry)
