"""Reads a zip that is said to be an export. The sender made it, so nothing in it is trusted before it is checked.

Only `data.json` is read, and no name in the zip is used as a path. The data is read up to a limit, whatever size the zip states.
"""

import hashlib
import io
import struct
import zipfile
import zlib
from typing import Annotated

import msgspec
from fsrs import Card
from msgspec import Meta, Raw

from app.classroom.archive.archive_format import (
    DATA_FILE,
    FORMAT,
    VERSION,
    Archive,
    ArchiveDamaged,
    ArchivedAttempt,
    ArchivedDraft,
    ArchivedExercise,
    ArchivedLesson,
    ArchivedPrediction,
    ArchiveForeign,
    ArchiveHead,
    ArchiveNotZip,
    ArchiveTooLarge,
    ArchiveTooNew,
    DraftName,
    Name,
)
from app.classroom.store.times import DAY_MS
from app.classroom.work.drafts import MOST_VERSIONS
from app.classroom.work.reviews import BadCard, read_card
from app.protocol.grading import CHECKS, Verdict
from app.protocol.limits import MEBIBYTE, NUL, SOURCE_BYTES

DIRECTORY_BYTES = 2 * MEBIBYTE  # of the zip's list of files
FILE_BYTES = 64  # of one entry of that list
PIECE_BYTES = MEBIBYTE
MOST_RECORDS = 30_000  # of all kinds; the work of a term has some 3,000
MOST_BYTES = 64 * MEBIBYTE  # of texts, whatever may be stored of a learner, because all of it is in memory
MOST_RATIO = 200  # of data.json to the zip; fifty versions of one program, each also in a .py file, reach some 60
ANY_RATIO_BYTES = 4 * MEBIBYTE  # up to which the ratio does not matter
KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the only kinds for which Python bounds the inflated size
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError, OverflowError)

Said = int | float | Annotated[str, Meta(max_length=200)] | Annotated[list[int], Meta(max_length=64)] | None
encoder = msgspec.json.Encoder()
attempts = msgspec.json.Decoder(ArchivedAttempt)
predictions = msgspec.json.Decoder(ArchivedPrediction)
drafts = msgspec.json.Decoder(ArchivedDraft)


