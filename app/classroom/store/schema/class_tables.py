"""The tables of classes. Times are integers, milliseconds since 1970.

    school_class ──┬── class_staff      who teaches it
                   ├── class_lesson     its lessons, in order, and when each opens
                   └── member           a member, under the name that they chose
                         ├── member_learner    a browser's learner
                         ├── raised_hand
                         ├── note              of a teacher, at a line of an attempt
                         └── points_override

Deleting a class deletes all of these. Deleting a learner deletes their member, too, if it has no other learner
(app.classroom.classes.memberships).
"""

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.classroom.store.schema.tables import NAME_CHARACTERS, PATH_CHARACTERS, Numbered, StoreTable


class SchoolClassRow(Numbered, StoreTable):
    """A class. `code` is its join code, and `joining` says whether people can join now.

    - `solutions` is a policy of app.grading.solution_policy, or null for the server's.
    - `stuck_tries` and `stuck_minutes` are the limits at which the board calls a member stuck.
    - `counting` is "all" or "checks", and `counted_attempt` is "best" or "last" (app.classroom.classes.points.points_rule). Attempts after
      `until_ms` do not count. `after_solution` says whether attempts count that were made after the solution was shown.
    - The class is deleted `retention_days` days after it was archived; null means never.
    """

    name: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    code: Mapped[str] = mapped_column(String(16), unique=True)
    joining: Mapped[bool] = mapped_column(default=True)
    asks_number: Mapped[bool] = mapped_column(default=False)
    solutions: Mapped[str | None] = mapped_column(String(20))
    stuck_tries: Mapped[int] = mapped_column(default=4)
    stuck_minutes: Mapped[int] = mapped_column(default=10)
    counting: Mapped[str] = mapped_column(String(16), default="all")
    counted_attempt: Mapped[str] = mapped_column(String(16), default="best")
    until_ms: Mapped[int | None] = mapped_column(BigInteger)
    after_solution: Mapped[bool] = mapped_column(default=False)
    retention_days: Mapped[int | None]
    made_ms: Mapped[int] = mapped_column(BigInteger)
    archived_ms: Mapped[int | None] = mapped_column(BigInteger)


class ClassStaffRow(StoreTable):
    """A person who teaches a class. `role` is a name of app.classroom.classes.class_staff.ClassRole."""

    class_id: Mapped[int] = mapped_column(ForeignKey("school_class.id", ondelete="CASCADE"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(16))


class ClassLessonRow(StoreTable):
    """A lesson of a class. It is open from `opens_ms` on; null means that it is closed and has no opening time.

    Each of its exercises is worth `points` points.
    """

    class_id: Mapped[int] = mapped_column(ForeignKey("school_class.id", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(PATH_CHARACTERS), primary_key=True)
    position: Mapped[int]
    opens_ms: Mapped[int | None] = mapped_column(BigInteger)
    points: Mapped[int] = mapped_column(default=1)


class MemberRow(Numbered, StoreTable):
    """A member of a class. `name` is written as the member chose it, and `name_key` is its form for comparing.

    - `number` is a student number, if the class asks for one.
    - `resume_sha256` is the hash of the code that brings the member to another device. For a member who has left, it is a hash of the
      learner (app.classroom.classes.memberships), and for one who is on the roster and has not joined yet, it is null.
    - `left_ms` is when the member left, or null. No learner belongs to a member who has left.
    """

    __table_args__ = (UniqueConstraint("class_id", "number"),)

    class_id: Mapped[int] = mapped_column(ForeignKey("school_class.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    name_key: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    number: Mapped[str | None] = mapped_column(String(32))
    resume_sha256: Mapped[str | None] = mapped_column(String(64), unique=True)
    joined_ms: Mapped[int | None] = mapped_column(BigInteger)
    left_ms: Mapped[int | None] = mapped_column(BigInteger)


class MemberLearnerRow(StoreTable):
    """A learner of a member. A member has several learners after members were merged.

    - The class sees only the learner's work from `since_ms` on. It is 0 if the class sees also the work before joining.
    - `lesson` and `exercise` say where the learner has been since `here_ms`.
    - `active_ms` is when the learner was last active, exact to some seconds.
    """

    __table_args__ = (Index("ix_member_learner_learner_id", "learner_id"),)

    class_id: Mapped[int] = mapped_column(ForeignKey("school_class.id", ondelete="CASCADE"), primary_key=True)
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), index=True)
    since_ms: Mapped[int] = mapped_column(BigInteger, default=0)
    lesson: Mapped[str | None] = mapped_column(String(PATH_CHARACTERS))
    exercise: Mapped[str | None] = mapped_column(String(NAME_CHARACTERS))
    here_ms: Mapped[int | None] = mapped_column(BigInteger)
    active_ms: Mapped[int | None] = mapped_column(BigInteger)


class RaisedHandRow(StoreTable):
    """A raised hand. `shares` says whether teachers may read the current text. `helper` is the name of who is coming.

    `at_ms` is when it was raised; null means that it was not, and the helper comes unasked.
    """

    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), primary_key=True)
    at_ms: Mapped[int | None] = mapped_column(BigInteger)
    lesson: Mapped[str | None] = mapped_column(String(PATH_CHARACTERS))
    exercise: Mapped[str | None] = mapped_column(String(NAME_CHARACTERS))
    shares: Mapped[bool]
    helper: Mapped[str | None] = mapped_column(String(NAME_CHARACTERS))
    coming_ms: Mapped[int | None] = mapped_column(BigInteger)


class NoteRow(Numbered, StoreTable):
    """A teacher's note at a line of an attempt. Lines count from 1. `author` is the teacher's name."""

    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), index=True)
    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempt.id", ondelete="CASCADE"), index=True)
    line: Mapped[int]
    text: Mapped[str]
    author: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    at_ms: Mapped[int] = mapped_column(BigInteger)
    read_ms: Mapped[int | None] = mapped_column(BigInteger)


class PointsOverrideRow(StoreTable):
    """Points that a teacher gave instead of the computed ones, in hundredths, with the reason."""

    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(PATH_CHARACTERS), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    hundredths: Mapped[int]
    reason: Mapped[str]
    author: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    at_ms: Mapped[int] = mapped_column(BigInteger)
