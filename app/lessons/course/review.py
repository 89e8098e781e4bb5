"""Checks those rules of docs/authoring.md that need no run of a lesson. A lesson that breaks one is still served."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from app.lessons.cells.recordings import load_recordings
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson, RulePlace
from app.lessons.texts.text_blocks import TextBlock, read_blocks
from app.lessons.texts.translations import find_stale, find_structure_faults, text_folders
from app.lessons.texts.wording import find_wording_faults
from app.lessons.toml.problem import Problem
from app.lessons.toml.source import Reader
from app.protocol.limits import Limits, find_excess

BLANK = "____"
WORDS = (150, 350)  # how long the English text of a lesson may be
CHARACTERS = (250, 650)  # how long the Chinese text may be
HINTS = (2, 3)
MISTAKES = (1, 3)
SOLUTIONS = 3
MUTANTS = 2
FEW_WORDS = 3  # Latin words that a Chinese block may have: names of things


def find_unrun(folder: Path, lessons: Sequence[Lesson], limits: Limits, factor: float) -> list[Problem]:
    """Return all problems that can be found without a run. `limits` and `factor` are the server's."""
    return [
        *find_undeclared(lessons),
        *find_excessive(lessons, limits, factor),
        *find_review_problems(folder, lessons),
        *find_unrecorded(folder, lessons),
    ]


def find_undeclared(lessons: Iterable[Lesson]) -> list[Problem]:
    """Return a problem for each cell and try-it without a table [cell.shows] or [try.shows], which may be empty."""
    return [
        Problem(lesson.file, one.line, f"the {kind} {one.id}: expected a table [{kind}.shows] (it may be empty): {remedy}")
        for lesson in lessons
        for kind, remedy, listed in (
            ("cell", "run it in author mode and record it, or check with --record", lesson.cells),
            ("try", "check with --record", lesson.tries),
        )
        for one in listed
        if one.shows is None
    ]


def find_excessive(lessons: Iterable[Lesson], limits: Limits, factor: float) -> list[Problem]:
    """Return a problem for each limit that a cell or exercise sets above what this server grants."""
    asked: list[tuple[str, int, str, Mapping[str, float]]] = []
    for lesson in lessons:
        asked += [(lesson.file, cell.line, f"the cell {cell.id}", cell.asks) for cell in lesson.cells]
        folder = f"{lesson.path}/exercises"
        asked += [(f"{folder}/{one.id}/exercise.toml", 1, f"the exercise {one.id}", one.asks) for one in lesson.exercises]
    return [
        Problem(file, line, f"{what}: {name}: expected at most {most:,}, which this server grants, got {asks[name]:,}")
        for file, line, what, asks in asked
        for name, most in find_excess(limits, asks, factor).items()
    ]


def find_unrecorded(folder: Path, lessons: Iterable[Lesson]) -> list[Problem]:
    """Return the problems of recorded results. Reads the files again, because recording may have changed them."""
    return [problem for lesson in lessons for problem in load_recordings(folder, lesson.path, lesson.cells)[1]]


def find_review_problems(folder: Path, lessons: Iterable[Lesson]) -> list[Problem]:
    """Return the broken rules of `lessons`, which were loaded from `folder`, as problems."""
    reader = Reader(folder)
    for lesson in lessons:
        for file, line, message in _review(reader, lesson):
            reader.report(file, line, message)
    return reader.problems


def _review(reader: Reader, lesson: Lesson) -> Iterator[tuple[str, int, str]]:
    yield from _review_parts(lesson)
    for exercise in lesson.exercises:
        yield from _review_exercise(f"{lesson.path}/exercises/{exercise.id}", exercise)
    for place in text_folders(reader.folder, lesson.path):
        yield from _review_texts(reader, place, is_lesson=place == lesson.path)


