"""Classes are made, changed, copied, archived and deleted by those who may."""

from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import pytest
from sqlalchemy import Connection, select

from app.classroom.classes import school_classes
from app.classroom.classes.class_faults import AssistantOnly, BadClassValue, NoClass
from app.classroom.classes.class_lessons import ClassLesson, list_lessons, set_lessons
from app.classroom.classes.class_staff import add_staff, list_staff, remove_staff
from app.classroom.classes.hands import raise_hand
from app.classroom.classes.memberships import find_policy, list_memberships
from app.classroom.classes.notes import add_note
from app.classroom.classes.school_classes import (
    ClassChanges,
    archive_class,
    change_class,
    copy_class,
    delete_class,
    find_class,
    list_classes,
    make_class,
    renew_code,
)
from app.classroom.people.people import make_person, remove_person
from app.classroom.people.roles import Role
from app.classroom.store.schema.class_tables import SchoolClassRow
from app.classroom.store.times import DAY_MS
from app.classroom.work.retention import delete_old_classes
from app.grading.solution_policy import SolutionPolicy, parse_policy
from tests.classroom.audit_entries import list_newest
from tests.classroom.classes.sample_classes import LESSONS, NOW_MS, SampleClass, count_rows, join_sample, make_sample, submit


@pytest.fixture
def sample(connection: Connection) -> SampleClass:
    return make_sample(connection)


def test_a_class_is_changed_field_by_field_and_each_is_checked(connection: Connection, sample: SampleClass) -> None:
    before = find_class(connection, sample.teacher, sample.id)
    values: dict[str, Any] = {
        "name": "Tuesday", "joining": False, "asks_number": True, "solutions": "after-3-tries", "stuck_tries": 2, "stuck_minutes": 3,
        "counting": "checks", "counted_attempt": "last", "until_ms": NOW_MS, "after_solution": True, "retention_days": 30,
    }  # fmt: skip
    assert {*values} == {*ClassChanges.__struct_fields__}
    for name, value in values.items():
        change_class(connection, sample.teacher, sample.id, ClassChanges(**{name: value}), NOW_MS)
        changed = find_class(connection, sample.teacher, sample.id)
        assert (getattr(changed, name), changed.code) == (value, before.code)
    change_class(connection, sample.teacher, sample.id, ClassChanges(), NOW_MS)
    assert {name: getattr(find_class(connection, sample.teacher, sample.id), name) for name in values} == values
    change_class(connection, sample.teacher, sample.id, ClassChanges(until_ms=None, solutions=None, retention_days=None), NOW_MS)
    changed = find_class(connection, sample.teacher, sample.id)
    assert changed.until_ms is changed.solutions is changed.retention_days is None
    wrong: dict[str, tuple[Any, ...]] = {
        "name": ("", "a\u202e", "x" * 65), "solutions": ("sometimes", "after-0-tries"), "stuck_tries": (0, 101),
        "stuck_minutes": (0, 2**40), "until_ms": (-1, 2**63), "retention_days": (0, 3651), "counting": ("some",),
        "counted_attempt": ("first",),
    }  # fmt: skip
    for name, refused in wrong.items():
        for value in refused:
            with pytest.raises(BadClassValue) as fault:
                change_class(connection, sample.teacher, sample.id, ClassChanges(**{name: value}), NOW_MS)
            assert fault.value.field == name


