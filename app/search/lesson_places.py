"""The places of a lesson: the lesson itself, its sections and its exercises."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from app.lessons.model.model import LANGS, CellPlace, Chapter, ExercisePlace, Lesson, PredictionPlace, Prose, RulePlace, TryPlace
from app.protocol.run import Lang
from app.search.place import FindablePlace, PlaceText

_HEADING = re.compile(r'<h([23]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
_AT_HEADING = re.compile(r'(?=<h[23] id=")')
_MATHS = re.compile(r"<math.*?</math>", re.DOTALL)
_BLOCK_END = re.compile(r"</(?:p|li|h[1-6]|pre|td|th|blockquote|dd)>")
_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"<code>([^<]*)</code>")
_NAME = re.compile(r"[^\W\d]\w{2,}")
_STOPS: dict[Lang, str] = {"en": ".", "zh-Hans": "。"}


class LessonSection(NamedTuple):
    """The text from a heading to the next one. `anchor` is "" for the text before the first heading.

    `hidden` are the pieces that the page covers until the learner has answered, because they have the answer.
    """

    anchor: str
    heading: str
    shown: list[str]
    hidden: list[str]


def list_lesson_places(chapter: Chapter, lesson: Lesson, introduced: tuple[str, ...]) -> Iterator[FindablePlace]:
    """Yield the places of a lesson. `introduced` are the names of the API that this lesson is the first to explain."""
    sections = {lang: _divide(lesson, lang) for lang in LANGS}
    code = "\n".join([*(cell.source for cell in lesson.cells), *_list_messages(lesson)])
    texts = {lang: _describe_lesson(chapter, lesson, lang, sections[lang]) for lang in LANGS}
    yield FindablePlace(kind="lesson", path=lesson.path, texts=texts, names=introduced, code=code)
    for by_lang in zip(*(sections[lang][1:] for lang in LANGS), strict=False):
        yield FindablePlace(
            kind="section",
            path=f"{lesson.path}#{by_lang[0].anchor}",
            texts={
                lang: PlaceText(
                    title=one.heading, where=_say_where(chapter, lesson, lang), text=" ".join(one.shown), hidden=" ".join(one.hidden)
                )
                for lang, one in zip(LANGS, by_lang, strict=True)
            },
        )
    for exercise in lesson.exercises:
        yield FindablePlace(
            kind="exercise",
            path=f"{lesson.path}#exercise-{exercise.id}",
            texts={
                lang: PlaceText(title=text.title, where=_say_where(chapter, lesson, lang), text=strip_html(text.html))
                for lang, text in exercise.texts.items()
            },
        )


def list_names(lesson: Lesson) -> list[str]:
    """Return the names, of at least three characters, that the English text has as code, in order."""
    text = lesson.texts["en"]
    html = f"{text.lede_html} {' '.join(piece for piece, _ in _list_pieces(lesson, 'en'))}"
    return [name for code in _CODE.findall(html) for name in _NAME.findall(unescape(code))]


def _describe_lesson(chapter: Chapter, lesson: Lesson, lang: Lang, sections: list[LessonSection]) -> PlaceText:
    text, ability = lesson.texts[lang], lesson.ability.get(lang, "").replace("`", "")
    return PlaceText(
        title=text.title,
        where=chapter.label(lang),
        term=lesson.term.get(lang, "").replace("`", ""),
        lead=f"{text.summary} {ability}{_STOPS[lang]}" if ability else text.summary,
        headings=" · ".join(section.heading for section in sections if section.heading),
        text=" ".join(text for section in sections for text in section.shown),
        hidden=" ".join(text for section in sections for text in section.hidden),
    )


def _say_where(chapter: Chapter, lesson: Lesson, lang: Lang) -> str:
    return f"{chapter.label(lang)} › {lesson.texts[lang].title}"


def _divide(lesson: Lesson, lang: Lang) -> list[LessonSection]:
    """Return the text before the first heading, and then each section."""
    sections = [LessonSection("", "", [], [])]
    for html, is_hidden in _list_pieces(lesson, lang):
        heading = _HEADING.match(html)
        if heading:
            sections.append(LessonSection(heading[2], strip_html(heading[3]), [], []))
        text = strip_html(html[heading.end() :] if heading else html)
        (sections[-1].hidden if is_hidden else sections[-1].shown).append(text)
    return sections


def _list_pieces(lesson: Lesson, lang: Lang) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, as HTML, and whether the page covers them. Answers of predictions are in no piece.

    A piece has a heading at most at its beginning.
    """
    asked = {prediction.cell_id for prediction in lesson.predictions}
    for before, block in pairwise([None, *lesson.texts[lang].blocks]):
        match block:
            case Prose():
                first, *others = _AT_HEADING.split(block.html)
                yield first, isinstance(before, CellPlace) and before.cell_id in asked
                yield from ((other, False) for other in others)
            case RulePlace():
                yield block.html, True
            case TryPlace():
                yield block.html, False
                yield block.outcome_html, True
            case PredictionPlace() if prediction := lesson.prediction(block.prediction_id):
                yield prediction.texts[lang].question, False
            case ExercisePlace() if exercise := lesson.exercise(block.exercise_id):
                yield exercise.texts[lang].title, False


def _list_messages(lesson: Lesson) -> Iterator[str]:
    """Yield the messages of errors that its cells and try-its show."""
    shown = [*((cell.raises, cell.shows) for cell in lesson.cells), *((one.raises, one.shows) for one in lesson.tries)]
    for raises, shows in shown:
        if shows and shows.message:
            yield f"{raises or ''} {shows.message}"


def strip_html(html: str) -> str:
    """Return the text without tags. An ellipsis replaces each formula, which makes no sense as a row of characters."""
    return " ".join(unescape(_TAG.sub("", _BLOCK_END.sub(" ", _MATHS.sub("…", html)))).split())
