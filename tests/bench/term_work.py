"""Generates a term's work of a class: 45 lessons of the course with 60 exercises, and learners who submitted 20 times to each of these.

Programs have 0.8 to 1.5 kB and differ from attempt to attempt as edits do. Rows are written in the order of the term, lesson after lesson
and attempt after attempt of all learners, so that the rows of one learner are as far apart in the file as after a real term.
"""

import random
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import Engine, insert

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
from app.classroom.work.reviews import Review, review
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Course, ExercisePlace, Lesson
from app.protocol.grading import CheckResult, Message, Verdict
from app.web.storing.stored_predictions import hash_question, render_answer
from tests.own_course import load_own_course

LESSONS, EXERCISES, ATTEMPTS, VERSIONS = 45, 60, 20, 5
PAUSE_MS = 7_000_000  # between two rows of a learner
WORDS = ("grad", "out", "saved", "x", "exp", "twice", "sum", "ctx", "shape", "once", "input", "chain", "derivative", "double", "tensor")
Row = dict[str, Any]
Rows = Iterator[tuple[type[StoreTable], Row]]


def make_term_course() -> Catalogue:
    """Return the first lessons of the course, with further exercises."""
    course = load_own_course().course
    lessons = course.lessons[:LESSONS]
    missing = EXERCISES - sum(len(lesson.exercises) for lesson in lessons)
    grown = {lesson.path: repeat_exercise(lesson) if number < missing else lesson for number, lesson in enumerate(lessons)}
    chapters = [
        msgspec.structs.replace(chapter, lessons=tuple(grown[lesson.path] for lesson in chapter.lessons if lesson.path in grown))
        for chapter in course.chapters
    ]
    return Catalogue(Course(tuple(chapters)))


def repeat_exercise(lesson: Lesson) -> Lesson:
    """Return the lesson with its first exercise repeated."""
    again = msgspec.structs.replace(lesson.exercises[0], id=f"{lesson.exercises[0].id}-again")
    texts = {lang: msgspec.structs.replace(text, blocks=(*text.blocks, ExercisePlace(again.id))) for lang, text in lesson.texts.items()}
    return msgspec.structs.replace(lesson, exercises=(*lesson.exercises, again), texts=texts)


def fill_store(engine: Engine, course: Course, learners: Sequence[str]) -> float:
    """Write the term of these learners. Return the seconds that it took."""
    start = time.perf_counter()
    now_ms = int(time.time() * 1000)
    term = Term(course, len(learners), now_ms)
    with engine.begin() as connection:
        rows = [{"name": name, "made_ms": term.first_ms, "seen_ms": now_ms, "lesson": course.lessons[-1].path} for name in learners]
        connection.execute(insert(LearnerRow), [{"id": number, "bytes": 10_000_000, **row} for number, row in enumerate(rows, 1)])
    for lesson in course.lessons:
        with engine.begin() as connection:
            batches: dict[type[StoreTable], list[Row]] = {}
            for table, row in term.rows_of(lesson):
                batches.setdefault(table, []).append(row)
            for table, batch in batches.items():
                connection.execute(insert(table), batch)
    return time.perf_counter() - start


