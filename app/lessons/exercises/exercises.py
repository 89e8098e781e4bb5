"""Loads the exercises of a lesson: exercise.toml, the programs, and the text in every language."""

from collections.abc import Sequence

import msgspec

from app.lessons.cells.cells import Given, check_replayed, pick_limits
from app.lessons.exercises.exercise_files import check_checks, check_folder, read_common
from app.lessons.exercises.exercise_text import ExerciseDraft, check_exercise_text, parse_exercise_text
from app.lessons.exercises.steps import check_steps
from app.lessons.exercises.task_promises import check_promises, check_sentences
from app.lessons.model.exercise import Exercise
from app.lessons.model.keys import EXERCISE_LENGTH, IDENTIFIER
from app.lessons.model.model import LANGS, Cell
from app.lessons.toml.exercise_file import ExerciseFile, TestExercise
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, load_each, read_table
from app.protocol.run import Lang


class ReadExercise(msgspec.Struct):
    """An exercise without texts. `texts` are its parsed texts, and `table` is its exercise.toml, for reports of further problems."""

    exercise: Exercise
    texts: dict[Lang, ExerciseDraft]
    table: Table


def exercise_ids(reader: Reader, lesson: str) -> list[str]:
    """Return the ids of a lesson's exercises: the folders in exercises/. Empty folders, which git leaves behind, do not count."""
    return sorted(path.name for path in (reader.folder / lesson / "exercises").glob("*/") if any(path.iterdir()))


def load_exercises(reader: Reader, given: Given, cells: Sequence[Cell]) -> dict[str, ReadExercise]:
    """Return the exercises that could be read, by id."""
    found: dict[str, ReadExercise] = {}
    common = read_common(reader, f"{given.path}/exercises/common.py")
    for name in exercise_ids(reader, given.path):
        folder = f"{given.path}/exercises/{name}"
        file = f"{folder}/exercise.toml"
        if not IDENTIFIER.fullmatch(name) or len(name) > EXERCISE_LENGTH:
            expected = f"small letters, digits and single hyphens, at most {EXERCISE_LENGTH}"
            reader.report(file, 1, f'"{name}" is not an id: expected {expected}')
            continue
        read: tuple[Table, ExerciseFile] | None = read_table(reader, file, f'what the exercise "{name}" is', ExerciseFile)  # type: ignore[arg-type]
        if read is not None:
            exercise = _load(*read, folder, given, cells, common)
            found[name] = ReadExercise(exercise, _load_texts(reader, folder, exercise), read[0])
    check_steps([(one.exercise, one.table) for one in found.values()])
    return found


def _load(table: Table, form: ExerciseFile, folder: str, given: Given, cells: Sequence[Cell], common: str) -> Exercise:
    """Return the exercise without its texts. `common` is the source of common.py."""
    reader, exercise_id = table.reader, folder.rpartition("/")[2]
    check_replayed(table, form.after, cells, given.runtime)
    test = form if isinstance(form, TestExercise) else None
    programs = _load_programs(reader, folder)
    source = "" if test else reader.read_source(f"{folder}/checks.py", "what decides whether it is solved") or ""
    exercise = Exercise(
        id=exercise_id,
        kind=form.__struct_config__.tag,  # type: ignore[arg-type]  # it is one of Kind: files.py has a type for each
        filename=exercise_id.replace("-", "_") + ".py",
        continues=form.continues,
        after=form.after,
        asks={**given.asks, **pick_limits(form)},
        starter=reader.read_source(f"{folder}/starter.py", "what the learner starts from") or "",
        solutions={"solution": reader.read_source(f"{folder}/solution.py", "the solution that is shown") or "", **programs["solutions"]},
        checks_source=common + source if source else "",
        common_lines=common.count("\n"),
        checks=() if isinstance(form, TestExercise) else load_each(table, "check", form.check, lambda _, check: check),
        mistakes=programs["mistakes"],
        promises=load_each(table, "promise", form.promise, lambda _, promise: promise),
        broken=programs["broken"],
        functions=form.functions,
        bans=form.bans,
        examines=test.examines if test else None,
        subject=test.subject if test else None,
        right=programs["right"],
        mutants=programs["mutants"],
    )
    check_folder(reader, folder, exercise)
    check_promises(table, folder, exercise)
    if not test:
        check_checks(table, f"{folder}/checks.py", source, exercise)
    return exercise


def _load_programs(reader: Reader, folder: str) -> dict[str, dict[str, str]]:
    """Return the programs in each folder, such as solutions/, by id: the file's name with hyphens for underscores."""
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
