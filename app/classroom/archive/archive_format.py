"""The format of `data.json` in an export: everything that is stored of one learner, by lesson, without the server's ids.

    {"format": "gradroom", "version": 1, "exported_ms", "made_ms", "lesson", "reviews", "lessons": {"chapter/lesson": {
        "cells":       {cell: when it ran as declared},
        "predictions": {prediction: {"about", "first_answer", "first_right", "first_ms", "last_…", "times", "card"}},
        "exercises":   {exercise: {"standing", "hints", "passed_ms", "shown_ms",
            "attempts": [{"receipt", "at_ms", "sha256", "source", "seed", "run", "good", "total", "verdict", "imported"}]}},
        "drafts":      {cell: {"draft": {"version", "source", "at_ms"} | null, "versions": [{"number", "why", "source", "at_ms"}]}}}}}

Times are milliseconds since 1970. A change that an older Gradroom would not understand needs another VERSION.

ArchiveFault               why a file cannot be imported; nothing of it is stored
├── ArchiveNotZip          it is not a zip
├── ArchiveForeign         it is a zip without a data.json of Gradroom's
├── ArchiveTooNew          its format is of a later version
├── ArchiveTooLarge        it, or what it contains, exceeds the bound that `bound` names
└── ArchiveDamaged         it was cut off or changed; its message says where, for developers
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw

from app.classroom.store.schema.tables import NAME_CHARACTERS, PATH_CHARACTERS
from app.classroom.store.stored_work_types import ExerciseStatus, Why

FORMAT, VERSION = "gradroom", 1
DATA_FILE = "data.json"
NAME = "[a-z0-9]+(?:-[a-z0-9]+)*"
LAST_MS = 253_402_300_799_999  # the end of the year 9999

Name = Annotated[str, Meta(pattern=rf"\A{NAME}\Z", max_length=NAME_CHARACTERS)]
LessonPath = Annotated[str, Meta(pattern=rf"\A{NAME}/{NAME}\Z", max_length=PATH_CHARACTERS)]
DraftName = Annotated[str, Meta(pattern=rf"\A(?:_rule|(?:exercise_)?{NAME})\Z", max_length=NAME_CHARACTERS)]
Token = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z_-]+\Z", max_length=NAME_CHARACTERS)]
ReceiptId = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z_-]+\Z", max_length=32)]
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Time = Annotated[int, Meta(ge=0, le=LAST_MS)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Number = Annotated[int, Meta(ge=1, le=2**30)]  # so that adding to it stays within a database integer
ArchiveBound = Literal["zip", "files", "bytes", "ratio", "records"]  # bounds of the zip, of its list of files, and of data.json


class ArchiveFault(Exception):
    """The file cannot be imported."""


class ArchiveNotZip(ArchiveFault):
    pass


class ArchiveForeign(ArchiveFault):
    pass


class ArchiveTooNew(ArchiveFault):
    pass


class ArchiveTooLarge(ArchiveFault):
    """The file exceeds a bound. `bound` is the name of that bound.

    `most` is its value: in mebibytes for "zip" and "bytes", and a plain number for the others.
    """

    def __init__(self, bound: ArchiveBound, most: int) -> None:
        super().__init__(f"{bound}: more than {most}")
        self.bound, self.most = bound, most


class ArchiveDamaged(ArchiveFault):
    """The file was cut off or changed. `field` names the wrong field if people can find it in data.json, else it is ""."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class _Archived(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A record that has no other fields than these.

    Garbage collection does not examine records with `gc=False`. Kinds that are numerous and refer to no other records have it.
    """


class ArchivedPrediction(_Archived, gc=False):
    """The answers to a prediction; null means that the learner asked to see the answer. `card` is FSRS's, null if no answer was wrong."""

    about: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z_-]*\Z", max_length=64)]
    first_answer: Raw
    first_right: bool | None
    first_ms: Time
    last_answer: Raw
    last_right: bool | None
    last_ms: Time
    times: Number
    card: Raw


class ArchivedAttempt(_Archived, gc=False):
    """A submission as it was graded. `sha256` is the hash of the source as UTF-8; `verdict` is a Verdict of the protocol."""

    receipt: ReceiptId
    at_ms: Time
    sha256: Hash
    source: str
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    run: Token
    good: Count
    total: Count
    verdict: Raw
    imported: bool


class ArchivedExercise(_Archived):
    """How far the learner is in an exercise, and the submissions, oldest first."""

    standing: ExerciseStatus = "new"
    hints: Count = 0
    passed_ms: Time | None = None
    shown_ms: Time | None = None
    attempts: list[ArchivedAttempt] = []


class ArchivedText(_Archived, gc=False):
    """The text of a cell. `source` is null if the text is the lesson's own."""

    version: Number
    source: str | None
    at_ms: Time


class ArchivedVersion(_Archived, gc=False):
    """An earlier text of a cell."""

    number: Number
    why: Why
    source: str
    at_ms: Time


class ArchivedDraft(_Archived):
    """A cell's text, and its earlier texts, oldest first."""

    draft: ArchivedText | None
    versions: list[ArchivedVersion] = []


class ArchivedLesson(_Archived):
    """Everything of one lesson."""

    cells: dict[Name, Time] = {}
    predictions: dict[Name, ArchivedPrediction] = {}
    exercises: dict[Name, ArchivedExercise] = {}
    drafts: dict[DraftName, ArchivedDraft] = {}


class ArchiveHead(msgspec.Struct):
    """The fields that every version of the format has."""

    format: str = ""
    version: int = 0


class Archive(_Archived):
    """Everything of a learner. Each lesson stays JSON until it is needed, so that only one lesson at a time is in memory as objects."""

    format: str
    version: int
    exported_ms: Time
    made_ms: Time | None
    lesson: LessonPath | None
    reviews: bool
    lessons: dict[LessonPath, Raw]


class ImportCounts(msgspec.Struct, kw_only=True):
    """Numbers of records, by kind. `exercises` is the number of standings."""

    cells: int = 0
    predictions: int = 0
    exercises: int = 0
    attempts: int = 0
    drafts: int = 0
    versions: int = 0


class ImportAnswer(msgspec.Struct, kw_only=True):
    """What an import has added (`taken`), and what was stored before (`already`).

    `beside` counts texts that differ from the learner's own. The learner's text stays, and the imported text is added to the cell's earlier
    texts.
    """

    taken: ImportCounts
    already: ImportCounts
    beside: int = 0
