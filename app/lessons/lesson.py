"""One lesson's folder: lesson.toml, its cells, and a text in every language, checked against each other."""

from collections.abc import Sequence

import msgspec

from app.lessons.cells import load_cells
from app.lessons.lesson_limits import load_limits
from app.lessons.links import LinkError, Links
from app.lessons.model import LANGS, RUNTIMES, Cell, Lesson, LessonText
from app.lessons.problem import Problem, suggest
from app.lessons.source import Reader
from app.lessons.table import Table
from app.lessons.text import Draft, DraftLink, finish_text, name_sections, parse_text
from app.protocol.run import DEFAULT_RUNTIME, Lang, RuntimeName

MINUTES = 60


class LessonDraft(msgspec.Struct):
    """A lesson before its links are resolved; `problems` are those found so far."""

    chapter_id: str
    id: str
    minutes: int
    runtime: RuntimeName
    cells: tuple[Cell, ...]
    texts: dict[Lang, Draft]
    problems: list[Problem]

    @property
    def path(self) -> str:
        return f"{self.chapter_id}/{self.id}"

    @property
    def section_names(self) -> tuple[str, ...] | None:
        """Made of the English headings, in every language."""
        return name_sections(self.texts["en"].sections) if "en" in self.texts else None


def load_lesson(reader: Reader, chapter_id: str, lesson_id: str) -> LessonDraft | None:
    """None when there is no lesson.toml to begin with."""
    path = f"{chapter_id}/{lesson_id}"
    with reader.section() as problems:
        toml = reader.read_toml(f"{path}/lesson.toml", f'the lesson "{lesson_id}" that chapter.toml lists')
        if toml is None:
            return None
        table = Table(reader, f"{path}/lesson.toml", toml)
        minutes = table.whole("minutes", 1, MINUTES, required=True)
        runtime = table.one_of("runtime", RUNTIMES) or DEFAULT_RUNTIME
        cells = load_cells(reader, path, table.tables("cell"), load_limits(table), runtime)
        table.finish()
        texts = _load_texts(reader, path, cells)
    return LessonDraft(chapter_id, lesson_id, minutes or 0, runtime, cells, texts, problems)


def finish_lesson(reader: Reader, draft: LessonDraft, links: Links) -> Lesson | None:
    """None when anything is wrong with the lesson."""
    names = draft.section_names or ()
    with reader.section() as problems:
        texts = {lang: _finish_text(reader, draft, lang, names, links) for lang in draft.texts}
    if draft.problems or problems:
        return None
    return Lesson(id=draft.id, chapter_id=draft.chapter_id, minutes=draft.minutes, runtime=draft.runtime, cells=draft.cells, texts=texts)


def _finish_text(reader: Reader, draft: LessonDraft, lang: Lang, names: Sequence[str], links: Links) -> LessonText:
    def resolve(link: DraftLink) -> str | None:
        try:
            return links.resolve(str(link.token.attrs.get("href", "")), draft.path, lang)
        except LinkError as error:
            reader.report(f"{draft.path}/{lang}.md", link.line, str(error))
            return None

    return finish_text(draft.texts[lang], names, resolve)


def _load_texts(reader: Reader, path: str, cells: Sequence[Cell]) -> dict[Lang, Draft]:
    texts: dict[Lang, Draft] = {}
    for lang in LANGS:
        draft = _load_text(reader, f"{path}/{lang}.md", lang)
        if draft is not None:
            texts[lang] = draft
            _check_cells(reader, f"{path}/{lang}.md", draft, cells)
    for lang, draft in texts.items():
        if lang != "en" and "en" in texts:
            _check_sections(reader, f"{path}/{lang}.md", draft, texts["en"])
    for file in sorted((reader.folder / path).glob("*.md")):
        if file.stem not in LANGS:
            reader.report(f"{path}/{file.name}", 1, f"the course speaks {' and '.join(LANGS)}: expected no other text")
    return texts


def _load_text(reader: Reader, file: str, lang: Lang) -> Draft | None:
    text = reader.read(file, f"the text in the language {lang}")
    return None if text is None else parse_text(text, lang, lambda line, message: reader.report(file, line, message))


def _check_cells(reader: Reader, file: str, draft: Draft, cells: Sequence[Cell]) -> None:
    """Every cell of lesson.toml is placed once, in its order."""
    declared = [cell.id for cell in cells]
    placed: list[str] = []
    for line, cell_id in draft.cells:
        if cell_id not in declared:
            reader.report(file, line, f'there is no cell "{cell_id}" in lesson.toml{suggest(cell_id, declared)}')
        elif cell_id in placed:
            reader.report(file, line, f'the cell "{cell_id}" is placed a second time')
        else:
            later = [other for other in placed if declared.index(other) > declared.index(cell_id)]
            if later:
                reader.report(file, line, f'expected the cell "{cell_id}" before "{later[0]}", as in lesson.toml')
            placed.append(cell_id)
    for cell_id in declared:
        if cell_id not in placed:
            reader.report(file, 1, f'the cell "{cell_id}" is not placed: expected :::{{cell}} {cell_id}')


def _check_sections(reader: Reader, file: str, draft: Draft, english: Draft) -> None:
    """The headings of a translation are those of the English text, level by level."""
    for section, model in zip(draft.sections, english.sections, strict=False):
        if section.level != model.level:
            marks = ("#" * model.level, model.words, model.line, "#" * section.level)
            reader.report(file, section.line, 'expected {} as for "{}" (en.md:{}), got {}'.format(*marks))
            return
    if len(draft.sections) != len(english.sections):
        line = draft.sections[-1].line if draft.sections else 1
        reader.report(file, line, f"expected {len(english.sections)} headings as in en.md, got {len(draft.sections)}")
