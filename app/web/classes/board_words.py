"""Puts a board into words. Rows name lessons, exercises and failures by ids; the words for these are sent once."""

import re
from collections.abc import Iterable
from html import unescape

import msgspec

from app.classroom.classes.board.board_rows import BoardRow, read_board
from app.classroom.classes.board.clusters import Cluster, find_clusters
from app.classroom.classes.board.failures import RUNS, Failure, Failures
from app.classroom.classes.board.stuck_rule import StuckLimits
from app.classroom.classes.class_faults import NoClass
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms
from app.grading.submission_answer import CAUGHT, MUTANT, STANDARD
from app.grading.words import OUTCOME_WORDS
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.classes.board_feed import BoardChange

TAG = re.compile(r"<[^>]+>")
SENTENCE = re.compile(r"(.+?[.:;!?](?=\s|$)|.+?[。：；！？])")
MOST_CHARACTERS = 120
OUTCOMES = {
    "raised": mark("The program ends with an error"),
    "timed_out": mark("The program does not end in time"),
}


class BoardAnswer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A board, or what has changed in it. `at` is the server's time in milliseconds since 1970.

    - `rows` are new or changed rows, and `gone` are the ids of members who have left.
    - `clusters` and `limits` are null if they are as before.
    - `whole` says that this is the whole board and replaces an earlier one.
    - `words` maps lessons ("chapter/lesson"), exercises ("chapter/lesson/exercise") and failures ("chapter/lesson/exercise#key") to words.
      It has only words that were not sent before.
    """

    at: int
    rows: list[BoardRow]
    gone: list[int] = []
    clusters: list[Cluster] | None = None
    limits: StuckLimits | None = None
    whole: bool = False
    words: dict[str, str] = {}


async def read_answer(database: Database, failures: Failures, catalogue: Catalogue, class_id: int, lang: Lang) -> BoardAnswer:
    """Return the whole board of a class at this moment. The caller must have checked that the sender teaches it.

    Raises NoClass if the class no longer exists.
    """
    board = await database.read(read_board, class_id, failures, now_ms())
    if board is None:
        raise NoClass
    rows = list(board.rows.values())
    change = BoardChange(at_ms=board.at_ms, rows=rows, gone=[], clusters=find_clusters(rows), limits=board.limits, whole=True)
    return BoardWords(catalogue, lang).answer(change)


class BoardWords:
    """Turns the changes of one board into answers in one language. It remembers which words it has sent."""

    def __init__(self, catalogue: Catalogue, lang: Lang) -> None:
        self._catalogue, self._lang = catalogue, lang
        self._given: set[str] = set()

    def answer(self, change: BoardChange) -> BoardAnswer:
        words = {key: self._find(key) for key in self._list_keys(change.rows, change.clusters or []) if key not in self._given}
        self._given |= words.keys()
        return BoardAnswer(
            at=change.at_ms,
            rows=change.rows,
            gone=change.gone,
            clusters=change.clusters,
            limits=change.limits,
            whole=change.whole,
            words=words,
        )

    def _list_keys(self, rows: Iterable[BoardRow], clusters: Iterable[Cluster]) -> set[str]:
        keys: set[str] = set()
        named: list[BoardRow | Cluster] = [*rows, *clusters]
        for one in named:
            keys |= {one.lesson, f"{one.lesson}/{one.exercise}" if one.exercise else ""}
            if one.failure:
                keys.add(f"{one.lesson}/{one.exercise}#{one.failure.key}")
        return keys - {""}

    def _find(self, key: str) -> str:
        place, _, failure_key = key.partition("#")
        path, exercise_id = "/".join(place.split("/")[:2]), "/".join(place.split("/")[2:])
        lesson = self._catalogue.lesson(path)
        if not exercise_id:
            return lesson.texts[self._lang].title if lesson else path
        exercise = lesson.exercise(exercise_id) if lesson else None
        if not failure_key:
            return exercise.texts[self._lang].title if exercise else exercise_id
        kind, _, name = failure_key.partition(":")
        if kind == "mistake":
            return name_failure(exercise, Failure(mistake=name), self._lang)
        check, _, code = name.rpartition(":")
        return name_failure(exercise, Failure(check=check, code=code), self._lang)


def name_failure(exercise: Exercise | None, failure: Failure, lang: Lang) -> str:
    """Return a few words for what did not pass. A teacher also reads the ids of hidden checks."""
    words = translator(lang)
    text = exercise.texts[lang] if exercise else None
    if text and failure.mistake in text.mistakes:
        return first_sentence(text.mistakes[failure.mistake])
    if failure.check == RUNS:
        outcome = OUTCOMES.get(failure.code) or OUTCOME_WORDS.get(failure.code, STANDARD[RUNS])
        return words(outcome).partition(",")[0].partition("，")[0]
    if failure.check in STANDARD:
        return words(STANDARD[failure.check])
    if text and failure.check in text.checks:
        return text.checks[failure.check]
    if exercise and failure.check.removeprefix(MUTANT) in exercise.mutants:
        return words(CAUGHT).format(number=list(exercise.mutants).index(failure.check.removeprefix(MUTANT)) + 1)
    if exercise and any(one.id == failure.check for one in exercise.checks):
        return words("A hidden check: {check}").format(check=failure.check)
    return words("A check that the exercise no longer has")


def first_sentence(html: str) -> str:
    """Return the first sentence of a text in HTML, as plain text and shortened if it is long."""
    plain = " ".join(unescape(TAG.sub("", html)).split())
    found = SENTENCE.match(plain)
    sentence = (found[1] if found else plain).rstrip(".:;。：；")
    return sentence if len(sentence) <= MOST_CHARACTERS else f"{sentence[: MOST_CHARACTERS - 1].rstrip()}…"
