"""Loads one lesson's folder: lesson.toml, cells, exercises, and a text in every language. Checks that these parts agree."""

from collections.abc import Mapping, Sequence

import msgspec

from app.lessons.cells.cells import check_instruments, load_cells
from app.lessons.cells.recordings import load_recordings
from app.lessons.cells.tries import load_tries
from app.lessons.exercises.exercises import exercise_ids, load_exercises
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import LANGS, Lesson, LessonText
from app.lessons.model.prediction import PredictionText
from app.lessons.predictions.prediction_text import read_prediction
from app.lessons.predictions.predictions import load_predictions
from app.lessons.texts.images import load_images
from app.lessons.texts.placement import check_placement, check_sections, check_step_order
from app.lessons.texts.references import Links, References
from app.lessons.texts.text import Draft, finish_text, name_sections, parse_text
from app.lessons.toml.lesson_file import LessonFile
from app.lessons.toml.problem import Problem
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import read_table
from app.protocol.run import Lang


def load_lesson(reader: Reader, path: str, links: Links) -> tuple[Lesson | None, dict[Lang, Lesson]]:
    """Load the lesson `path` and report its problems. Return the lesson, and the lesson to serve in each language that has no problem.

    - The lesson is None if lesson.toml cannot be read. It may have problems, and may lack texts.
    - If the lesson has no problem, it is served in all languages. Otherwise the lesson to serve has only the words of its language.
    """
    chapter_id, _, lesson_id = path.partition("/")
    with reader.section() as problems:
        read = read_table(reader, f"{path}/lesson.toml", f'the lesson "{lesson_id}" that chapter.toml lists', LessonFile)
        if read is None:
            return None, {}
        table, form = read
        check_instruments(table, form.instruments, form.runtime)
        for index, required in enumerate(form.requires):
            if not links.knows(required):
                table.report(f"requires: {links.describe_unknown(required)}", "requires", index)
        cells = load_cells(table, path, form)
        images = load_images(reader, path)
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
            images=tuple(images.values()),
            recordings=load_recordings(reader.folder, path, cells)[0],
            texts={},
        )
        references = {lang: References(links, path, lang, images) for lang in LANGS}
        drafts = _load_texts(reader, lesson, references)
        exercises = load_exercises(reader, path, form, cells, references)
        lesson = _add_words(reader, lesson, drafts, exercises, references)
    if not problems:
        return lesson, dict.fromkeys(LANGS, lesson)
    whole = [lang for lang in drafts if all(_is_of_another(problem, lang) for problem in problems)]
    return lesson, {lang: select_language(lesson, lang) for lang in whole}


def select_language(lesson: Lesson, lang: Lang) -> Lesson:
    """Return the lesson with the words of one language only."""
    return msgspec.structs.replace(
        lesson,
        texts={lang: lesson.texts[lang]},
        predictions=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.predictions),
        exercises=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.exercises),
    )


def _is_of_another(problem: Problem, lang: Lang) -> bool:
    """Return whether a problem is in a text that is not in the language `lang`."""
    return problem.file.endswith(tuple(f"/{other}.md" for other in LANGS if other != lang))


def _load_texts(reader: Reader, lesson: Lesson, references: Mapping[Lang, References]) -> dict[Lang, Draft]:
    """Return the texts that begin with a title and a lede, by language. Report what they place wrongly."""
    drafts: dict[Lang, Draft] = {}
    for lang in LANGS:
        file = f"{lesson.path}/{lang}.md"
        report = reader.reporter(file)
        text = reader.read(file, f"the text in the language {lang}")
        draft = None if text is None else parse_text(text, lang, references[lang], report)
        if draft is None:
            continue
        drafts[lang] = draft
        check_placement(draft, lesson.cells, lesson.predictions, lesson.tries, exercise_ids(reader, lesson.path), report)
        if lang != "en" and "en" in drafts:
            check_sections(draft, drafts["en"], report)
    for found in sorted((reader.folder / lesson.path).glob("*.md")):
        if found.stem not in LANGS:
            reader.report(f"{lesson.path}/{found.name}", 1, f"the course is in {' and '.join(LANGS)}: expected no other text")
    return drafts


def _add_words(
    reader: Reader, lesson: Lesson, drafts: Mapping[Lang, Draft], exercises: Mapping[str, Exercise], references: Mapping[Lang, References]
) -> Lesson:
    """Return the lesson with its texts, with the words of its predictions, and with its exercises in the order of the text."""
    placed = dict.fromkeys(part.argument for draft in drafts.values() for part in draft.parts("exercise"))
    names: Sequence[str] = ()
    texts: dict[Lang, LessonText] = {}
    words: dict[Lang, dict[str, PredictionText]] = {}
    for lang, draft in drafts.items():
        report = reader.reporter(f"{lesson.path}/{lang}.md")
        check_step_order(draft, exercises, report)
        predicted = [(part, lesson.prediction(part.argument)) for part in draft.parts("predict")]
        words[lang] = {one.id: read_prediction(part, one, report) for part, one in predicted if one is not None}
        names = names or name_sections(draft.sections)  # those of the English text, which comes first, name the sections in all languages
        texts[lang] = msgspec.structs.replace(finish_text(draft, names), terms=tuple(references[lang].terms))
    return msgspec.structs.replace(
        lesson,
        texts=texts,
        predictions=tuple(
            msgspec.structs.replace(one, texts={lang: of_lang[one.id] for lang, of_lang in words.items() if one.id in of_lang})
            for one in lesson.predictions
        ),
        exercises=tuple(exercises[name] for name in placed if name in exercises),
    )