class Term:
    """The rows of all learners. The first learner has the id 1."""

    def __init__(self, course: Course, learners: int, now_ms: int) -> None:
        self._learners, self._now_ms = learners, now_ms
        self.first_ms = now_ms - 120 * 24 * 3600 * 1000
        self._random = random.Random(12)
        self._wrong = review(Review(), False, now_ms - 3 * 24 * 3600 * 1000)

    def rows_of(self, lesson: Lesson) -> Rows:
        """Return the rows of all learners in a lesson."""
        for exercise in lesson.exercises:
            programs = [vary(exercise.solution, self._random) for _ in range(ATTEMPTS)]
            verdicts = [self._verdict(exercise, number) for number in range(ATTEMPTS)]
            for number in range(ATTEMPTS):
                for learner in range(1, self._learners + 1):
                    source = f"# {learner}, {number}\n{programs[number]}"
                    yield AttemptRow, self._attempt(lesson, exercise, learner, number, source, verdicts[number])
        for learner in range(1, self._learners + 1):
            yield from self._others(lesson, {"learner_id": learner, "lesson": lesson.path})

    def _others(self, lesson: Lesson, place: Row) -> Rows:
        """Yield the rows of one learner in a lesson, except submissions."""
        at_ms = self._now_ms - PAUSE_MS
        for done in lesson.cells:
            yield DoneCellRow, {**place, "cell": done.id, "at_ms": at_ms}
        for number, cell in enumerate([*(cell.id for cell in lesson.cells[:3]), *(f"exercise_{one.id}" for one in lesson.exercises)]):
            text = vary(lesson.cells[number % len(lesson.cells)].source, self._random)
            yield DraftRow, {**place, "cell": cell, "version": 9, "source": text, "at_ms": at_ms}
            for version in range(1, VERSIONS + 1):
                yield (
                    DraftVersionRow,
                    {**place, "cell": cell, "number": version, "why": "run", "source": f"{text}# {version}\n", "at_ms": at_ms},
                )
        for prediction in lesson.predictions:
            right = self._random.random() < 0.6
            answer = render_answer(prediction.answer if right else None)
            card = {"card": None, "due_ms": None} if right else {"card": self._wrong.card, "due_ms": self._wrong.due_ms}
            first = {"first_answer": answer, "first_right": right, "first_ms": at_ms, "times": 1}
            last = {"last_answer": answer, "last_right": right, "last_ms": at_ms}
            yield PredictionRow, {**place, "prediction": prediction.id, "about": hash_question(lesson, prediction), **first, **last, **card}
        for exercise in lesson.exercises:
            standing = {"standing": "passed", "attempts": ATTEMPTS, "hints": 1, "passed_ms": at_ms, "shown_ms": None}
            yield StandingRow, {**place, "exercise": exercise.id, **standing}

    def _attempt(self, lesson: Lesson, exercise: Exercise, learner: int, number: int, source: str, verdict: Verdict) -> Row:
        digest = sha256(f"{lesson.path} {exercise.id} {source}".encode()).hexdigest()
        return {
            "learner_id": learner,
            "lesson": lesson.path,
            "exercise": exercise.id,
            "key": digest[:32],
            "receipt": "-".join(digest[place : place + 4].upper() for place in (0, 4, 8, 12)),
            "at_ms": self._now_ms - (ATTEMPTS - number) * PAUSE_MS,
            "source": source,
            "sha256": sha256(source.encode()).hexdigest(),
            "seed": number,
            "run_id": digest[:16],
            "passed": verdict.passed,
            "good": sum(check.passed for check in verdict.checks),
            "total": len(verdict.checks),
            "mistake": None,
            "verdict": msgspec.json.encode(verdict).decode(),
        }

    def _verdict(self, exercise: Exercise, number: int) -> Verdict:
        """Return a verdict. Late attempts pass."""
        passed = number >= ATTEMPTS - 3
        failed = Message(code="values", values={"function": "Cube", "got": "tensor([2., 4., 6.])", "expected": "tensor([3., 12., 27.])"})
        names = ["runs", "functions", *(check.id for check in exercise.checks)]
        checks = [
            CheckResult(id=name, passed=passed or place < 2, message=None if passed or place < 2 else failed)
            for place, name in enumerate(names)
        ]
        return Verdict(passed=passed, checks=checks)


def vary(source: str, chance: random.Random) -> str:
    """Return a program of 0.8 to 1.5 kB, with earlier attempts as comments."""
    size = chance.randint(800, 1500)
    lines = source.splitlines()
    while sum(map(len, lines)) + len(lines) < size:
        tried = " ".join(chance.choice(WORDS) for _ in range(chance.randint(3, 9)))
        lines.insert(chance.randrange(len(lines) + 1), f"        # {tried} = {chance.random():.6f}")
    return "\n".join(lines) + "\n"
