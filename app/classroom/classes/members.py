"""Lets a learner join a class, resume on another device, and leave the class."""

import unicodedata
from dataclasses import dataclass

from sqlalchemy import Connection, Row, Select, and_, delete, func, insert, select, update

from app.classroom.classes.class_faults import (
    BadClassValue,
    ClassFull,
    JoiningClosed,
    NumberNeeded,
    NumberTaken,
    WrongCode,
)
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import list_staff, name_class
from app.classroom.classes.join_code import RESUME_LETTERS, draw_code, hash_code, normalize_code
from app.classroom.classes.memberships import find_member, hash_leaver, lock_member
from app.classroom.people import audit
from app.classroom.people.people import BadName, check_name, has_invisible, has_visible, make_name_key
from app.classroom.store.learner_lock import lock_class, lock_learner
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, RaisedHandRow, SchoolClassRow
from app.classroom.store.schema.tables import NAME_CHARACTERS, LearnerRow
from app.classroom.work.learners import update_learner
from app.locale.messages import mark

MOST_MEMBERS = 1000
NUMBER_CHARACTERS = 32


@dataclass(frozen=True, kw_only=True)
class JoinableClass:
    """A class, as somebody who has its join code sees it. `teachers` are names."""

    id: int
    name: str
    asks_number: bool
    retention_days: int | None
    teachers: list[str]


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The result of joining. `resume_code` is stored only as a hash, so it can be shown only now."""

    class_id: int
    member_id: int
    resume_code: str


@dataclass(frozen=True, kw_only=True)
class Resumed:
    """The learner whose cookie a device gets for a resume code."""

    learner: str
    class_id: int
    member_id: int


def find_joinable(connection: Connection, code: str) -> JoinableClass:
    """Return the class with a join code. Raises WrongCode and JoiningClosed."""
    row = connection.execute(
        select(
            SchoolClassRow.id, SchoolClassRow.name, SchoolClassRow.asks_number, SchoolClassRow.retention_days, SchoolClassRow.joining,
            SchoolClassRow.archived_ms,
        ).where(SchoolClassRow.code == normalize_code(code))
    ).one_or_none()  # fmt: skip
    if row is None:
        raise WrongCode
    if not row.joining or row.archived_ms is not None:
        raise JoiningClosed
    return JoinableClass(
        id=row.id,
        name=row.name,
        asks_number=row.asks_number,
        retention_days=row.retention_days,
        teachers=[one.name for one in list_staff(connection, row.id)],
    )


def join(connection: Connection, learner: str, code: str, name: str, number: str | None, brings: bool, now_ms: int) -> Joined:
    """Add a learner to the class with a join code, under a name and, if the class asks for one, a student number.

    If `brings` is true, the class also sees the learner's earlier work. A member whom nobody has joined as yet becomes theirs if it has
    their number or, without a number, their name. A learner who has left the class becomes the same member again, and one who is in it
    already stays the same member; both get a new resume code.

    Raises WrongCode, JoiningClosed, ClassFull, NumberNeeded, NumberTaken and BadClassValue.
    """
    lock_learner(connection, learner)
    lock_class(connection, find_joinable(connection, code).id)
    found = find_joinable(connection, code)  # again, because nobody else can change it now
    named = check_shown_name(name)
    numbered = check_student_number(number) if found.asks_number else None
    learner_id = update_learner(connection, learner, now_ms)
    member_id = find_member(connection, learner, found.id)
    resume_code = draw_code(RESUME_LETTERS)
    if member_id is None:
        if found.asks_number and numbered is None:
            raise NumberNeeded
        member_id = _find_place(connection, found.id, learner, named, numbered) or _insert_member(connection, found.id, named)
        values = {"name": named, "name_key": make_name_key(named), "joined_ms": now_ms, "left_ms": None}
        connection.execute(update(MemberRow).where(MemberRow.id == member_id), values | ({"number": numbered} if numbered else {}))
        connection.execute(
            insert(MemberLearnerRow).values(
                class_id=found.id, learner_id=learner_id, member_id=member_id, since_ms=0 if brings else now_ms, active_ms=now_ms
            )
        )
    set_resume_code(connection, member_id, resume_code)
    announce(connection, found.id)
    return Joined(class_id=found.id, member_id=member_id, resume_code=resume_code)


def _find_place(connection: Connection, class_id: int, learner: str, name: str, number: str | None) -> int | None:
    """Return the id of the member that the learner becomes, or None for a new one. Raises NumberTaken."""
    if number is not None and (same := find_number(connection, class_id, number)) is not None:
        if same.joined_ms is not None and same.left_ms is None:
            raise NumberTaken
        return int(same.id)
    own = MemberRow.class_id == class_id, MemberRow.resume_sha256 == hash_leaver(class_id, learner)
    if (own_id := connection.execute(select(MemberRow.id).where(*own)).scalar()) is not None:
        return int(own_id)
    free = and_(MemberRow.class_id == class_id, MemberRow.joined_ms.is_(None), MemberRow.name_key == make_name_key(name))
    unnumbered = MemberRow.number.is_(None) if number is not None else free
    places = connection.execute(select(MemberRow.id).where(free, unnumbered)).scalars().all()
    return places[0] if len(places) == 1 else None


def find_number(connection: Connection, class_id: int, number: str) -> Row[int, int | None, int | None] | None:
    """Return id, joined_ms and left_ms of the member with a student number, whatever the case of its letters."""
    return connection.execute(
        select(MemberRow.id, MemberRow.joined_ms, MemberRow.left_ms).where(
            MemberRow.class_id == class_id, func.lower(MemberRow.number) == number.lower()
        )
    ).first()


def _insert_member(connection: Connection, class_id: int, name: str) -> int:
    require_room(connection, class_id, 1)
    added = insert(MemberRow).values(class_id=class_id, name=name, name_key=make_name_key(name))
    return connection.execute(added.returning(MemberRow.id)).scalar_one()


def require_room(connection: Connection, class_id: int, more: int) -> None:
    """Raise ClassFull if a class has no room for `more` members."""
    members = select(func.count()).select_from(MemberRow).where(MemberRow.class_id == class_id)
    if connection.execute(members).scalar_one() + more > MOST_MEMBERS:
        raise ClassFull


def set_resume_code(connection: Connection, member_id: int, code: str) -> None:
    """Store the hash of a member's resume code, in place of the earlier one."""
    connection.execute(update(MemberRow).where(MemberRow.id == member_id).values(resume_sha256=hash_code(code)))