class BoundedFile(io.BytesIO):
    """A file that refuses large reads.

    zipfile reads the zip's list of files in one read, and makes an object for each entry. A long list would fill the memory.
    """

    def read(self, size: int | None = -1) -> bytes:
        left = len(self.getbuffer()) - self.tell()
        if min(left, left if size is None or size < 0 else size) > DIRECTORY_BYTES:
            raise ArchiveTooLarge("files", DIRECTORY_BYTES // FILE_BYTES)
        return super().read(size)


def read_archive(data: bytes, *, limit_bytes: int, now_ms: int) -> Archive:
    """Return the checked archive of a zip. `limit_bytes` bounds the texts that may be stored of a learner. Raises ArchiveFault."""
    most_bytes = min(limit_bytes, MOST_BYTES)
    text = extract_data(data, most_bytes + most_bytes // 4 + MEBIBYTE)  # in JSON each line of a program has a character more
    try:
        head = msgspec.json.decode(text, type=ArchiveHead)
        if head.format != FORMAT:
            raise ArchiveForeign(f"its format is {head.format[:20]!r}")
        if head.version > VERSION:
            raise ArchiveTooNew(f"its version is {head.version}")
        archive = msgspec.json.decode(text, type=Archive)
        check_time(now_ms, archive.exported_ms)
        records = 0
        for path, raw in archive.lessons.items():
            records += check_lesson(path, read_lesson(raw), now_ms)
            if records > MOST_RECORDS:
                raise ArchiveTooLarge("records", MOST_RECORDS)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError) as error:
        raise ArchiveDamaged(str(error)) from error
    return archive


def extract_data(data: bytes, most_bytes: int) -> bytes:
    """Return the bytes of data.json. Raises ArchiveTooLarge if they are more than `most_bytes`."""
    try:
        with zipfile.ZipFile(BoundedFile(data)) as zipped:
            found = [entry for entry in zipped.infolist() if entry.filename == DATA_FILE]
            if len(found) != 1:
                raise ArchiveForeign(f"it has {len(found)} files {DATA_FILE}")
            if found[0].flag_bits & 1 or found[0].compress_type not in KINDS:
                raise ArchiveForeign(f"its {DATA_FILE} is encrypted, or packed in another way")
            return inflate(zipped, found[0], most_bytes, max(ANY_RATIO_BYTES, MOST_RATIO * len(data)))
    except BROKEN as error:
        whole = data.startswith(b"PK") and zipfile.is_zipfile(io.BytesIO(data))
        raise (ArchiveDamaged if whole or data.startswith(b"PK\x03\x04") else ArchiveNotZip)(str(error)) from error


def inflate(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo, most_bytes: int, ratio_bytes: int) -> bytes:
    """Return the bytes of an entry of the zip, and verify its checksum. Raises ArchiveTooLarge above `most_bytes` or `ratio_bytes`.

    `ratio_bytes` depends on the size of the zip.
    """
    text = bytearray()
    with zipped.open(entry) as file:
        while piece := file.read(PIECE_BYTES):
            text += piece
            if len(text) > most_bytes:
                raise ArchiveTooLarge("bytes", most_bytes // MEBIBYTE)
            if len(text) > ratio_bytes:
                raise ArchiveTooLarge("ratio", MOST_RATIO)
    return bytes(text)


class RawExercise(ArchivedExercise, kw_only=True):
    """An exercise whose attempts are still JSON."""

    attempts: list[Raw] = []  # type: ignore[assignment]


class RawLesson(ArchivedLesson, kw_only=True):
    """A lesson whose parts are still JSON."""

    predictions: dict[Name, Raw] = {}  # type: ignore[assignment]
    exercises: dict[Name, RawExercise] = {}  # type: ignore[assignment]
    drafts: dict[DraftName, Raw] = {}  # type: ignore[assignment]


def read_lesson(raw: Raw) -> ArchivedLesson:
    """Return a lesson, decoded in small pieces, because no other thread runs while msgspec decodes a piece. Raises msgspec's errors."""
    lesson = msgspec.json.decode(raw, type=RawLesson)
    return ArchivedLesson(
        cells=lesson.cells,
        predictions={name: predictions.decode(one) for name, one in lesson.predictions.items()},
        exercises={
            name: ArchivedExercise(
                standing=one.standing,
                hints=one.hints,
                passed_ms=one.passed_ms,
                shown_ms=one.shown_ms,
                attempts=[attempts.decode(attempt) for attempt in one.attempts],
            )
            for name, one in lesson.exercises.items()
        },
        drafts={name: drafts.decode(one) for name, one in lesson.drafts.items()},
    )


def check_lesson(path: str, lesson: ArchivedLesson, now_ms: int) -> int:
    """Check a lesson, and return how many records it has. Raises ArchiveDamaged, ValueError and msgspec's errors."""
    check_time(now_ms, *lesson.cells.values())
    records = len(lesson.cells) + len(lesson.predictions)
    for name, prediction in lesson.predictions.items():
        check_time(now_ms, prediction.first_ms, prediction.last_ms)
        check_prediction(f"{path} predictions.{name}", prediction)
    for exercise in lesson.exercises.values():
        records += 1 + len(exercise.attempts)
        check_time(now_ms, exercise.passed_ms, exercise.shown_ms)
        for attempt in exercise.attempts:
            check_time(now_ms, attempt.at_ms)
            check_attempt(attempt)
    for draft in lesson.drafts.values():
        records += 1 + len(draft.versions)
        check_source(draft.draft.source if draft.draft else None)
        check_time(now_ms, draft.draft.at_ms if draft.draft else 0, *(version.at_ms for version in draft.versions))
        for version in draft.versions:
            check_source(version.source)
        if len(draft.versions) > MOST_VERSIONS:
            raise ArchiveDamaged(f"a text has more than {MOST_VERSIONS} versions")
        numbers = [version.number for version in draft.versions]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers)) if numbers else []):
            raise ArchiveDamaged("its versions are not numbered on")
    return records


def check_prediction(place: str, prediction: ArchivedPrediction) -> None:
    read_said(prediction.first_answer)
    read_said(prediction.last_answer)
    try:
        find_card(prediction.card)
    except BadCard as error:
        raise ArchiveDamaged(str(error), ".".join(filter(None, (place, "card", error.field)))) from error


def check_attempt(attempt: ArchivedAttempt) -> None:
    check_source(attempt.source)
    check_source(read_verdict(attempt.verdict).mistake)
    if attempt.good > attempt.total or attempt.total > CHECKS:
        raise ArchiveDamaged(f"{attempt.good} of {attempt.total} checks passed")
    if hashlib.sha256(attempt.source.encode()).hexdigest() != attempt.sha256:
        raise ArchiveDamaged(f"the program of {attempt.receipt} is not the one that was submitted")


def check_source(source: str | None) -> None:
    if source is not None and (len(source.encode()) > SOURCE_BYTES or NUL in source):
        raise ArchiveDamaged("a program is too long, or has a NUL")


def check_time(now_ms: int, *times_ms: int | None) -> None:
    """Raise ArchiveDamaged for a time more than a day ahead. Less is allowed, because another server's clock may be ahead of this one's."""
    if any(at_ms is not None and at_ms > now_ms + DAY_MS for at_ms in times_ms):
        raise ArchiveDamaged("a time is yet to come")


def read_said(answer: Raw) -> str:
    """Return the JSON of an answer to a prediction. Raises msgspec's errors if it is no possible answer."""
    return encoder.encode(msgspec.json.decode(answer, type=Said)).decode()


def read_verdict(verdict: Raw) -> Verdict:
    return msgspec.json.decode(verdict, type=Verdict)


def find_card(card: Raw) -> Card | None:
    """Return the card of a prediction, or None if it is null, because no answer was wrong. Raises BadCard."""
    return None if bytes(card) == b"null" else read_card(bytes(card).decode())
