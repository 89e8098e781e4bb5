"""The forms of a learner's work that the store takes and returns. They depend neither on the database nor on a language.

Times are milliseconds since 1970. A `lesson` is a path, "chapter/lesson".
"""

from typing import Literal

import msgspec

from app.protocol.grading import Receipt

ExerciseStatus = Literal["new", "tried", "passed", "shown"]  # "shown": passed after seeing the solution
Why = Literal["run", "replaced", "restored", "imported"]  # an earlier text was run, replaced by the lesson's text, …
REACHED: tuple[ExerciseStatus, ...] = ("passed", "shown")


class GradedAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A graded submission. `total` is the number of checks that must pass, and `good` how many of them passed.

    `verdict` is a Verdict of the protocol as JSON. `version` is the exercise's hash (app.grading.exercise_version), None if it is unknown.
    """

    receipt: Receipt
    at_ms: int
    source: str
    seed: int
    run_id: str
    passed: bool
    good: int
    total: int
    mistake: str | None
    verdict: str
    version: str | None = None

    def is_of(self, sha256: str, seed: int) -> bool:
        """Return whether this is an attempt with this source and seed. `sha256` is the hash of the source."""
        return (self.receipt.sha256, self.seed) == (sha256, seed)


class NewAttempt(GradedAttempt, frozen=True, kw_only=True):
    """An attempt to store. `answer` is the client's answer as JSON, with the receipt. It is sent after the commit."""

    lesson: str
    exercise: str
    key: str | None
    answer: bytes


class StoredAttempt(GradedAttempt, frozen=True, kw_only=True):
    """An attempt that is stored. `answer` is the client's answer as JSON, or None if it is no longer stored."""

    id: int
    imported: bool
    answer: bytes | None = None


class AttemptMark(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt in a list, without its source."""

    receipt: str
    at_ms: int
    passed: bool
    good: int
    total: int
    imported: bool


class StoredDraft(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a cell as the server has it. `source` is None if the text is the lesson's own."""

    version: int
    source: str | None
    at_ms: int


class DraftVersion(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier text of a cell."""

    number: int
    why: Why
    source: str
    at_ms: int


class DraftConflict(Exception):
    """A text was changed both in the browser and on the server. `draft` is the server's text."""

    def __init__(self, draft: StoredDraft) -> None:
        super().__init__(f"the server has version {draft.version}")
        self.draft = draft


class KeyUsed(Exception):
    """The Idempotency-Key was used for another source or seed."""


class TooMuchStored(Exception):
    """The texts that are stored of the learner have reached their limit."""


class StoredPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to a prediction as JSON, "null" if the learner asked to see the answer. `due` says that the question is asked again.

    `first_right` and `last_right` are None if the learner asked to see the answer.
    """

    about: str
    first_answer: str
    first_right: bool | None
    last_answer: str
    last_right: bool | None
    due: bool = False


class ExerciseMark(msgspec.Struct, frozen=True, kw_only=True):
    """How far the learner is in an exercise. `attempts` are the newest attempts, oldest first; `count` is the number of all attempts."""

    standing: ExerciseStatus
    seen: bool
    hints: int
    count: int
    attempts: list[AttemptMark] = []


class LessonWork(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored of a learner in one lesson. `seen_ms` is the last recorded visit, None for an unknown learner."""

    seen_ms: int | None = None
    drafts: dict[str, StoredDraft] = {}
    cells: list[str] = []
    predictions: dict[str, StoredPrediction] = {}
    exercises: dict[str, ExerciseMark] = {}


class DuePrediction(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction that must be asked again. `about` is a hash of the question as it was when it was answered."""

    lesson: str
    prediction: str
    about: str


class CourseWork(msgspec.Struct, frozen=True, kw_only=True):
    """How far a learner is in all lessons. `done` lists the finished parts of a lesson: ids of cells, "prediction:ID", "exercise:ID".

    `helped` counts the exercises of a lesson that were passed after seeing the solution. `standings` maps lessons and their exercises to
    standings. `last` is the lesson in which something was stored last.
    """

    seen_ms: int | None = None
    done: dict[str, list[str]] = {}
    helped: dict[str, int] = {}
    standings: dict[str, dict[str, ExerciseStatus]] = {}
    last: str | None = None
    reviews: bool = True
    due: list[DuePrediction] = []


class OwnWork(msgspec.Struct, frozen=True, kw_only=True):
    """What a learner has done in the course.

    `own_rules` lists the lessons whose rule the learner has written in their own words. `last_done_ms` maps a lesson to
    the time when the learner last finished a new part of it.
    """

    course: CourseWork = CourseWork()
    own_rules: list[str] = []
    last_done_ms: dict[str, int] = {}

    @property
    def seen_ms(self) -> int | None:
        """Return the last recorded visit, None for an unknown learner."""
        return self.course.seen_ms


class ReportedPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to a prediction that the browser reports because the server could not store it."""

    about: str
    answer: str
    right: bool | None


class ReportedWork(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser reports of a lesson.

    `cells` ran as declared, and `hints` maps exercises to the number of hints that were read.
    """

    cells: list[str] = []
    predictions: dict[str, ReportedPrediction] = {}
    hints: dict[str, int] = {}


class Holdings(msgspec.Struct, frozen=True, kw_only=True):
    """How much is stored of one learner. `made_ms` is None if nothing is stored."""

    made_ms: int | None = None
    seen_ms: int | None = None
    cells: int = 0
    predictions: int = 0
    exercises: int = 0
    attempts: int = 0
    drafts: int = 0
    versions: int = 0
    bytes: int = 0
    reviews: bool = True