def renew_own_code(connection: Connection, learner: str, class_id: int, now_ms: int) -> str:
    """Replace the resume code of a learner's member, and return the new one. Raises NoClass."""
    member_id = lock_member(connection, learner, class_id)
    code = draw_code(RESUME_LETTERS)
    set_resume_code(connection, member_id, code)
    audit.append(connection, now_ms, audit.name_learner(learner), "resume_code_renewed", name_class(class_id), member=member_id)
    return code


def resume(connection: Connection, code: str, now_ms: int) -> Resumed:
    """Return the learner of a resume code: the member's learner who was last active. Adds an audit entry. Raises WrongCode."""
    normal = normalize_code(code)
    if len(normal) != RESUME_LETTERS:
        raise WrongCode
    row = connection.execute(
        select(LearnerRow.name, MemberRow.class_id, MemberRow.id)
        .join(MemberLearnerRow, MemberLearnerRow.learner_id == LearnerRow.id)
        .join(MemberRow, MemberRow.id == MemberLearnerRow.member_id)
        .where(MemberRow.resume_sha256 == hash_code(normal))
        .order_by(func.coalesce(MemberLearnerRow.active_ms, 0).desc(), LearnerRow.id)
    ).first()
    if row is None:
        raise WrongCode
    audit.append(connection, now_ms, audit.name_learner(row.name), "resumed", name_class(row.class_id), member=row.id)
    return Resumed(learner=row.name, class_id=row.class_id, member_id=row.id)


def leave(connection: Connection, learner: str, class_id: int, now_ms: int) -> None:
    """Remove a learner, and all learners of the same member, from a class. Raises NoClass if the learner is not in it.

    The class then sees none of their work. It still has the name, the student number, points that a teacher gave, and a hash by which the
    learner is recognized who joins again.
    """
    member_id = lock_member(connection, learner, class_id)
    connection.execute(delete(MemberLearnerRow).where(MemberLearnerRow.member_id == member_id))
    connection.execute(delete(RaisedHandRow).where(RaisedHandRow.member_id == member_id))
    connection.execute(
        update(MemberRow).where(MemberRow.id == member_id).values(left_ms=now_ms, resume_sha256=hash_leaver(class_id, learner))
    )
    announce(connection, class_id)


def learners_of(class_id: int) -> Select[int, int, int]:
    """Return a query for (member_id, learner_id, since_ms) of everybody in a class, which sees their work only from `since_ms` on."""
    return select(MemberLearnerRow.member_id, MemberLearnerRow.learner_id, MemberLearnerRow.since_ms).where(
        MemberLearnerRow.class_id == class_id
    )


def check_shown_name(name: str) -> str:
    """Return the name of a member or a class as it is stored. Raises BadClassValue."""
    try:
        return check_name(name)
    except BadName:
        raise BadClassValue("name", mark("from 1 to {most} characters, none of them invisible"), most=NAME_CHARACTERS) from None


def check_student_number(number: str | None) -> str | None:
    """Return a student number as it is stored, or None for an empty one. Raises BadClassValue."""
    cleaned = unicodedata.normalize("NFKC", " ".join((number or "").split()))
    if len(cleaned) > NUMBER_CHARACTERS or has_invisible(cleaned) or (cleaned and not has_visible(cleaned)):
        raise BadClassValue("number", mark("at most {most} characters, none of them invisible"), most=NUMBER_CHARACTERS)
    return cleaned or None
