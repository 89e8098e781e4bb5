"""The current text of each cell, and earlier texts of it. A client that saves a text says from which version that text began.

    it began from the newest version, or none is stored     the text is stored as the next version
    it began from another version                           DraftConflict, unless the text equals the stored one

A text is also stored as an earlier text when it was run, and when the cell is set back to the text of its lesson.
"""

from sqlalchemy import ColumnElement, Connection, ScalarSelect, and_, delete, insert, select, update

from app.classroom.store.schema.tables import LAST_ID, DraftRow, DraftVersionRow
from app.classroom.store.stored_work_types import DraftConflict, DraftVersion, StoredDraft, Why
from app.classroom.work.learners import id_of, size_of, update_learner

MOST_VERSIONS = 50  # of a cell
EXERCISE = "exercise_"  # the beginning of the name of an exercise's cell


def save_draft(
    connection: Connection,
    learner: str,
    *,
    lesson: str,
    cell: str,
    source: str | None,
    version: int,
    ran: bool,
    now_ms: int,
    limit_bytes: int,
) -> int:
    """Store the text of a cell, and return the number of its version.

    `source` is None if the text is the lesson's own. `version` is the version from which the text began, 0 for none. `ran` says whether the
    text was run. Raises DraftConflict, and TooMuchStored if the learner's texts would exceed `limit_bytes`.
    """
    draft = _find_draft(connection, learner, lesson, cell)
    changed = source != (draft.source if draft else None)
    if changed and draft and draft.version != version:
        raise DraftConflict(draft)
    if not changed and not ran:
        return draft.version if draft else 0
    added = size_of(source) - (size_of(draft.source) if draft else 0) if changed else 0
    exercise = cell.removeprefix(EXERCISE) if cell.startswith(EXERCISE) else None
    learner_id = update_learner(
        connection, learner, now_ms, lesson=lesson, exercise=exercise, added_bytes=added, limit_bytes=limit_bytes
    )  # fmt: skip
    earlier = _find_earlier(draft, source, ran, changed)
    if earlier:
        why, text = earlier
        added = add_version(connection, learner_id=learner_id, lesson=lesson, cell=cell, why=why, source=text, now_ms=now_ms)
        update_learner(connection, learner, now_ms, added_bytes=added, limit_bytes=limit_bytes)
    if not changed:
        return draft.version if draft else 0
    number = min(version + 1, LAST_ID)
    values = {"version": number, "source": source, "at_ms": now_ms}
    if draft:
        connection.execute(update(DraftRow).where(_is_draft(learner_id, lesson, cell)), values)
    else:
        connection.execute(insert(DraftRow), {"learner_id": learner_id, "lesson": lesson, "cell": cell, **values})
    return number


def add_version(connection: Connection, *, learner_id: int, lesson: str, cell: str, why: Why, source: str, now_ms: int) -> int:
    """Store an earlier text, unless it equals the newest earlier text. Delete the oldest ones beyond MOST_VERSIONS.

    Return by how many bytes the stored texts grow, for `update_learner`.
    """
    of_cell = _is_version(learner_id, lesson, cell)
    newest = connection.execute(
        select(DraftVersionRow.number, DraftVersionRow.source).where(of_cell).order_by(DraftVersionRow.number.desc()).limit(1)
    ).one_or_none()
    if newest and newest.source == source:
        return 0
    number = newest.number + 1 if newest else 1
    old = and_(of_cell, DraftVersionRow.number <= number - MOST_VERSIONS)
    removed = sum(size_of(text) for text in connection.execute(select(DraftVersionRow.source).where(old)).scalars())
    if removed:
        connection.execute(delete(DraftVersionRow).where(old))
    connection.execute(
        insert(DraftVersionRow).values(learner_id=learner_id, lesson=lesson, cell=cell, number=number, why=why, source=source, at_ms=now_ms)
    )
    return size_of(source) - removed


def read_draft(connection: Connection, learner: str, *, lesson: str, cell: str) -> tuple[StoredDraft | None, list[DraftVersion]]:
    """Return the stored text, and the earlier texts, newest first."""
    versions = connection.execute(
        select(DraftVersionRow.number, DraftVersionRow.why, DraftVersionRow.source, DraftVersionRow.at_ms)
        .where(_is_version(id_of(learner), lesson, cell))
        .order_by(DraftVersionRow.number.desc())
    )
    return _find_draft(connection, learner, lesson, cell), [DraftVersion(**row._asdict()) for row in versions]


def _find_draft(connection: Connection, learner: str, lesson: str, cell: str) -> StoredDraft | None:
    row = connection.execute(
        select(DraftRow.version, DraftRow.source, DraftRow.at_ms).where(_is_draft(id_of(learner), lesson, cell))
    ).one_or_none()
    return StoredDraft(**row._asdict()) if row else None


def _find_earlier(draft: StoredDraft | None, source: str | None, ran: bool, changed: bool) -> tuple[Why, str] | None:
    """Return the reason and the text if one must be stored as an earlier text, else None."""
    if ran and source is not None:
        return "run", source
    if changed and source is None and draft and draft.source is not None:
        return "replaced", draft.source
    return None


def _is_draft(learner_id: int | ScalarSelect[int], lesson: str, cell: str) -> ColumnElement[bool]:
    return and_(DraftRow.learner_id == learner_id, DraftRow.lesson == lesson, DraftRow.cell == cell)


def _is_version(learner_id: int | ScalarSelect[int], lesson: str, cell: str) -> ColumnElement[bool]:
    return and_(DraftVersionRow.learner_id == learner_id, DraftVersionRow.lesson == lesson, DraftVersionRow.cell == cell)
