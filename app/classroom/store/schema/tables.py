"""The tables. Times are integers, milliseconds since 1970; sources are text as the learner wrote it; verdicts are the protocol's JSON.

    learner ──┬── done_cell          a cell ran as its lesson declares
              ├── prediction         the first and the last answer, and the card of spaced repetition
              ├── standing           how far the learner is in an exercise
              ├── attempt            every submission that has a receipt ──── kept_answer   its answer, for a day
              ├── draft              the current text of a cell or an exercise
              └── draft_version      an earlier text, which was run, replaced or imported
    person ───┬── sign_in_link       a link that signs a person in once, to choose a password
              └── person_session     a browser in which the person is signed in
    wrong_sign_in                    recent wrong passwords and links, by name and by address
    audit_entry                      who did what to whom
    forgotten_learner                learners who have deleted their work, so that unfinished requests store nothing more
    outbox                           notices between web processes
    address_addition                 how much a network address has recently added to the database

The tables of classes are in app.classroom.store.schema.class_tables. Deleting a learner deletes all their rows. A changed table needs a
migration, as docs/operations.md describes.
"""

import re

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.classroom.store.stored_work_types import ExerciseStatus, Why

NAME_CHARACTERS = 64  # of a cell, an exercise or a prediction
PATH_CHARACTERS = 130  # of a lesson, "chapter/lesson"
LAST_ID = 2**31 - 1  # the largest integer in a database


class StoreTable(DeclarativeBase):
    """The base of all tables. It gives names to their constraints, so that migrations can change them.

    A table has its class's name: DoneCellRow is the table done_cell.
    """

    type_annotation_map = {str: Text, int: Integer}

    def __init_subclass__(cls) -> None:
        if "__tablename__" not in vars(cls):
            cls.__tablename__ = re.sub(r"\B(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()
        super().__init_subclass__()


StoreTable.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
}


class Numbered:
    """The first column of tables whose rows have numbers."""

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


class OfLesson:
    """The first columns of tables that describe a part of a lesson for one learner: the learner, and the lesson's path."""

    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True, sort_order=-2)
    lesson: Mapped[str] = mapped_column(String(PATH_CHARACTERS), primary_key=True, sort_order=-1)


class LearnerRow(Numbered, StoreTable):
    """A learner. `name` is the name in the cookie, and `lesson` the lesson in which something was stored last.

    `bytes` is the size of the attempts, drafts and versions (app.classroom.work.learners.size_of). The other tables are bounded in other
    ways.
    """

    name: Mapped[str] = mapped_column(String(NAME_CHARACTERS), unique=True)
    made_ms: Mapped[int] = mapped_column(BigInteger)
    seen_ms: Mapped[int] = mapped_column(BigInteger, index=True)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    lesson: Mapped[str | None] = mapped_column(String(PATH_CHARACTERS))
    reviews: Mapped[bool] = mapped_column(default=True)


class DoneCellRow(OfLesson, StoreTable):
    cell: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    at_ms: Mapped[int] = mapped_column(BigInteger)


class PredictionRow(OfLesson, StoreTable):
    """Answers to a prediction, as JSON. The JSON is null if the learner asked to see the answer.

    `about` is a hash of the question, which shows whether the question has changed. `card` is FSRS's JSON, and `due_ms` is when the
    question is asked again. Both are null while no answer was wrong.
    """

    __table_args__ = (Index("ix_prediction_learner_id_due_ms", "learner_id", "due_ms"),)

    prediction: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    about: Mapped[str] = mapped_column(String(64))
    first_answer: Mapped[str]
    first_right: Mapped[bool | None]
    first_ms: Mapped[int] = mapped_column(BigInteger)
    last_answer: Mapped[str]
    last_right: Mapped[bool | None]
    last_ms: Mapped[int] = mapped_column(BigInteger)
    times: Mapped[int]
    card: Mapped[str | None]
    due_ms: Mapped[int | None] = mapped_column(BigInteger)


class StandingRow(OfLesson, StoreTable):
    """How far a learner is in an exercise. `standing` is an ExerciseStatus; `attempts` counts all submissions with a receipt."""

    exercise: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    standing: Mapped[ExerciseStatus] = mapped_column(String(16))
    attempts: Mapped[int] = mapped_column(default=0)
    hints: Mapped[int] = mapped_column(default=0)
    passed_ms: Mapped[int | None] = mapped_column(BigInteger)
    shown_ms: Mapped[int | None] = mapped_column(BigInteger)  # when the solution was first shown


