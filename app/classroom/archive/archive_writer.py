"""An export: one zip with everything that is kept of a learner, as data for Gradroom, and as Python files for people.

    README.txt                              what is in it; web has the words
    data.json                               app.classroom.archive.archive_format
    chapter/lesson/cell.py                  the text of a cell, as the learner left it
    chapter/lesson/rule.txt                 the rule in the learner's own words
    chapter/lesson/exercise/draft.py        the text of an exercise
    chapter/lesson/exercise/latest.py       what was submitted last
    chapter/lesson/exercise/passed.py       what passed last

It is written lesson by lesson. What a submission was answered is not in it, because that is made from the verdict, which is, without what
is hidden from learners.
"""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

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
from app.classroom.store.tables import (
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
from app.classroom.work.reviews import BadCard, read_card

README_FILE = "README.txt"
ONE_NAME = re.compile(NAME)
RESERVED = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")  # no file can be named so on Windows, whatever its ending is
TABLES: tuple[type[StoreTable], ...] = (DoneCellRow, PredictionRow, StandingRow, AttemptRow, DraftRow, DraftVersionRow)
NULL = Raw(b"null")
Files = dict[str, str]  # the texts of the Python files, by their names
Conceal = Callable[[str, str, bytes], bytes]  # of a lesson's path, an exercise and a verdict: the verdict as a learner may see it

encoder = msgspec.json.Encoder()


def write_archive(connection: Connection, learner: str, *, readme: str, now_ms: int, conceal: Conceal) -> bytes:
    """The zip; of who has nothing kept, one without lessons."""
    columns = LearnerRow.id, LearnerRow.made_ms, LearnerRow.lesson, LearnerRow.reviews
    row = connection.execute(select(*columns).where(LearnerRow.name == learner)).one_or_none()
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
        for name, text in files.items():
            zipped.writestr(describe_entry(name, now_ms), text)
    return buffer.getvalue()


def conceal_verdicts(path: str, lesson: ArchivedLesson, conceal: Conceal) -> None:
    for exercise, archived in lesson.exercises.items():
        for attempt in archived.attempts:
            attempt.verdict = Raw(conceal(path, exercise, bytes(attempt.verdict)))


def describe_entry(name: str, now_ms: int) -> zipfile.ZipInfo:
    at = to_datetime(now_ms)
    entry = zipfile.ZipInfo(name, (at.year, at.month, at.day, at.hour, at.minute, at.second))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
    return entry


def list_lessons(connection: Connection, learner_id: int) -> list[str]:
    """The lessons in which anything is kept, by name."""
    tables = [table.__table__ for table in TABLES]
    return sorted(connection.execute(union(*(select(one.c.lesson).where(one.c.learner_id == learner_id) for one in tables))).scalars())


def read_lessons(connection: Connection, learner_id: int) -> Iterator[tuple[str, ArchivedLesson]]:
    for path in list_lessons(connection, learner_id):
        yield path, read_archived(connection, learner_id, path)


def read_archived(connection: Connection, learner_id: int, path: str) -> ArchivedLesson:
    """All that is kept of one lesson."""

    def rows(table: type[StoreTable], *order: str) -> Iterator[Row[Any]]:
        described = table.__table__
        found = select(described).where(described.c.learner_id == learner_id, described.c.lesson == path)
        yield from connection.execute(found.order_by(*(described.c[name] for name in order)))

    attempts = defaultdict(list)
    for row in rows(AttemptRow, "at_ms", "id"):
        attempts[row.exercise].append(archive_attempt(row))
    versions = defaultdict(list)
    for row in rows(DraftVersionRow, "cell", "number"):
        versions[row.cell].append(ArchivedVersion(number=row.number, why=row.why, source=row.source, at_ms=row.at_ms))
    drafts = {row.cell: ArchivedText(version=row.version, source=row.source, at_ms=row.at_ms) for row in rows(DraftRow, "cell")}
    exercises = {row.exercise: archive_exercise(row, attempts.pop(row.exercise, [])) for row in rows(StandingRow, "exercise")}
    return ArchivedLesson(
        cells={row.cell: row.at_ms for row in rows(DoneCellRow, "cell")},
        predictions={row.prediction: archive_prediction(row) for row in rows(PredictionRow, "prediction")},
        exercises=exercises | {exercise: ArchivedExercise(attempts=submitted) for exercise, submitted in attempts.items()},
        drafts={cell: ArchivedDraft(draft=drafts.get(cell), versions=versions[cell]) for cell in sorted({*drafts, *versions})},
    )


def archive_attempt(row: Row[Any]) -> ArchivedAttempt:
    values = {name: getattr(row, name) for name in ("receipt", "at_ms", "sha256", "source", "seed", "good", "total", "imported")}
    return ArchivedAttempt(run=row.run_id, verdict=Raw(row.verdict), **values)


def archive_exercise(row: Row[Any], attempts: list[ArchivedAttempt]) -> ArchivedExercise:
    values = {name: getattr(row, name) for name in ("standing", "hints", "passed_ms", "shown_ms")}
    return ArchivedExercise(attempts=attempts, **values)


def archive_prediction(row: Row[Any]) -> ArchivedPrediction:
    values = {name: getattr(row, name) for name in ("about", "first_right", "first_ms", "last_right", "last_ms", "times")}
    return ArchivedPrediction(first_answer=Raw(row.first_answer), last_answer=Raw(row.last_answer), card=archive_card(row.card), **values)


def archive_card(card: str | None) -> Raw:
    """A broken one is left out, because no server would take the export with it."""
    try:
        return NULL if card is None else Raw(read_card(card).to_json())
    except BadCard:
        return NULL


def name_files(path: str, lesson: ArchivedLesson) -> Files:
    """The Python files of one lesson. What a stranger to the course named has none: it is in data.json alone."""
    texts: dict[tuple[str, ...], str] = {}
    for cell, kept in lesson.drafts.items():
        if kept.draft is not None and kept.draft.source is not None:
            exercise = cell.removeprefix("exercise_")
            texts[(cell,) if exercise == cell else (exercise, "draft")] = kept.draft.source
    for exercise, one in lesson.exercises.items():
        passed = [attempt for attempt in one.attempts if msgspec.json.decode(attempt.verdict, type=Passed).passed]
        texts |= {(exercise, name): found[-1].source for name, found in (("latest", one.attempts), ("passed", passed)) if found}
    named = {name_file(*path.split("/"), *parts): text for parts, text in texts.items()}
    return {name: text for name, text in named.items() if name}


def name_file(*parts: str) -> str:
    """A relative path of plain names, the last with its ending; "" if one of them is not what a name of the course can be."""
    *folders, last = parts
    ending = ".txt" if last == "_rule" else ".py"
    names = [*folders, last.removeprefix("_") if last == "_rule" else last]
    if not all(ONE_NAME.fullmatch(name) for name in names):
        return ""
    return "/".join(f"{name}_" if RESERVED.fullmatch(name) else name for name in names) + ending


class Passed(msgspec.Struct):
    """What a verdict says first."""

    passed: bool = False
