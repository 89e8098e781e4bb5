"""Loads one lesson's folder: lesson.toml, cells, exercises, and a text in every language. Checks that these parts agree."""

from collections.abc import Mapping, Sequence

import msgspec

from app.lessons.cells.cells import Given, check_instruments, load_cells, pick_limits
from app.lessons.cells.recordings import load_recordings
from app.lessons.cells.tries import load_tries
from app.lessons.exercises.exercise_text import finish_exercise_text
from app.lessons.exercises.exercises import ReadExercise, exercise_ids, load_exercises
from app.lessons.exercises.steps import check_step_order
from app.lessons.markdown.directives import Report
from app.lessons.model.exercise import Exercise, ExerciseText
from app.lessons.model.model import LANGS, Image, Lesson, LessonText
from app.lessons.model.prediction import Prediction
from app.lessons.predictions.prediction_text import PredictionDraft, read_prediction, render_prediction
from app.lessons.predictions.predictions import load_predictions
from app.lessons.texts.images import load_images
from app.lessons.texts.links import Links
from app.lessons.texts.placement import check_placement, check_sections
from app.lessons.texts.resolving import make_resolver
from app.lessons.texts.text import Draft, finish_text, name_sections, parse_text
from app.lessons.toml.lesson_file import LessonFile
from app.lessons.toml.problem import Problem
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table, read_table
from app.protocol.run import Lang


class LessonDraft(msgspec.Struct, kw_only=True):
    """A lesson whose references are not resolved yet.

    `lesson` has no texts, exercises and pictures yet. `words` has the texts of predictions by language and id. `problems` are all that
    were found so far.
    """

    lesson: Lesson
    exercises: dict[str, ReadExercise]
    images: dict[str, Image]
    texts: dict[Lang, Draft]
    words: dict[Lang, dict[str, PredictionDraft]]
    table: Table
    problems: list[Problem]

    @property
    def section_names(self) -> tuple[str, ...] | None:
        """Return the names of the lesson's sections, which are made from the English headings. All languages use the same names."""
        return name_sections(self.texts["en"].sections) if "en" in self.texts else None


def load_lesson(reader: Reader, chapter_id: str, lesson_id: str) -> LessonDraft | None:
    """Return the lesson. If lesson.toml cannot be read, report why and return None."""
    path = f"{chapter_id}/{lesson_id}"
    with reader.section() as problems:
        read = read_table(reader, f"{path}/lesson.toml", f'the lesson "{lesson_id}" that chapter.toml lists', LessonFile)
        if read is None:
            return None
        table, form = read
        check_instruments(table, form.instruments, form.runtime)
        given = Given(path, pick_limits(form.limits), form.runtime, form.instruments)
        cells = load_cells(table, given, form.cell)
        lesson = Lesson(
            id=lesson_id,
            chapter_id=chapter_id,
            minutes=form.minutes,
            term=by_language(form.term),
            ability=by_language(form.ability),
            runtime=form.runtime,
            cells=cells,
            predictions=load_predictions(table, form.prediction, cells),
            tries=load_tries(table, form.tries, cells),
            requires=form.requires,
            recordings=load_recordings(reader.folder, path, cells)[0],
            texts={},
        )
        draft = LessonDraft(
            lesson=lesson,
            exercises=load_exercises(reader, given, cells),
            images=load_images(reader, path),
            texts={},
            words={},
            table=table,
            problems=problems,
        )
        _load_texts(reader, draft)
    return draft


def finish_lesson(reader: Reader, draft: LessonDraft, links: Links) -> dict[Lang, Lesson]:
    """Return the finished lesson for each language in which it has no problem.

    Without any problem, all languages map to the same lesson, which has all texts. Otherwise each lesson has only the words of its
    language.
    """
    names = draft.section_names or next((name_sections(text.sections) for text in draft.texts.values()), ())
    with reader.section() as problems:
        for index, path in enumerate(draft.lesson.requires):
            if not links.knows(path):
                draft.table.report(f"requires: {links.describe_unknown(path)}", "requires", index)
        texts = {lang: _finish_text(reader, draft, lang, names, links) for lang in draft.texts}
        exercises = {one: _finish_exercise(reader, draft, read, links, texts) for one, read in draft.exercises.items()}
    found = [*draft.problems, *problems]
    if not found:
        return dict.fromkeys(LANGS, _make_lesson(draft, LANGS, texts, exercises))
    whole = [lang for lang in texts if all(_is_of_another(problem, lang) for problem in found)]
    return {lang: _make_lesson(draft, (lang,), texts, exercises) for lang in whole}


