"""Merges an archive into what is stored of a learner. Nothing that is stored is removed, and nothing is stored twice.

    cells, predictions    the missing ones are added; the first answer to a question stays
    attempts              those with a new receipt are added, marked as imported
    standings             the further of the two stays
    drafts                the missing ones are added; one that differs from the learner's own is added to the earlier texts
    earlier texts         the missing ones are added, while the cell has room for them

`plan_merge` first compares the whole archive with the bounds. Then the archive is merged in parts, each in one transaction. An interrupted
import has stored whole cells, predictions and attempts, and importing the same file again adds the rest.

An imported attempt proves nothing: whoever has the file can have written it, with its verdict and receipt. A receipt of this server would
prove nothing either, because a classmate's file has such receipts too. Attempts are imported so that the learner can look back on them.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, select, update

from app.classroom.archive.archive_format import (
    Archive,
    ArchivedAttempt,
    ArchivedDraft,
    ArchivedExercise,
    ArchivedLesson,
    ArchivedPrediction,
    ArchivedText,
    ArchivedVersion,
    ImportAnswer,
    ImportCounts,
)
from app.classroom.archive.archive_parts import ArchivePart, divide_lesson
from app.classroom.archive.archive_reader import encoder, find_card, read_lesson, read_said, read_verdict
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
from app.classroom.store.stored_work_types import REACHED, ExerciseStatus, TooMuchStored
from app.classroom.store.times import to_ms
from app.classroom.work.drafts import MOST_VERSIONS, add_version
from app.classroom.work.learners import ROW_BYTES, find_learner, set_reviews, size_of, update_learner
from app.classroom.work.reported_work import MOST_PARTS
from app.classroom.work.standings import NOTHING_DONE

MOST_CHARACTERS = 1024 * 1024  # of a lesson's drafts, all of which its page contains
MOST_DONE = 5000  # cells, or predictions, or exercises: a course of 45 lessons has some hundreds
LessonTable = DoneCellRow | PredictionRow | StandingRow | DraftRow | DraftVersionRow
NOBODY = 0  # an id that no learner has
RANKS: tuple[ExerciseStatus, ...] = ("new", "tried", "shown", "passed")  # passed without the solution counts more than with it


def plan_merge(connection: Connection, learner: str, *, archive: Archive, now_ms: int, limit_bytes: int) -> int:
    """Return how many bytes the import of a checked archive will add to the database. Nothing is written.

    Raises TooMuchStored if the learner would then have too much. Call this in a reading thread, because it takes as long as the import.
    """
    holdings = connection.execute(select(LearnerRow.id, LearnerRow.bytes).where(LearnerRow.name == learner)).one_or_none()
    plan = Merge(connection, holdings.id if holdings else NOBODY, now_ms, writes=False)
    for path, raw in archive.lessons.items():
        for part in divide_lesson(path, read_lesson(raw)):
            plan.merge(part)
        plan.check_lesson(path)
    plan.check_course()
    if plan.added_bytes and plan.added_bytes + (holdings.bytes if holdings else 0) > limit_bytes:
        raise TooMuchStored
    return plan.added_bytes + ROW_BYTES * plan.rows.total()


def begin_merge(connection: Connection, learner: str, *, archive: Archive, now_ms: int) -> None:
    """If nothing is stored of the learner, make the learner's row, with the archive's last lesson and its choice about reviews."""
    if find_learner(connection, learner) is None:
        update_learner(connection, learner, now_ms, lesson=archive.lesson)
        if not archive.reviews:
            set_reviews(connection, learner, False, now_ms)


def merge_part(connection: Connection, learner: str, *, part: ArchivePart, now_ms: int, limit_bytes: int) -> ImportAnswer:
    """Merge one part. Raises TooMuchStored, and stores nothing of the part, if other requests have stored too much since `plan_merge`."""
    merge = Merge(connection, update_learner(connection, learner, now_ms), now_ms)
    merge.merge(part)
    update_learner(connection, learner, now_ms, added_bytes=merge.added_bytes, limit_bytes=limit_bytes)
    return merge.answer()


def add_up(answers: Sequence[ImportAnswer]) -> ImportAnswer:
    """Return the sum of the answers for several parts."""

    def total(counts: Sequence[ImportCounts]) -> ImportCounts:
        return ImportCounts(**{name: sum(getattr(one, name) for one in counts) for name in ImportCounts.__struct_fields__})

    taken, already = total([one.taken for one in answers]), total([one.already for one in answers])
    return ImportAnswer(taken=taken, already=already, beside=sum(one.beside for one in answers))


class Merge:
    """The merge of an archive for one learner. If `writes` is false, nothing is written, but everything is counted.

    `added_bytes` is the size of added texts, counted as by `update_learner`. `rows` counts added rows by table.
    """

    def __init__(self, connection: Connection, learner_id: int, now_ms: int, *, writes: bool = True) -> None:
        self._connection, self._learner_id, self._now_ms, self._writes = connection, learner_id, now_ms, writes
        self._rows: dict[type[StoreTable], list[dict[str, Any]]] = defaultdict(list)  # to be added for one part
        self._lesson_drafts, self._lesson_characters = 0, 0  # added to the lesson, for `check_lesson`
        self._taken, self._already, self._beside = Counter[str](), Counter[str](), 0  # for `answer`
        self.added_bytes, self.rows = 0, Counter[type[StoreTable]]()

    def merge(self, part: ArchivePart) -> None:
        """Merge one part."""
        path, lesson = part.path, part.lesson
        for cell in self._find_missing("cells", DoneCellRow, "cell", path, lesson.cells):
            self._add(DoneCellRow, path, cell=cell, at_ms=self._past(lesson.cells[cell]))
        for name in self._find_missing("predictions", PredictionRow, "prediction", path, lesson.predictions):
            self._add(PredictionRow, path, prediction=name, **self._describe_prediction(lesson.predictions[name]))
        standings = {row.exercise: row for row in self._find(StandingRow, path)} if lesson.exercises else {}
        receipts = self._find_receipts(lesson)
        for exercise, archived in lesson.exercises.items():
            attempts = self._merge_attempts(path, exercise, archived.attempts, receipts)
            if exercise != part.continued:
                self._merge_standing(path, exercise, archived, attempts, standings.get(exercise))
            elif attempts and self._writes:
                self._update_standing(path, exercise, attempts=StandingRow.attempts + attempts)
        self._merge_drafts(path, lesson.drafts)
        self._add_rows()

    def answer(self) -> ImportAnswer:
        """Return what was added until now, and what was already stored."""
        return ImportAnswer(taken=ImportCounts(**self._taken), already=ImportCounts(**self._already), beside=self._beside)

    def check_lesson(self, path: str) -> None:
        """Raise TooMuchStored if the drafts of the lesson would make its page slow to serve."""
        size = select(func.count(), func.coalesce(func.sum(func.length(DraftRow.source)), 0)).where(self._is_of(DraftRow, path))
        drafts, characters = self._connection.execute(size).one()
        if drafts + self._lesson_drafts > MOST_PARTS or characters + self._lesson_characters > MOST_CHARACTERS:
            raise TooMuchStored
        self._lesson_drafts, self._lesson_characters = 0, 0

    def check_course(self) -> None:
        """Raise TooMuchStored if the course's map would be slow to serve."""
        for table in (DoneCellRow, PredictionRow, StandingRow):
            found = select(func.count()).select_from(table).where(table.learner_id == self._learner_id)
            if self._connection.execute(found).scalar_one() + self.rows[table] > MOST_DONE:
                raise TooMuchStored

    def _find_receipts(self, lesson: ArchivedLesson) -> set[str]:
        """Return which receipts of the lesson's attempts are already stored."""
        receipts = [attempt.receipt for exercise in lesson.exercises.values() for attempt in exercise.attempts]
        if not receipts:
            return set()
        of_attempts = AttemptRow.learner_id == self._learner_id, AttemptRow.receipt.in_(receipts)
        return set(self._connection.scalars(select(AttemptRow.receipt).where(*of_attempts)))

    def _find(self, table: type[LessonTable], path: str) -> Iterable[Row[Any]]:
        return self._connection.execute(select(table.__table__).where(self._is_of(table, path)))

    def _is_of(self, table: type[LessonTable], path: str) -> ColumnElement[bool]:
        return and_(table.learner_id == self._learner_id, table.lesson == path)

    def _add(self, table: type[StoreTable], path: str, **values: object) -> None:
        self._rows[table].append({"learner_id": self._learner_id, "lesson": path, **values})

    def _add_rows(self) -> None:
        for table, rows in self._rows.items():
            self.rows[table] += len(rows)
            if self._writes:
                self._connection.execute(insert(table), rows)
        self._rows.clear()

    def _past(self, at_ms: int) -> int:
        """Return `at_ms`, but no time later than now: another server's clock may be ahead of this one's."""
        return min(at_ms, self._now_ms)

    def _find_missing(self, kind: str, table: type[LessonTable], name: str, path: str, archived: Collection[str]) -> list[str]:
        """Return which cells or predictions of an archived lesson are not stored. They are counted as `kind`."""
        here = {row._mapping[name] for row in self._find(table, path)} if archived else set()
        missing = [one for one in archived if one not in here]
        self._taken[kind] += len(missing)
        self._already[kind] += len(archived) - len(missing)
        return missing

    def _describe_prediction(self, archived: ArchivedPrediction) -> dict[str, object]:
        card = find_card(archived.card)
        return {
            "about": archived.about,
            "first_answer": read_said(archived.first_answer),
            "first_right": archived.first_right,
            "first_ms": self._past(archived.first_ms),
            "last_answer": read_said(archived.last_answer),
            "last_right": archived.last_right,
            "last_ms": self._past(archived.last_ms),
            "times": archived.times,
            "card": card.to_json() if card else None,
            "due_ms": to_ms(card.due) if card else None,
        }

    def _merge_attempts(self, path: str, exercise: str, attempts: list[ArchivedAttempt], receipts: set[str]) -> int:
        """Add the attempts whose receipts are not in `receipts`, and add their receipts to it. Return how many attempts were added."""
        taken = 0
        for attempt in attempts:
            if attempt.receipt not in receipts:
                self._merge_attempt(path, exercise, attempt)
                receipts.add(attempt.receipt)
                taken += 1
        self._taken["attempts"] += taken
        self._already["attempts"] += len(attempts) - taken
        return taken

    def _merge_attempt(self, path: str, exercise: str, attempt: ArchivedAttempt) -> None:
        verdict = read_verdict(attempt.verdict)
        text = encoder.encode(verdict).decode()
        self.added_bytes += size_of(attempt.source, text)
        self._add(
            AttemptRow,
            path,
            exercise=exercise,
            receipt=attempt.receipt,
            at_ms=self._past(attempt.at_ms),
            source=attempt.source,
            sha256=attempt.sha256,
            seed=attempt.seed,
            run_id=attempt.run,
            passed=verdict.passed,
            good=attempt.good,
            total=attempt.total,
            mistake=verdict.mistake,
            verdict=text,
            imported=True,
        )

    def _merge_standing(self, path: str, exercise: str, archived: ArchivedExercise, attempts: int, here: Row[Any] | None) -> None:
        old: Mapping[str, Any] = here._asdict() if here else NOTHING_DONE
        new = {
            "standing": max(old["standing"], archived.standing, key=RANKS.index),
            "attempts": old["attempts"] + attempts,
            "hints": max(old["hints"], archived.hints),
            "passed_ms": self._first(old["passed_ms"], archived.passed_ms),
            "shown_ms": self._first(old["shown_ms"], archived.shown_ms),
        }
        if new["standing"] not in REACHED:
            new["passed_ms"] = None
        elif new["passed_ms"] is None:
            new["passed_ms"] = self._now_ms
        if here is None:
            self._add(StandingRow, path, exercise=exercise, **new)
        elif any(old[name] != value for name, value in new.items()):
            if self._writes:
                self._update_standing(path, exercise, **new)
        else:
            self._already["exercises"] += 1
            return
        self._taken["exercises"] += 1

    def _update_standing(self, path: str, exercise: str, **values: object) -> None:
        self._connection.execute(update(StandingRow).where(self._is_of(StandingRow, path), StandingRow.exercise == exercise).values(values))

    def _first(self, *times_ms: int | None) -> int | None:
        return min((self._past(at_ms) for at_ms in times_ms if at_ms is not None), default=None)

    def _merge_drafts(self, path: str, drafts: dict[str, ArchivedDraft]) -> None:
        if not drafts:
            return
        texts = {row.cell: row.source for row in self._find(DraftRow, path)}
        versions = self._find_versions(path, list(drafts))
        for cell, archived in drafts.items():
            beside = self._merge_draft(path, cell, archived.draft, texts, {row.source for row in versions[cell]})
            self._merge_versions(path, cell, [one for one in archived.versions if one.source != beside], versions[cell])
            if beside is not None:
                self._add_beside(path, cell, beside)

    def _find_versions(self, path: str, cells: list[str]) -> Mapping[str, list[Row[Any]]]:
        found = defaultdict(list)
        query = select(DraftVersionRow.__table__).where(self._is_of(DraftVersionRow, path), DraftVersionRow.cell.in_(cells))
        for row in self._connection.execute(query):
            found[row.cell].append(row)
        return found

    def _merge_draft(self, path: str, cell: str, draft: ArchivedText | None, here: dict[str, str | None], earlier: set[str]) -> str | None:
        """Add a draft if the cell has none.

        If the cell has a different text, return the draft's text, so that it is added to the earlier texts. Otherwise return None.
        """
        if draft is None:
            return None
        if cell not in here:
            self.added_bytes += size_of(draft.source)
            self._add(DraftRow, path, cell=cell, version=draft.version, source=draft.source, at_ms=self._past(draft.at_ms))
            self._taken["drafts"] += 1
            self._lesson_drafts += 1
            self._lesson_characters += len(draft.source or "")
            return None
        if draft.source in (None, here[cell]) or draft.source in earlier:
            self._already["drafts"] += 1
            return None
        return draft.source

    def _merge_versions(self, path: str, cell: str, versions: list[ArchivedVersion], here: list[Row[Any]]) -> None:
        """Add earlier texts, the newest ones if the cell has no room for all.

        If the cell has no earlier texts, they keep their numbers. Otherwise only the missing ones are added.
        """
        texts = {row.source for row in here}
        lacking = [version for version in versions if version.source not in texts] if here else versions
        room = MOST_VERSIONS - len(here)
        taken = lacking[-room:] if room > 0 else []
        number = max(row.number for row in here) + 1 if here else taken[0].number if taken else 0
        for place, version in enumerate(taken):
            self.added_bytes += size_of(version.source)
            self._add(
                DraftVersionRow,
                path,
                cell=cell,
                number=number + place,
                why=version.why,
                source=version.source,
                at_ms=self._past(version.at_ms),
            )
        self._taken["versions"] += len(taken)
        self._already["versions"] += len(versions) - len(lacking)

    def _add_beside(self, path: str, cell: str, source: str) -> None:
        self._beside += 1
        if not self._writes:
            self.added_bytes += size_of(source)
            return
        self._add_rows()  # the other earlier texts come before it
        self.added_bytes += add_version(
            self._connection, learner_id=self._learner_id, lesson=path, cell=cell, why="imported", source=source, now_ms=self._now_ms
        )
