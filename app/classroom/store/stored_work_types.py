"""What the store tells and is told of a learner's work: plain records, without the database and without the words of a page.

Times are milliseconds since 1970. A `lesson` is its path, "chapter/lesson".
"""

from typing import Literal

import msgspec

from app.protocol.grading import Receipt

ExerciseStatus = Literal["new", "tried", "passed", "shown"]  # "shown": passed after seeing the solution
Why = Literal["run", "replaced", "restored", "imported"]  # an earlier text is kept: it was run; another took its place; …
REACHED: tuple[ExerciseStatus, ...] = ("passed", "shown")


class GradedAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A submission and what came of it: `good` of the `total` checks that count passed; `verdict` is a protocol Verdict as JSON."""

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

    def is_of(self, sha256: str, seed: int) -> bool:
        """Whether a source with this hash was submitted, with this seed."""
        return (self.receipt.sha256, self.seed) == (sha256, seed)


class NewAttempt(GradedAttempt, frozen=True, kw_only=True):
    """One that is to be kept. `answer`: the JSON that the client is told, with the receipt, which is given out only after the commit."""

    lesson: str
    exercise: str
    key: str | None
    answer: bytes


class StoredAttempt(GradedAttempt, frozen=True, kw_only=True):
    """One that is kept. `answer` is what was answered, JSON, while that is kept."""

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
    """The text of a cell as the server has it. `source` null: as the lesson has it."""

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
    """Both sides changed a draft: `draft` is what the server has."""

    def __init__(self, draft: StoredDraft) -> None:
        super().__init__(f"the server has version {draft.version}")
        self.draft = draft


class KeyUsed(Exception):
    """The Idempotency-Key was used for another source or seed."""


class TooMuchStored(Exception):
    """The learner has as much kept as one may; nothing more is."""


class StoredPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """Answers are JSON; "null" where the learner asked to be shown. `due`: it was wrong, and is to be asked again by now."""

    about: str
    first_answer: str
    first_right: bool | None
    last_answer: str
    last_right: bool | None
    due: bool


class ExerciseMark(msgspec.Struct, frozen=True, kw_only=True):
    """How far an exercise is. `attempts`: the newest, oldest first."""

    standing: ExerciseStatus
    seen: bool
    hints: int
    count: int
    attempts: list[AttemptMark] = []


class LessonWork(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept of a learner in one lesson. `seen_ms`: when a visit was noted last; null if nothing is kept of the learner."""

    seen_ms: int | None = None
    drafts: dict[str, StoredDraft] = {}
    cells: list[str] = []
    predictions: dict[str, StoredPrediction] = {}
    exercises: dict[str, ExerciseMark] = {}


class DuePrediction(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction that is to be asked again. `about` as it was when it was made."""

    lesson: str
    prediction: str
    about: str


class CourseWork(msgspec.Struct, frozen=True, kw_only=True):
    """How far a learner is in all lessons. Parts that are done: the ids of cells, "prediction:ID", "exercise:ID".

    `helped`: how many exercises of a lesson were passed after seeing the solution. `standings`: by lesson and exercise.
    `last`: the lesson where something was kept last.
    """

    seen_ms: int | None = None
    done: dict[str, list[str]] = {}
    helped: dict[str, int] = {}
    standings: dict[str, dict[str, ExerciseStatus]] = {}
    last: str | None = None
    reviews: bool = True
    due: list[DuePrediction] = []


class ReportedPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction that the browser kept while the store could not: what it says of it itself."""

    about: str
    answer: str
    right: bool | None


class ReportedWork(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser says was done in a lesson: cells that ran as declared, predictions, hints that were read, by exercise."""

    cells: list[str] = []
    predictions: dict[str, ReportedPrediction] = {}
    hints: dict[str, int] = {}


class Holdings(msgspec.Struct, frozen=True, kw_only=True):
    """How much is kept of one learner; `made_ms` is null if nothing is."""

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