def _review_parts(lesson: Lesson) -> Iterator[tuple[str, int, str]]:
    file = lesson.file
    if not lesson.predictions:
        yield file, 1, "expected a prediction, a table [[prediction]]: a lesson opens with a question"
    if not lesson.exercises:
        yield file, 1, "expected an exercise, a folder in exercises/"
    for lang, text in lesson.texts.items():
        rules = sum(isinstance(block, RulePlace) for block in text.blocks)
        if rules != 1:
            yield f"{lesson.path}/{lang}.md", 1, f"expected one :::{{rule}}, the lesson's one sentence, got {rules}"


def _review_exercise(folder: str, exercise: Exercise) -> Iterator[tuple[str, int, str]]:
    file = f"{folder}/exercise.toml"
    if len(exercise.solutions) < SOLUTIONS:
        yield file, 1, f"expected solution.py and two others in solutions/, written differently, got {len(exercise.solutions)} in all"
    if exercise.kind == "test" and len(exercise.mutants) < MUTANTS:
        yield file, 1, f"expected {MUTANTS} mutants or more in mutants/, got {len(exercise.mutants)}"
    if exercise.kind != "test" and not MISTAKES[0] <= len(exercise.mistakes) <= MISTAKES[1]:
        yield file, 1, f"expected one to three programs in mistakes/, got {len(exercise.mistakes)}"
    for lang, text in exercise.texts.items():
        if not HINTS[0] <= len(text.hints) <= HINTS[1]:
            yield f"{folder}/{lang}.md", 1, f"expected two or three :::{{hint}}, got {len(text.hints)}"
    if exercise.kind == "blank":
        yield from _review_blanks(folder, exercise)


def _review_blanks(folder: str, exercise: Exercise) -> Iterator[tuple[str, int, str]]:
    starter, solution = exercise.starter.split("\n"), exercise.solution.split("\n")
    if BLANK not in exercise.starter:
        yield f"{folder}/starter.py", 1, f'kind "blank": expected one or more blanks, {BLANK}'
        return
    before = ".*" if exercise.continues else ""  # what precedes the starter is the program of the step before
    pattern = before + ".+?".join(re.escape(piece) for piece in exercise.starter.strip().split(BLANK))
    if re.fullmatch(pattern, exercise.solution.strip(), re.DOTALL):
        return
    differing = (at for at, (one, other) in enumerate(zip(starter, solution, strict=False), 1) if one != other and BLANK not in one)
    line = next(differing, min(len(starter), len(solution)))
    yield f"{folder}/solution.py", line, f"expected starter.py with something in place of each {BLANK}, and otherwise the same"


def _review_texts(reader: Reader, place: str, *, is_lesson: bool) -> Iterator[tuple[str, int, str]]:
    english, chinese = (read_blocks(reader.read(f"{place}/{lang}.md", "a text") or "") for lang in ("en", "zh-Hans"))
    file = f"{place}/zh-Hans.md"
    faults = list(find_structure_faults(english, chinese))
    yield from ((file, line, message) for line, message in faults)
    for block in chinese:
        if block.plain_words > FEW_WORDS and block.characters < block.plain_words:
            yield file, block.line, f"expected Chinese, got {block.characters} Chinese characters and {block.plain_words} Latin words"
    yield from ((file, block.line, message) for block in chinese for message in find_wording_faults(block.source))
    if not faults:
        yield from ((file, line, message) for line, message in find_stale(reader, place))
    if is_lesson:
        yield from _review_length(f"{place}/en.md", english, lambda block: block.words, WORDS, "English words")
        yield from _review_length(file, chinese, lambda block: block.characters, CHARACTERS, "Chinese characters")


def _review_length(
    file: str, blocks: Sequence[TextBlock], count: Callable[[TextBlock], int], budget: tuple[int, int], unit: str
) -> Iterator[tuple[str, int, str]]:
    """Yield a message if a text is too short or too long. Explanations of wrong answers and folded answers do not count."""
    length = sum(count(block) for block in blocks if not block.aside)
    least, most = budget
    if not least <= length <= most:
        yield file, 1, f"expected {least} to {most} {unit} outside {{wrong}} and {{answer}}, got {length}"
