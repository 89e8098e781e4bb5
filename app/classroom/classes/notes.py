"""Notes: texts that a teacher writes at a line of an attempt, for the learner who made it."""

import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from app.classroom.classes.class_faults import BadClassValue, NoMember
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import require_helper
from app.classroom.store.learner_lock import lock_class, lock_learner
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, NoteRow, SchoolClassRow
from app.classroom.store.schema.tables import LAST_ID, NAME_CHARACTERS, AttemptRow, LearnerRow
from app.locale.messages import mark

NOTE_CHARACTERS = 2000
MOST_NOTES = 1000  # of a member
MOST_READ = 50  # notes that a learner gets at once
LAST_LINE = 100_000


@dataclass(frozen=True, kw_only=True)
class OwnNote:
    """A note, as the learner reads it. `receipt` and `source` are those of the attempt; `line` counts from 1."""

    id: int
    class_id: int
    class_name: str
    receipt: str
    lesson: str
    exercise: str
    source: str
    line: int
    text: str
    author: str
    at_ms: int
    read_ms: int | None


def add_note(connection: Connection, teacher: int, class_id: int, attempt_id: int, line: int, text: str, author: str, now_ms: int) -> int:
    """Store a note at a line of an attempt that the class may see, and return its id. Raises NoClass, NoMember and BadClassValue."""
    require_helper(connection, teacher, class_id)
    member_id = find_author(connection, class_id, attempt_id)
    if not 1 <= line <= LAST_LINE:
        raise BadClassValue("line", mark("a whole number from {least} to {most}"), least=1, most=LAST_LINE)
    written = check_text(text)
    if connection.execute(select(func.count()).where(NoteRow.member_id == member_id)).scalar_one() >= MOST_NOTES:
        raise BadClassValue("text", mark("at most {most} notes for one member"), most=MOST_NOTES)
    values = {"member_id": member_id, "attempt_id": attempt_id, "line": line, "text": written, "author": author[:NAME_CHARACTERS]}
    note_id = connection.execute(insert(NoteRow).values(**values, at_ms=now_ms).returning(NoteRow.id)).scalar_one()
    announce(connection, class_id, to_member=member_id)
    return note_id


def find_author(connection: Connection, class_id: int, attempt_id: int) -> int:
    """Return the id of the member who made an attempt. Raises NoMember if the class may not see the attempt."""
    member_id = connection.scalar(
        select(MemberLearnerRow.member_id)
        .join(AttemptRow, AttemptRow.learner_id == MemberLearnerRow.learner_id)
        .where(
            MemberLearnerRow.class_id == class_id,
            AttemptRow.at_ms >= MemberLearnerRow.since_ms,
            AttemptRow.id == min(attempt_id, LAST_ID),
        )
    )
    if member_id is None:
        raise NoMember
    return member_id


def check_text(text: str) -> str:
    """Return the text of a note as it is stored. Raises BadClassValue."""
    cleaned = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    if not 1 <= len(cleaned) <= NOTE_CHARACTERS or not all(letter in "\n\t" or not is_invisible(letter) for letter in cleaned):
        raise BadClassValue("text", mark("from 1 to {most} characters, none of them invisible"), most=NOTE_CHARACTERS)
    return cleaned


def is_invisible(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs") and letter not in "\u200c\u200d"  # which join letters and emoji


def list_notes(connection: Connection, learner: str, most: int = MOST_READ) -> list[OwnNote]:
    """Return at most `most` notes at a learner's attempts, the newest first, also those of classes that the learner has left."""
    newest_first = (
        _of_learner(
            select(
                NoteRow.id, MemberRow.class_id, SchoolClassRow.name.label("class_name"), AttemptRow.receipt, AttemptRow.lesson,
                AttemptRow.exercise, AttemptRow.source, NoteRow.line, NoteRow.text, NoteRow.author, NoteRow.at_ms, NoteRow.read_ms,
            ),
            learner,
        )
        .join(SchoolClassRow, SchoolClassRow.id == MemberRow.class_id)
        .order_by(NoteRow.at_ms.desc(), NoteRow.id.desc())
        .limit(most)
    )  # fmt: skip
    return [OwnNote(**row._asdict()) for row in connection.execute(newest_first)]


def read_note(connection: Connection, learner: str, note_id: int, now_ms: int) -> None:
    """Record that a learner has read a note. Raises NoMember if the note is not theirs."""
    lock_learner(connection, learner)
    row = connection.execute(
        _of_learner(select(NoteRow.member_id, MemberRow.class_id), learner).where(NoteRow.id == min(note_id, LAST_ID))
    ).one_or_none()
    if row is None:
        raise NoMember
    lock_class(connection, row.class_id)
    read = update(NoteRow).where(NoteRow.id == note_id, NoteRow.read_ms.is_(None)).values(read_ms=now_ms)
    if connection.execute(read).rowcount:
        announce(connection, row.class_id, to_member=row.member_id)


def _of_learner(query: Select[*tuple[Any, ...]], learner: str) -> Select[*tuple[Any, ...]]:
    return (
        query.select_from(LearnerRow)
        .join(AttemptRow, AttemptRow.learner_id == LearnerRow.id)
        .join(NoteRow, NoteRow.attempt_id == AttemptRow.id)
        .join(MemberRow, MemberRow.id == NoteRow.member_id)
        .where(LearnerRow.name == learner)
    )
