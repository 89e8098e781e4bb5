"""Writes an export: one zip with everything that is stored of a learner, as data for Gradroom and as Python files for people.

    README.txt                              an explanation of the zip, which web writes
    data.json                               app.classroom.archive.archive_format
    classes.json                            the learner's classes, with hands, notes and points, if there are any. People read it; imports
                                            ignore it, because a learner joins a class by its code
    chapter/lesson/cell.py                  the text of a cell, as the learner left it
    chapter/lesson/rule.txt                 the rule in the learner's own words
    chapter/lesson/exercise/draft.py        the text of an exercise
    chapter/lesson/exercise/latest.py       the last submission
    chapter/lesson/exercise/passed.py       the last submission that passed

The zip is written lesson by lesson. It contains the verdicts on submissions, without what is hidden from learners. It does not contain the
answers to submissions, because they can be made from the verdicts.
"""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from sqlalchemy import Connection, Row, select, union

from app.classroom.archive.archive_format import (
    DATA_FILE,
    FORMAT,
    NAME,
    VERSION,
    ArchivedAttempt,
    ArchivedDraft,
    ArchivedExercise,
    ArchivedLesson,
    ArchivedPrediction,
    ArchivedText,
    ArchivedVersion,
)
from app.classroom.archive.archive_reader import read_verdict
from app.classroom.classes.hands import read_hands
from app.classroom.classes.memberships import list_memberships
from app.classroom.classes.notes import list_notes
from app.classroom.store.schema.class_tables import MemberLearnerRow, PointsOverrideRow
from app.classroom.store.schema.tables import (
    AttemptRow,
    DoneCellRow,
    DraftRow,
    DraftVersionRow,
    LearnerRow,
    PredictionRow,
    StandingRow,
    StoreTable,
)
from app.classroom.store.times import to_datetime
from app.classroom.work.reviews import find_card

README_FILE = "README.txt"
CLASSES_FILE = "classes.json"
ONE_NAME = re.compile(NAME)
RESERVED = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")  # no file can be named so on Windows, whatever its ending is
TABLES: tuple[type[StoreTable], ...] = (DoneCellRow, PredictionRow, StandingRow, AttemptRow, DraftRow, DraftVersionRow)
T = TypeVar("T", bound=msgspec.Struct)
Files = dict[str, str]  # the texts of the Python files, by their names
Conceal = Callable[[str, str, bytes], bytes]  # (lesson's path, exercise, verdict) -> the verdict as a learner may see it

encoder = msgspec.json.Encoder()


def write_archive(connection: Connection, learner: str, *, readme: str, now_ms: int, conceal: Conceal) -> bytes:
    """Return the zip. It contains no lessons if nothing is stored of the learner.

    `conceal` removes from a verdict what is hidden from learners.
    """
    row = connection.execute(
        select(LearnerRow.id, LearnerRow.made_ms, LearnerRow.lesson, LearnerRow.reviews).where(LearnerRow.name == learner)
    ).one_or_none()
    head = {"format": FORMAT, "version": VERSION, "exported_ms": now_ms, "made_ms": row.made_ms if row else None}
    head |= {"lesson": row.lesson if row else None, "reviews": row.reviews if row else True}
    files: Files = {}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr(describe_entry(README_FILE, now_ms), readme)
        with zipped.open(describe_entry(DATA_FILE, now_ms), "w", force_zip64=True) as data:
            data.write(encoder.encode(head)[:-1] + b',\n"lessons": {')
            for number, (path, lesson) in enumerate(read_lessons(connection, row.id) if row else ()):
                conceal_verdicts(path, lesson, conceal)
                data.write((b",\n" if number else b"\n") + encoder.encode(path) + b": " + encoder.encode(lesson))
                files |= name_files(path, lesson)
            data.write(b"\n}}\n")
        if (classes := write_classes(connection, learner)) is not None:
            zipped.writestr(describe_entry(CLASSES_FILE, now_ms), classes)
        for name, text in files.items():
            zipped.writestr(describe_entry(name, now_ms), text)
    return buffer.getvalue()


def write_classes(connection: Connection, learner: str) -> bytes | None:
    """Return the JSON of the learner's classes, or None if the learner is in no class and has no notes."""
    points = (
        select(MemberLearnerRow.class_id, PointsOverrideRow.__table__)
        .join(MemberLearnerRow, MemberLearnerRow.member_id == PointsOverrideRow.member_id)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner)
        .order_by(PointsOverrideRow.lesson, PointsOverrideRow.exercise)
    )
    found = {
        "classes": [msgspec.to_builtins(one) for one in list_memberships(connection, learner)],
        "hands": [msgspec.to_builtins(one) for one in read_hands(connection, learner)],
        "notes": [msgspec.to_builtins(one) for one in list_notes(connection, learner)],
        "points": [row._asdict() for row in connection.execute(points)],
    }
    return msgspec.json.format(msgspec.json.encode(found)) if any(found.values()) else None


