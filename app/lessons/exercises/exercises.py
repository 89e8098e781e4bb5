"""Loads the exercises of a lesson: exercise.toml, the programs, and the text in every language."""

from collections.abc import Mapping, Sequence

import msgspec

from app.lessons.cells.cells import check_after, pick_limits
from app.lessons.exercises.checks_file import check_checks, read_common
from app.lessons.exercises.exercise_files import check_folder, load_programs
from app.lessons.exercises.exercise_text import read_exercise_text
from app.lessons.exercises.steps import check_steps
from app.lessons.exercises.task_promises import check_promises
from app.lessons.model.exercise import Exercise, ExerciseText
from app.lessons.model.keys import EXERCISE_LENGTH, IDENTIFIER
from app.lessons.model.model import Cell
from app.lessons.texts.references import References
from app.lessons.toml.exercise_file import ExerciseFile, TestExercise
from app.lessons.toml.lesson_file import LessonFile
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, load_each, read_table
from app.protocol.run import Lang


def exercise_ids(reader: Reader, lesson: str) -> list[str]:
    """Return the ids of a lesson's exercises: the folders in exercises/. Empty folders, which git leaves behind, do not count."""
    return sorted(path.name for path in (reader.folder / lesson / "exercises").glob("*/") if any(path.iterdir()))


def load_exercises(
    reader: Reader, lesson: str, form: LessonFile, cells: Sequence[Cell], references: Mapping[Lang, References]
) -> dict[str, Exercise]:
    """Return the exercises that could be read, by id. `lesson` is the lesson's path, and `form` its lesson.toml."""
    found: dict[str, tuple[Exercise, Table]] = {}
    common = read_common(reader, f"{lesson}/exercises/common.py")
    for name in exercise_ids(reader, lesson):
        folder = f"{lesson}/exercises/{name}"
        file = f"{folder}/exercise.toml"
        if not IDENTIFIER.fullmatch(name) or len(name) > EXERCISE_LENGTH:
            expected = f"small letters, digits and single hyphens, at most {EXERCISE_LENGTH}"
            reader.report(file, 1, f'"{name}" is not an id: expected {expected}')
            continue
        read: tuple[Table, ExerciseFile] | None = read_table(reader, file, f'what the exercise "{name}" is', ExerciseFile)  # type: ignore[arg-type]
        if read is not None:
            exercise = _load(*read, folder, form, cells, common)
            texts = _load_texts(reader, folder, exercise, references)
            found[name] = msgspec.structs.replace(exercise, texts=texts), read[0]
    check_steps(list(found.values()))
    return {name: exercise for name, (exercise, _) in found.items()}


def _load(table: Table, form: ExerciseFile, folder: str, lesson: LessonFile, cells: Sequence[Cell], common: str) -> Exercise:
    """Return the exercise without its texts. `common` is the source of common.py."""
    reader, exercise_id = table.reader, folder.rpartition("/")[2]
    check_after(table, form.after, cells, lesson.runtime, "this exercise", {})
    test = form if isinstance(form, TestExercise) else None
    programs = load_programs(reader, folder)
    source = "" if test else reader.read_source(f"{folder}/checks.py", "what decides whether it is solved") or ""
    exercise = Exercise(
        id=exercise_id,
        kind=form.__struct_config__.tag,  # type: ignore[arg-type]  # it is one of Kind: exercise_file.py has a type for each
        filename=exercise_id.replace("-", "_") + ".py",
        continues=form.continues,
        after=form.after,
        asks={**pick_limits(lesson.limits), **pick_limits(form)},
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


def _load_texts(reader: Reader, folder: str, exercise: Exercise, references: Mapping[Lang, References]) -> dict[Lang, ExerciseText]:
    texts: dict[Lang, ExerciseText] = {}
    for lang, of_lang in references.items():
        file = f"{folder}/{lang}.md"
        source = reader.read(file, f"the exercise's words in the language {lang}")
        text = None if source is None else read_exercise_text(source, lang, exercise, of_lang, reader.reporter(file))
        if text is not None:
            texts[lang] = text
    return texts