def _is_of_another(problem: Problem, lang: Lang) -> bool:
    """Return whether a problem is in a text that is not in the language `lang`."""
    return problem.file.endswith(tuple(f"/{other}.md" for other in LANGS if other != lang))


def _make_lesson(draft: LessonDraft, langs: Sequence[Lang], texts: Mapping[Lang, LessonText], exercises: Mapping[str, Exercise]) -> Lesson:
    """Return the lesson with the words of `langs`. The lesson must have no problem in these languages."""
    predictions = tuple(
        msgspec.structs.replace(one, texts={lang: render_prediction(draft.words[lang][one.id]) for lang in langs})
        for one in draft.lesson.predictions
    )
    worded = {name: msgspec.structs.replace(one, texts={lang: one.texts[lang] for lang in langs}) for name, one in exercises.items()}
    return msgspec.structs.replace(
        draft.lesson,
        predictions=predictions,
        exercises=tuple(worded[part.argument] for part in draft.texts[langs[0]].parts("exercise")),
        images=tuple(draft.images.values()),
        texts={lang: texts[lang] for lang in langs},
    )


def _finish_text(reader: Reader, draft: LessonDraft, lang: Lang, names: Sequence[str], links: Links) -> LessonText:
    report = reader.reporter(f"{draft.lesson.path}/{lang}.md")
    resolve = make_resolver(links, draft.lesson.path, lang, draft.images, report)
    return finish_text(draft.texts[lang], names, resolve)


def _finish_exercise(reader: Reader, draft: LessonDraft, read: ReadExercise, links: Links, texts: dict[Lang, LessonText]) -> Exercise:
    """Return the exercise with its texts. Adds the glossary's terms in them to the terms of the lesson's `texts`."""
    finished: dict[Lang, ExerciseText] = {}
    folder = f"exercises/{read.exercise.id}"
    for lang, words in read.texts.items():
        report = reader.reporter(f"{draft.lesson.path}/{folder}/{lang}.md")
        resolve = make_resolver(links, draft.lesson.path, lang, draft.images, report, folder)
        finished[lang], terms = finish_exercise_text(words, resolve)
        if lang in texts:
            texts[lang] = msgspec.structs.replace(texts[lang], terms=tuple(dict.fromkeys([*texts[lang].terms, *terms])))
    return msgspec.structs.replace(read.exercise, texts=finished)


def _load_texts(reader: Reader, draft: LessonDraft) -> None:
    path = draft.lesson.path
    for lang in LANGS:
        file = f"{path}/{lang}.md"
        text = reader.read(file, f"the text in the language {lang}")
        if text is None:
            continue
        report = reader.reporter(file)
        parsed = parse_text(text, lang, report)
        if parsed is not None:
            draft.texts[lang] = parsed
            check_placement(parsed, draft.lesson.cells, draft.lesson.predictions, draft.lesson.tries, exercise_ids(reader, path), report)
            check_step_order(parsed, {name: read.exercise for name, read in draft.exercises.items()}, report)
            draft.words[lang] = _read_predictions(parsed, draft.lesson.predictions, report)
    for lang, parsed in draft.texts.items():
        if lang != "en" and "en" in draft.texts:
            check_sections(parsed, draft.texts["en"], reader.reporter(f"{path}/{lang}.md"))
    for found in sorted((reader.folder / path).glob("*.md")):
        if found.stem not in LANGS:
            reader.report(f"{path}/{found.name}", 1, f"the course is in {' and '.join(LANGS)}: expected no other text")


def _read_predictions(text: Draft, predictions: Sequence[Prediction], report: Report) -> dict[str, PredictionDraft]:
    by_id = {one.id: one for one in predictions}
    return {part.argument: read_prediction(part, by_id[part.argument], report) for part in text.parts("predict") if part.argument in by_id}
