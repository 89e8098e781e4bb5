"""Loads one lesson's folder: lesson.toml, cells, exercises, and a text in every language. Checks that these parts agree."""

from collections.abc import Mapping, Sequence

import msgspec

from app.lessons.cells.cells import check_instruments, load_cells, load_tries
from app.lessons.cells.recordings import load_recordings
from app.lessons.exercises.exercises import exercise_ids, load_exercises
from app.lessons.markdown.directives import Report
from app.lessons.markdown.parts import Part
from app.lessons.model.exercise import Exercise
from app.lessons.model.keys import by_language
from app.lessons.model.model import LANGS, Cell, Lesson, LessonText, TryIt
from app.lessons.model.prediction import Prediction, PredictionText
from app.lessons.predictions.predictions import load_predictions, read_prediction
from app.lessons.texts.images import load_images
from app.lessons.texts.references import Links, References
from app.lessons.texts.text import Draft, finish_text, name_sections, parse_text
from app.lessons.toml.lesson_file import LessonFile
from app.lessons.toml.source import Problem, Reader, suggest
from app.lessons.toml.table import read_table
from app.protocol.run import Lang


def load_lesson(reader: Reader, path: str, links: Links) -> tuple[Lesson | None, dict[Lang, Lesson]]:
    """Return the lesson `path` whatever its problems, and the lesson for each language in which it has none. Problems are reported.

    The first is None if lesson.toml cannot be read. Without any problem, all languages map to the same lesson, which has all texts.
    Otherwise each of these lessons has only the words of its language.
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
    """Return the texts that could be parsed."""
    drafts: dict[Lang, Draft] = {}
    for lang in LANGS:
        file = f"{lesson.path}/{lang}.md"
        report = reader.reporter(file)
        text = reader.read(file, f"the text in the language {lang}")
        draft = None if text is None else parse_text(text, lang, references[lang], report)
        if draft is None:
            continue
        drafts[lang] = draft
        _check_placement(draft, lesson.cells, lesson.predictions, lesson.tries, exercise_ids(reader, lesson.path), report)
        if lang != "en" and "en" in drafts:
            _check_sections(draft, drafts["en"], report)
    for found in sorted((reader.folder / lesson.path).glob("*.md")):
        if found.stem not in LANGS:
            reader.report(f"{lesson.path}/{found.name}", 1, f"the course is in {' and '.join(LANGS)}: expected no other text")
    return drafts


def _add_words(
    reader: Reader, lesson: Lesson, drafts: Mapping[Lang, Draft], exercises: Mapping[str, Exercise], references: Mapping[Lang, References]
) -> Lesson:
    """Return the lesson with its texts, and with its predictions and exercises in the order of the text."""
    placed = dict.fromkeys(part.argument for draft in drafts.values() for part in draft.parts("exercise"))
    names: Sequence[str] = ()
    texts: dict[Lang, LessonText] = {}
    words: dict[Lang, dict[str, PredictionText]] = {}
    for lang, draft in drafts.items():
        report = reader.reporter(f"{lesson.path}/{lang}.md")
        _check_step_order(draft, exercises, report)
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


def _check_placement(
    draft: Draft, cells: Sequence[Cell], predictions: Sequence[Prediction], tries: Sequence[TryIt], exercises: Sequence[str], report: Report
) -> None:
    """Report directives that are missing, unknown, repeated or out of order. Only exercises need not be in the order of lesson.toml."""
    _check_each("cell", "cell", draft.parts("cell"), [cell.id for cell in cells], "lesson.toml", report)
    _check_each("predict", "prediction", draft.parts("predict"), [one.id for one in predictions], "lesson.toml", report)
    _check_each("try", "try", draft.parts("try"), [one.id for one in tries], "lesson.toml", report)
    _check_each("exercise", "exercise", draft.parts("exercise"), exercises, "exercises/", report)
    _check_before(draft, predictions, report)


def _check_each(directive: str, noun: str, parts: Sequence[Part], declared: Sequence[str], where: str, report: Report) -> None:
    placed: list[str] = []
    for part in parts:
        one = part.argument
        if one not in declared:
            report(part.line, f'there is no {noun} "{one}" in {where}{suggest(one, declared)}')
        elif one in placed:
            report(part.line, f'the {noun} "{one}" is placed a second time')
        else:
            later = [other for other in placed if declared.index(other) > declared.index(one)]
            if later and where == "lesson.toml":
                report(part.line, f'expected the {noun} "{one}" before "{later[0]}", as in lesson.toml')
            placed.append(one)
    for one in declared:
        if one not in placed:
            report(1, f'the {noun} "{one}" is not placed: expected :::{{{directive}}} {one}')


def _check_before(draft: Draft, predictions: Sequence[Prediction], report: Report) -> None:
    cell_lines = {part.argument: part.line for part in draft.parts("cell")}
    cell_of = {one.id: one.cell_id for one in predictions}
    for part in draft.parts("predict"):
        cell = cell_of.get(part.argument, "")
        if cell in cell_lines and cell_lines[cell] < part.line:
            report(part.line, f'expected the prediction "{part.argument}" before its cell "{cell}" (line {cell_lines[cell]})')


def _check_sections(draft: Draft, english: Draft, report: Report) -> None:
    """Report the first heading whose level differs from the English text. If all levels agree, report a different number of headings."""
    for section, model in zip(draft.sections, english.sections, strict=False):
        if section.level != model.level:
            marks = ("#" * model.level, model.words, model.line, "#" * section.level)
            report(section.line, 'expected {} as for "{}" (en.md:{}), got {}'.format(*marks))
            return
    if len(draft.sections) != len(english.sections):
        line = draft.sections[-1].line if draft.sections else 1
        report(line, f"expected {len(english.sections)} headings as in en.md, got {len(draft.sections)}")


def _check_step_order(draft: Draft, exercises: Mapping[str, Exercise], report: Report) -> None:
    """Report a step that the text places before the exercise that the step continues."""
    lines = {part.argument: part.line for part in draft.parts("exercise")}
    for name, line in lines.items():
        before = exercises[name].continues if name in exercises else None
        if before in lines and lines[before] >= line:
            report(line, f'expected the exercise "{name}" after "{before}" (line {lines[before]}), from which it goes on')
