"""The folders of a lesson's exercises: exercise.toml, its programs, and its words in every language."""

import re
from collections.abc import Sequence

import msgspec

from app.lessons.cells.cells import Given, check_replayed
from app.lessons.cells.lesson_limits import read_limits
from app.lessons.exercises.exercise_files import check_checks, check_folder, read_common
from app.lessons.exercises.exercise_text import ExerciseDraft, check_exercise_text, parse_exercise_text
from app.lessons.exercises.steps import check_steps
from app.lessons.exercises.task_promises import check_promises, check_sentences, read_promises
from app.lessons.model.exercise import KINDS, CheckFacts, Exercise
from app.lessons.model.model import LANGS, Cell
from app.lessons.toml.source import Reader
from app.lessons.toml.table import IDENTIFIER, Table, load_each
from app.protocol.run import Lang

NAME = re.compile(r"[A-Za-z_]\w*")
BANNED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*|\*\*|[@*/+-]")


class ReadExercise(msgspec.Struct):
    """An exercise without its words, and its words before they are finished."""

    exercise: Exercise
    texts: dict[Lang, ExerciseDraft]
    table: Table


def load_exercises(reader: Reader, given: Given, cells: Sequence[Cell]) -> dict[str, ReadExercise]:
    """Those of the folders in exercises/ that could be read, by id; problems go to `reader`."""
    found: dict[str, ReadExercise] = {}
    common = read_common(reader, f"{given.path}/exercises/common.py")
    for path in sorted((reader.folder / given.path / "exercises").glob("*/")):
        folder = f"{given.path}/exercises/{path.name}"
        if not IDENTIFIER.fullmatch(path.name):
            reader.report(f"{folder}/exercise.toml", 1, f'"{path.name}" is not an id: expected small letters, digits and single hyphens')
        elif any(path.iterdir()):
            table = _open(reader, folder, path.name)
            exercise = table and _load(table, folder, given, cells, common)
            if table and exercise:
                found[path.name] = ReadExercise(exercise, _load_texts(reader, folder, exercise), table)
    check_steps([(one.exercise, one.table) for one in found.values()])
    return found


def _open(reader: Reader, folder: str, exercise_id: str) -> Table | None:
    file = f"{folder}/exercise.toml"
    toml = reader.read_toml(file, f'what the exercise "{exercise_id}" is')
    return Table(reader, file, toml) if toml is not None else None


def _load(table: Table, folder: str, given: Given, cells: Sequence[Cell], common: str) -> Exercise | None:
    """`common` stands before checks.py."""
    reader, exercise_id = table.reader, folder.rpartition("/")[2]
    kind = table.one_of("kind", KINDS, required=True)
    continues = table.identifier("continues", "the id of an exercise", required=False)
    after = table.identifiers("after")
    check_replayed(table, after, cells, given.runtime)
    own = read_limits(table, ("deadline_seconds", "memory_bytes"))
    functions = _read_names(table, "functions", NAME, "the name of a class")
    bans = _read_names(table, "bans", BANNED, 'a dotted name, like "torch.exp", or an operator, like "**"')
    is_test = kind == "test"
    examines = table.text("examines", "the name of the check that the learner writes", required=True) if is_test else None
    subject = table.text("subject", "the name that right/*.py and mutants/*.py define", required=True) if is_test else None
    checks = () if is_test else _read_checks(table)
    promises = read_promises(table)
    table.finish()
    if kind is None:
        return None
    programs = _load_programs(reader, folder)
    source = "" if is_test else reader.read_source(f"{folder}/checks.py", "what decides whether it is solved") or ""
    exercise = Exercise(
        id=exercise_id,
        kind=kind,
        filename=exercise_id.replace("-", "_") + ".py",
        continues=continues,
        after=after,
        asks={**given.asks, **own},
        starter=reader.read_source(f"{folder}/starter.py", "what the learner starts from") or "",
        solutions={"solution": reader.read_source(f"{folder}/solution.py", "the solution that is shown") or "", **programs["solutions"]},
        checks_source=common + source if source else "",
        common_lines=common.count("\n"),
        checks=checks,
        mistakes=programs["mistakes"],
        promises=promises,
        broken=programs["broken"],
        functions=functions,
        bans=bans,
        examines=examines,
        subject=subject,
        right=programs["right"],
        mutants=programs["mutants"],
    )
    check_folder(reader, folder, exercise)
    check_promises(table, folder, exercise)
    if not is_test:
        check_checks(table, f"{folder}/checks.py", source, exercise)
    return exercise


def _read_names(table: Table, key: str, pattern: re.Pattern[str], expected: str) -> tuple[str, ...]:
    names = table.texts(key) or ()
    for index, name in enumerate(names):
        if not pattern.fullmatch(name):
            table.report(f'{key}: expected {expected}, got "{name}"', key, index)
    return names


def _read_checks(table: Table) -> tuple[CheckFacts, ...]:
    checks = load_each(table.tables("check"), _read_check, "checks")
    if "check" not in table.data:
        table.report("expected a table [[check]] for each check of checks.py, one or more")
    return checks


def _read_check(table: Table) -> CheckFacts | None:
    check_id = table.identifier("id")
    hidden = table.flag("hidden")
    table.finish()
    return None if check_id is None else CheckFacts(id=check_id, hidden=hidden)


def _load_programs(reader: Reader, folder: str) -> dict[str, dict[str, str]]:
    """The programs in each of the folders by their ids, which are the files' names with hyphens."""
    programs: dict[str, dict[str, str]] = {"solutions": {}, "mistakes": {}, "broken": {}, "right": {}, "mutants": {}}
    for name, sources in programs.items():
        for path in sorted((reader.folder / folder / name).glob("*.py")):
            sources[path.stem.replace("_", "-")] = reader.read_source(f"{folder}/{name}/{path.name}", "a program") or ""
    return programs


def _load_texts(reader: Reader, folder: str, exercise: Exercise) -> dict[Lang, ExerciseDraft]:
    texts: dict[Lang, ExerciseDraft] = {}
    for lang in LANGS:
        file = f"{folder}/{lang}.md"
        text = reader.read(file, f"the exercise's words in the language {lang}")
        if text is None:
            continue
        report = reader.reporter(file)
        draft = parse_exercise_text(text, lang, exercise.id, report)
        if draft is not None:
            check_exercise_text(draft, exercise, report)
            if lang == "en":
                check_sentences(draft.tokens, exercise.promises, report)
            texts[lang] = draft
    return texts
