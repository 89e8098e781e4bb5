"""Taking in what an archive holds, in one transaction. What is kept already stays: nothing is taken away, and nothing comes twice.

    cells, predictions    those that are not there; the first answer to a question stays
    attempts              those whose receipt is not there, marked as imported
    standings             what was reached on either side
    drafts                those that are not there; one that differs from the learner's own goes beside it, among the earlier texts
    earlier texts         those that are not there, while the cell has room for them

An imported attempt proves nothing: whoever has the file can have written it, verdict, receipt and all. That its receipt is one that this
server gave would not help, because a classmate's file has such receipts, too. It is there to look back on, and for the learner's own map.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, and_, func, insert, select, update

from app.classroom.archive_format import (
    Archive,
    ArchivedAttempt,
    ArchivedExercise,
    ArchivedLesson,
    ArchivedPrediction,
    ArchivedText,
    ArchivedVersion,
    ImportAnswer,
    ImportCounts,
)
from app.classroom.archive_reader import encoder, find_card, read_lesson, read_said, read_verdict
from app.classroom.drafts import MOST_VERSIONS, add_version
from app.classroom.kept import REACHED, Standing, TooMuchKept
from app.classroom.learners import find_learner, note_kept, set_reviews, size_of
from app.classroom.standings import NOTHING_DONE
from app.classroom.tables import AttemptRow, DoneCellRow, DraftRow, DraftVersionRow, PredictionRow, StandingRow, StoreTable
from app.classroom.times import to_ms
from app.classroom.work import MOST_PARTS

MOST_CHARACTERS = 1024 * 1024  # of a lesson's drafts, which are all in its page
MOST_DONE = 5000  # cells, or predictions, or exercises: a course of 45 lessons has some hundreds
RANKS: tuple[Standing, ...] = ("new", "tried", "shown", "passed")  # to have passed without the solution is more


def merge_archive(connection: Connection, *, learner: str, archive: Archive, now_ms: int, limit_bytes: int) -> ImportAnswer:
    """Takes an archive that was checked. Raises TooMuchKept, and nothing is taken."""
    known = find_learner(connection, learner)
    if known is None and not archive.lessons:
        return ImportAnswer(taken=ImportCounts(), already=ImportCounts())
    learner_id = note_kept(connection, learner, now_ms, lesson=archive.lesson if known is None else None)
    if known is None and not archive.reviews:
        set_reviews(connection, learner, False, now_ms)
    merge = Merge(connection, learner_id, now_ms)
    for path, raw in archive.lessons.items():
        merge.take_lesson(path, read_lesson(raw))
        merge.check_lesson(path)
    merge.check_course()
    note_kept(connection, learner, now_ms, added_bytes=merge.added_bytes, limit_bytes=limit_bytes)
    return merge.answer


class Merge:
    """What is taken for one learner. `added_bytes`: of texts."""

    def __init__(self, connection: Connection, learner_id: int, now_ms: int) -> None:
        self._connection, self._learner_id, self._now_ms = connection, learner_id, now_ms
        self._receipts = set(connection.execute(select(AttemptRow.receipt).where(AttemptRow.learner_id == learner_id)).scalars())
        self._rows: dict[type[StoreTable], list[dict[str, Any]]] = defaultdict(list)  # to be added, of one lesson
        self.answer = ImportAnswer(taken=ImportCounts(), already=ImportCounts())
        self.added_bytes = 0

    def take_lesson(self, path: str, lesson: ArchivedLesson) -> None:
        """Takes all of one lesson."""
        self._take_cells(path, lesson.cells)
        self._take_predictions(path, lesson.predictions)
        standings = {row.exercise: row for row in self._find(StandingRow, path)}
        for exercise, archived in lesson.exercises.items():
            attempts = self._take_attempts(path, exercise, archived.attempts)
            self._take_standing(path, exercise, archived, attempts, standings.get(exercise))
        texts = {row.cell: row.source for row in self._find(DraftRow, path)}
        versions = defaultdict(list)
        for row in self._find(DraftVersionRow, path):
            versions[row.cell].append(row)
        for cell, kept in lesson.drafts.items():
            beside = self._take_draft(path, cell, kept.draft, texts, {row.source for row in versions[cell]})
            self._take_versions(path, cell, [one for one in kept.versions if one.source != beside], versions[cell])
            if beside is not None:
                self._put_beside(path, cell, beside)
        self._add_rows()

    def check_lesson(self, path: str) -> None:
        """Raises TooMuchKept if the lesson's page would be long for everybody whom this server serves."""
        here = DraftRow.learner_id == self._learner_id, DraftRow.lesson == path
        size = select(func.count(), func.coalesce(func.sum(func.length(DraftRow.source)), 0)).select_from(DraftRow).where(*here)
        drafts, characters = self._connection.execute(size).one()
        if drafts > MOST_PARTS or characters > MOST_CHARACTERS:
            raise TooMuchKept

    def check_course(self) -> None:
        """The same for the map."""
        for table in (DoneCellRow, PredictionRow, StandingRow):
            found = select(func.count()).select_from(table).where(table.learner_id == self._learner_id)
            if self._connection.execute(found).scalar_one() > MOST_DONE:
                raise TooMuchKept

    def _find(self, table: type[StoreTable], path: str) -> Iterable[Row[Any]]:
        described = table.__table__
        return self._connection.execute(select(described).where(described.c.learner_id == self._learner_id, described.c.lesson == path))

    def _add(self, table: type[StoreTable], path: str, **values: object) -> None:
        self._rows[table].append({"learner_id": self._learner_id, "lesson": path, **values})

    def _add_rows(self) -> None:
        for table, rows in self._rows.items():
            self._connection.execute(insert(table), rows)
        self._rows.clear()

    def _past(self, at_ms: int) -> int:
        """A time of another server, whose clock may be ahead of ours."""
        return min(at_ms, self._now_ms)

    def _take_cells(self, path: str, cells: dict[str, int]) -> None:
        here = {row.cell for row in self._find(DoneCellRow, path)}
        for cell, at_ms in cells.items():
            if cell not in here:
                self._add(DoneCellRow, path, cell=cell, at_ms=self._past(at_ms))
        self.answer.taken.cells += len(cells.keys() - here)
        self.answer.already.cells += len(cells.keys() & here)

    def _take_predictions(self, path: str, predictions: dict[str, ArchivedPrediction]) -> None:
        here = {row.prediction for row in self._find(PredictionRow, path)}
        for name, archived in predictions.items():
            if name not in here:
                self._add(PredictionRow, path, prediction=name, **self._describe_prediction(archived))
        self.answer.taken.predictions += len(predictions.keys() - here)
        self.answer.already.predictions += len(predictions.keys() & here)

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

    def _take_attempts(self, path: str, exercise: str, attempts: list[ArchivedAttempt]) -> int:
        """How many were taken."""
        taken = 0
        for attempt in attempts:
            if attempt.receipt not in self._receipts:
                self._take_attempt(path, exercise, attempt)
                taken += 1
        self.answer.taken.attempts += taken
        self.answer.already.attempts += len(attempts) - taken
        return taken

    def _take_attempt(self, path: str, exercise: str, attempt: ArchivedAttempt) -> None:
        verdict = read_verdict(attempt.verdict)
        text = encoder.encode(verdict).decode()
        self._receipts.add(attempt.receipt)
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

    def _take_standing(self, path: str, exercise: str, archived: ArchivedExercise, attempts: int, here: Row[Any] | None) -> None:
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
            row = StandingRow.learner_id == self._learner_id, StandingRow.lesson == path, StandingRow.exercise == exercise
            self._connection.execute(update(StandingRow).where(and_(*row)).values(new))
        else:
            self.answer.already.exercises += 1
            return
        self.answer.taken.exercises += 1

    def _first(self, *times_ms: int | None) -> int | None:
        return min((self._past(at_ms) for at_ms in times_ms if at_ms is not None), default=None)

    def _take_draft(self, path: str, cell: str, draft: ArchivedText | None, here: dict[str, str | None], earlier: set[str]) -> str | None:
        """The text that is to go beside the learner's own, if there is one."""
        if draft is None:
            return None
        if cell not in here:
            self.added_bytes += size_of(draft.source)
            self._add(DraftRow, path, cell=cell, version=draft.version, source=draft.source, at_ms=self._past(draft.at_ms))
            self.answer.taken.drafts += 1
            return None
        if draft.source in (None, here[cell]) or draft.source in earlier:
            self.answer.already.drafts += 1
            return None
        return draft.source

    def _take_versions(self, path: str, cell: str, versions: list[ArchivedVersion], here: list[Row[Any]]) -> None:
        """Keeps earlier texts: as they are where there are none, else those that are lacking, while there is room."""
        texts = {row.source for row in here}
        lacking = [version for version in versions if version.source not in texts] if here else versions
        room = MOST_VERSIONS - len(here)
        taken = lacking[-room:] if room > 0 else []
        number = max(row.number for row in here) + 1 if here else taken[0].number if taken else 0
        for place, version in enumerate(taken):
            self.added_bytes += size_of(version.source)
            values = {"why": version.why, "source": version.source, "at_ms": self._past(version.at_ms)}
            self._add(DraftVersionRow, path, cell=cell, number=number + place, **values)
        self.answer.taken.versions += len(taken)
        self.answer.already.versions += len(versions) - len(lacking)

    def _put_beside(self, path: str, cell: str, source: str) -> None:
        self._add_rows()  # the earlier texts, of which it is to be the newest
        add = partial(add_version, self._connection, learner_id=self._learner_id, lesson=path, cell=cell)
        self.added_bytes += add(why="imported", source=source, now_ms=self._now_ms)
        self.answer.beside += 1