CHANGES: dict[str, Callable[[Connection, int, int], object]] = {
    "change": lambda connection, teacher, class_id: change_class(connection, teacher, class_id, ClassChanges(name="New"), NOW_MS),
    "code": lambda connection, teacher, class_id: renew_code(connection, teacher, class_id, NOW_MS),
    "copy": lambda connection, teacher, class_id: copy_class(connection, teacher, class_id, "Copy", NOW_MS),
    "archive": lambda connection, teacher, class_id: archive_class(connection, teacher, class_id, NOW_MS),
    "delete": lambda connection, teacher, class_id: delete_class(connection, teacher, class_id, NOW_MS),
    "lessons": lambda connection, teacher, class_id: set_lessons(connection, teacher, class_id, []),
    "add": lambda connection, teacher, class_id: add_staff(connection, teacher, class_id, "Sam", "instructor", NOW_MS),
    "remove": lambda connection, teacher, class_id: remove_staff(connection, teacher, class_id, teacher, NOW_MS),
    "find to change": lambda connection, teacher, class_id: find_class(connection, teacher, class_id, to_change=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_only_an_instructor_of_a_class_changes_it(
    connection: Connection, sample: SampleClass, change: Callable[[Connection, int, int], object]
) -> None:
    before = count_rows(connection)
    for teacher, class_id, fault in (
        (sample.helper, sample.id, AssistantOnly),
        (sample.stranger, sample.id, NoClass),
        (sample.teacher, sample.id + 1, NoClass),
        (sample.teacher, 2**70, NoClass),
    ):
        with pytest.raises(fault):
            change(connection, teacher, class_id)
    assert count_rows(connection) == before
    assert find_class(connection, sample.helper, sample.id).role == "assistant"
    with pytest.raises(NoClass):
        find_class(connection, sample.stranger, sample.id)


def test_people_come_and_go_and_an_instructor_stays(connection: Connection, sample: SampleClass) -> None:
    for name, role in (("nobody", "instructor"), ("Hal", "owner"), ("Hal", "instructor"), ("Tess", "assistant")):
        with pytest.raises(BadClassValue):
            add_staff(connection, sample.teacher, sample.id, name, role, NOW_MS)
    with pytest.raises(BadClassValue):
        remove_staff(connection, sample.teacher, sample.id, sample.teacher, NOW_MS)
    add_staff(connection, sample.teacher, sample.id, "sam", "assistant", NOW_MS)
    add_staff(connection, sample.teacher, sample.id, "sam", "instructor", NOW_MS)
    assert [(one.name, one.role) for one in list_staff(connection, sample.id)] == [
        ("Sam", "instructor"), ("Tess", "instructor"), ("Hal", "assistant"),
    ]  # fmt: skip
    assert find_class(connection, sample.stranger, sample.id, to_change=True).role == "instructor"
    remove_staff(connection, sample.stranger, sample.id, sample.teacher, NOW_MS)
    with pytest.raises(NoClass):
        find_class(connection, sample.teacher, sample.id)
    assert [(entry.actor, entry.action, entry.detail) for entry in list_newest(connection, 1)] == [
        ("person Sam", "class_staff_removed", {"person": "Tess"})
    ]
    remove_person(connection, sample.stranger)
    assert [one.name for one in list_staff(connection, sample.id)] == ["Hal"]


def test_the_lessons_have_an_order_and_a_copy_has_them_closed(connection: Connection, sample: SampleClass) -> None:
    change_class(connection, sample.teacher, sample.id, ClassChanges(stuck_tries=9, until_ms=5, retention_days=7), NOW_MS)
    join_sample(connection, sample, "ann")
    lessons = [ClassLesson(lesson="b/b", opens_ms=NOW_MS, points=0), ClassLesson(lesson="a/a", points=3)]
    set_lessons(connection, sample.teacher, sample.id, lessons)
    found = list_lessons(connection, sample.id)
    assert [(one.lesson, one.position, one.points) for one in found] == [("b/b", 0, 0), ("a/a", 1, 3)]
    assert [one.is_open(NOW_MS) for one in found] == [True, False] and not found[0].is_open(NOW_MS - 1)
    for wrong in ([*lessons, lessons[0]], [ClassLesson(lesson="a/a", points=-1)], [ClassLesson(lesson="x" * 131)]):
        with pytest.raises(BadClassValue):
            set_lessons(connection, sample.teacher, sample.id, wrong)
    copied = copy_class(connection, sample.teacher, sample.id, "Next term", NOW_MS)
    assert [(one.lesson, one.opens_ms, one.points) for one in list_lessons(connection, copied)] == [("b/b", None, 0), ("a/a", None, 3)]
    copy = find_class(connection, sample.teacher, copied)
    assert (copy.name, copy.stuck_tries, copy.retention_days, copy.until_ms, copy.joining) == ("Next term", 9, 7, None, True)
    assert copy.code != sample.code and [one.name for one in list_staff(connection, copied)] == ["Tess"]
    archive_class(connection, sample.teacher, copied, NOW_MS)
    assert [one.id for one in list_classes(connection, sample.teacher)] == [sample.id, copied]
    archive_class(connection, sample.teacher, copied, NOW_MS, archived=False)
    assert [one.id for one in list_classes(connection, sample.teacher)] == [copied, sample.id]


def test_a_code_that_another_class_has_is_drawn_again(connection: Connection, sample: SampleClass, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = chain([sample.code, sample.code, "00000001"], repeat(sample.code, 2), ["00000002"])
    monkeypatch.setattr(school_classes, "draw_code", lambda letters: next(drawn))
    made = make_class(connection, sample.teacher, "Other", NOW_MS)
    assert find_class(connection, sample.teacher, made).code == "00000001"
    assert renew_code(connection, sample.teacher, made, NOW_MS) == "00000002"


def fill(connection: Connection, sample: SampleClass, learner: str) -> None:
    """Store a row of the class in every table."""
    join_sample(connection, sample, learner)
    raise_hand(connection, learner, sample.id, lesson=LESSONS[0], exercise="e", shares=True, now_ms=NOW_MS)
    add_note(connection, sample.helper, sample.id, submit(connection, learner), 1, "Look", "Hal", NOW_MS)


@pytest.mark.parametrize("way", ["by its instructor", "because it was archived long ago"])
def test_what_is_deleted_leaves_nothing_but_the_learners_work(connection: Connection, way: str) -> None:
    sample = make_sample(connection)
    submit(connection, "ann")
    fill(connection, sample, "ann")
    change_class(connection, sample.teacher, sample.id, ClassChanges(retention_days=30), NOW_MS)
    for class_id in (sample.id, make_class(connection, sample.teacher, "Other", NOW_MS)):
        archive_class(connection, sample.teacher, class_id, NOW_MS)
    if way == "by its instructor":
        delete_class(connection, sample.teacher, sample.id, NOW_MS)
    else:
        assert delete_old_classes(connection, NOW_MS + 30 * DAY_MS - 1) == 0
        assert delete_old_classes(connection, NOW_MS + 30 * DAY_MS) == 1
        assert delete_old_classes(connection, NOW_MS + 999 * DAY_MS) == 0
    left = count_rows(connection)
    assert (left["attempt"], left["school_class"], left["class_staff"]) == (2, 1, 1)
    assert not left.keys() & {"class_lesson", "member", "member_learner", "raised_hand", "note", "points_override"}
    assert connection.execute(select(SchoolClassRow.name)).scalars().all() == ["Other"]
    assert list_memberships(connection, "ann") == []


def test_a_lesson_of_classes_has_the_strictest_of_their_policies(connection: Connection, sample: SampleClass) -> None:
    servers, always, never, three = (parse_policy(text) for text in ("after-try", "always", "never", "after-3-tries"))
    join_sample(connection, sample, "ann")

    def find(learner: str = "ann", lesson: str = LESSONS[0]) -> SolutionPolicy:
        return find_policy(connection, learner, lesson, servers)

    def set_policy(class_id: int, policy: str | None) -> SolutionPolicy:
        change_class(connection, sample.teacher, class_id, ClassChanges(solutions=policy), NOW_MS)
        return find()

    assert set_policy(sample.id, None) == servers
    assert set_policy(sample.id, "always") == always
    assert (find(learner="bob"), find(lesson="not/in-it")) == (servers, servers)
    other = copy_class(connection, sample.teacher, sample.id, "Other", NOW_MS)
    code = find_class(connection, sample.teacher, other).code
    join_sample(connection, SampleClass(id=other, code=code, teacher=0, helper=0, stranger=0), "ann")
    assert set_policy(other, None) == servers
    assert set_policy(other, "after-3-tries") == three
    assert set_policy(sample.id, "never") == never
    archive_class(connection, sample.teacher, sample.id, NOW_MS)
    assert find() == three


def test_a_person_makes_only_so_many_classes(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(school_classes, "MOST_CLASSES", 1)
    teacher = make_person(connection, "Tess", Role.INSTRUCTOR, NOW_MS).id
    make_class(connection, teacher, "One", NOW_MS)
    with pytest.raises(BadClassValue, match="at most 1 classes"):
        make_class(connection, teacher, "Two", NOW_MS)