class AttemptRow(Numbered, StoreTable):
    """A submission. `receipt` is its receipt's id, `sha256` the hash of the source as UTF-8, and `verdict` the protocol's JSON.

    `total` is the number of checks that must pass, and `good` how many of them passed. `key` is the Idempotency-Key, if one was sent.
    `imported` says that the submission came with an archive. `version` is the hash of the exercise, its checks and the grader, or null for
    attempts that were stored before there were versions.
    """

    __table_args__ = (
        UniqueConstraint("learner_id", "lesson", "exercise", "key"),
        UniqueConstraint("learner_id", "receipt"),
        # covers all that a lesson's page lists of an attempt, because each row, with its source, is on another page of the file
        Index("ix_attempt_exercise", "learner_id", "lesson", "exercise", "id", "receipt", "at_ms", "passed", "good", "total", "imported"),
    )

    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"))
    lesson: Mapped[str] = mapped_column(String(PATH_CHARACTERS))
    exercise: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    key: Mapped[str | None] = mapped_column(String(128))
    receipt: Mapped[str] = mapped_column(String(32))
    at_ms: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    seed: Mapped[int] = mapped_column(BigInteger)
    run_id: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    passed: Mapped[bool]
    good: Mapped[int]
    total: Mapped[int]
    mistake: Mapped[str | None] = mapped_column(String(NAME_CHARACTERS))
    imported: Mapped[bool] = mapped_column(default=False)
    verdict: Mapped[str]  # the long ones last: SQLite reads a row from its beginning
    source: Mapped[str]
    version: Mapped[str | None] = mapped_column(String(64))


class StoredAnswerRow(StoreTable):
    """The answer to a submission, as JSON compressed with zlib, for a client that sends the same key again."""

    __tablename__ = "kept_answer"

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), index=True)
    at_ms: Mapped[int] = mapped_column(BigInteger, index=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class DraftRow(OfLesson, StoreTable):
    """The text of a cell. `cell` is its id, "exercise_ID" or "_rule". `version` counts from 1.

    `source` is null if the text is the lesson's own.
    """

    cell: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    version: Mapped[int]
    source: Mapped[str | None]
    at_ms: Mapped[int] = mapped_column(BigInteger)


class DraftVersionRow(OfLesson, StoreTable):
    """An earlier text. `why` is one of app.classroom.store.stored_work_types.Why."""

    cell: Mapped[str] = mapped_column(String(NAME_CHARACTERS), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    why: Mapped[Why] = mapped_column(String(16))
    source: Mapped[str]
    at_ms: Mapped[int] = mapped_column(BigInteger)


class PersonRow(Numbered, StoreTable):
    """A person who signs in. `name` is written as its owner chose it, and `name_key` is its form for comparing.

    `role` is a name of app.classroom.people.roles.Role. `password` is an Argon2 hash, or null until the person has chosen a password.
    """

    name: Mapped[str] = mapped_column(String(NAME_CHARACTERS))
    name_key: Mapped[str] = mapped_column(String(NAME_CHARACTERS), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    password: Mapped[str | None] = mapped_column(String(255))
    made_ms: Mapped[int] = mapped_column(BigInteger)


class SignInLinkRow(StoreTable):
    """A link that signs a person in once. Only the SHA-256 hash of its token is stored."""

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    expires_ms: Mapped[int] = mapped_column(BigInteger)


class PersonSessionRow(Numbered, StoreTable):
    """A browser in which a person is signed in. Only the SHA-256 hash of its cookie is stored. `client` is the browser's User-Agent."""

    person_id: Mapped[int] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    token_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    made_ms: Mapped[int] = mapped_column(BigInteger)
    seen_ms: Mapped[int] = mapped_column(BigInteger)
    client: Mapped[str] = mapped_column(String(200))


class WrongSignInRow(StoreTable):
    """Recent wrong sign-ins. app.classroom.people.wrong_sign_ins makes `source`: an address, or a name at an address or in a browser."""

    source: Mapped[str] = mapped_column(String(160), primary_key=True)
    count: Mapped[int]
    last_ms: Mapped[int] = mapped_column(BigInteger, index=True)


class AuditEntryRow(Numbered, StoreTable):
    """An entry about who did what to whom. `subject` names a learner, a person or a class, and `detail` is JSON."""

    at_ms: Mapped[int] = mapped_column(BigInteger, index=True)
    actor: Mapped[str] = mapped_column(String(80))
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str | None] = mapped_column(String(80), index=True)
    detail: Mapped[str]


class ForgottenLearnerRow(StoreTable):
    """A learner who has deleted their work at `at_ms`. Only the SHA-256 hash of the name in the cookie is stored."""

    name_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    at_ms: Mapped[int] = mapped_column(BigInteger, index=True)


class OutboxRow(Numbered, StoreTable):
    """A notice from one web process to the others. `body` is JSON in a form of its `kind`."""

    at_ms: Mapped[int] = mapped_column(BigInteger, index=True)
    kind: Mapped[str] = mapped_column(String(32))
    body: Mapped[str]


class AddressAdditionRow(StoreTable):
    """How many bytes a network address has added, less those that its bucket had refilled by `at_ms`."""

    address: Mapped[str] = mapped_column(String(64), primary_key=True)
    bytes: Mapped[int] = mapped_column(BigInteger)
    at_ms: Mapped[int] = mapped_column(BigInteger, index=True)