def conceal_verdicts(path: str, lesson: ArchivedLesson, conceal: Conceal) -> None:
    for exercise, archived in lesson.exercises.items():
        for attempt in archived.attempts:
            attempt.verdict = Raw(conceal(path, exercise, bytes(attempt.verdict)))


def describe_entry(name: str, now_ms: int) -> zipfile.ZipInfo:
    at = to_datetime(now_ms)
    entry = zipfile.ZipInfo(name, (at.year, at.month, at.day, at.hour, at.minute, at.second))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
    return entry


def read_lessons(connection: Connection, learner_id: int) -> Iterator[tuple[str, ArchivedLesson]]:
    """Yield the lessons in which something is stored, sorted by their paths."""
    tables = [table.__table__ for table in TABLES]
    paths = union(*(select(one.c.lesson).where(one.c.learner_id == learner_id) for one in tables))
    for path in sorted(connection.scalars(paths)):
        yield path, read_archived(connection, learner_id, path)


def read_archived(connection: Connection, learner_id: int, path: str) -> ArchivedLesson:
    """Return everything that is stored of one lesson."""

    def rows(table: type[StoreTable], *order: str) -> Iterator[Row[Any]]:
        described = table.__table__
        found = select(described).where(described.c.learner_id == learner_id, described.c.lesson == path)
        yield from connection.execute(found.order_by(*(described.c[name] for name in order)))

    attempts = defaultdict(list)
    for row in rows(AttemptRow, "at_ms", "id"):
        attempts[row.exercise].append(archive(ArchivedAttempt, row, run=row.run_id, verdict=Raw(row.verdict)))
    versions = defaultdict(list)
    for row in rows(DraftVersionRow, "cell", "number"):
        versions[row.cell].append(archive(ArchivedVersion, row))
    drafts = {row.cell: archive(ArchivedText, row) for row in rows(DraftRow, "cell")}
    exercises = {
        row.exercise: archive(ArchivedExercise, row, attempts=attempts.pop(row.exercise, [])) for row in rows(StandingRow, "exercise")
    }
    return ArchivedLesson(
        cells={row.cell: row.at_ms for row in rows(DoneCellRow, "cell")},
        predictions={row.prediction: archive_prediction(row) for row in rows(PredictionRow, "prediction")},
        exercises=exercises | {exercise: ArchivedExercise(attempts=submitted) for exercise, submitted in attempts.items()},
        drafts={cell: ArchivedDraft(draft=drafts.get(cell), versions=versions[cell]) for cell in sorted({*drafts, *versions})},
    )


def archive(form: type[T], row: Row[Any], **values: object) -> T:
    """Return a record of the type `form`. The value of a field is in `values`, or else in the column of the row with the same name."""
    return form(**{name: row._mapping[name] for name in form.__struct_fields__ if name not in values}, **values)


def archive_prediction(row: Row[Any]) -> ArchivedPrediction:
    card = find_card(row.card)  # a broken card becomes null, because no server would import an archive that contains it
    return archive(
        ArchivedPrediction,
        row,
        first_answer=Raw(row.first_answer),
        last_answer=Raw(row.last_answer),
        card=Raw(card.to_json() if card else "null"),
    )


def name_files(path: str, lesson: ArchivedLesson) -> Files:
    """Return the Python files of one lesson. Texts whose names could not occur in a course are left out; data.json has them."""
    texts: dict[tuple[str, ...], str] = {}
    for cell, kept in lesson.drafts.items():
        if kept.draft is not None and kept.draft.source is not None:
            exercise = cell.removeprefix("exercise_")
            texts[(cell,) if exercise == cell else (exercise, "draft")] = kept.draft.source
    for exercise, one in lesson.exercises.items():
        passed = [attempt for attempt in one.attempts if read_verdict(attempt.verdict).passed]
        texts |= {(exercise, name): found[-1].source for name, found in (("latest", one.attempts), ("passed", passed)) if found}
    named = {name_file(*path.split("/"), *parts): text for parts, text in texts.items()}
    return {name: text for name, text in named.items() if name}


def name_file(*parts: str) -> str:
    """Return a relative path with an ending. Return "" if one of the names could not occur in a course."""
    *folders, last = parts
    ending = ".txt" if last == "_rule" else ".py"
    names = [*folders, last.removeprefix("_") if last == "_rule" else last]
    if not all(ONE_NAME.fullmatch(name) for name in names):
        return ""
    return "/".join(f"{name}_" if RESERVED.fullmatch(name) else name for name in names) + ending
