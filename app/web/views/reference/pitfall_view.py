"""The data of the pages about pitfalls: one for each that has a name, and the list of all."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.lessons.course.catalogue import Catalogue
from app.locale.messages import Translate, mark
from app.pitfalls.pitfall import About, Pitfall, Severity, Way
from app.pitfalls.pitfall_book import BETWEEN, show_value
from app.pitfalls.template import fill
from app.protocol.run import Lang
from app.web.views.lesson.cell_view import CellView
from app.web.views.lesson.highlight import render_lines
from app.web.views.reference.what_works import RUNTIME_NAMES, with_code

GROUPS: dict[About, str] = {
    "function": mark("Functions of your own"),
    "torch": mark("Autograd and tensors"),
    "python": "Python",
    "here": mark("Only here"),
    "jax": "JAX",
    "tensorflow": "TensorFlow",
}
SEVERITIES: dict[Severity, str] = {"error": mark("error"), "warning": mark("warning"), "hint": mark("hint")}
WAYS: dict[Way, str] = {
    "message": mark("by the message of the error that is raised"),
    "syntax": mark("by reading the program, without running it"),
    "trace": mark("by watching what a run saves, records and sends backward"),
    "probe": mark("by calling the Function again with other inputs and other incoming gradients, and comparing"),
}
SENTENCE = re.compile(r".*?(?:。|[.?!](?=\s|$))", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class PitfallLine:
    """A pitfall in a list. `severity` is the word, `kind` its name in CSS. `first_html` is the first sentence about it."""

    code: str
    url: str
    name: str
    kind: Severity
    severity: str
    first_html: Markup


@dataclass(frozen=True, kw_only=True)
class PitfallGroup:
    """Pitfalls under a heading."""

    title: str
    pitfalls: tuple[PitfallLine, ...]


@dataclass(frozen=True, kw_only=True)
class RaisedView:
    """An error that the mistake causes: `messages` have an ellipsis where they differ from case to case."""

    type: str
    messages: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PitfallView:
    """A pitfall on its own page. `description` is plain text. `wrong` is its smallest program, `right` the corrected one, or None."""

    line: PitfallLine
    description: str
    framework: str
    message_html: Markup
    change_html: Markup
    wrong: CellView
    right: CellView | None
    raised: tuple[RaisedView, ...]
    lesson_title: str
    lesson_url: str
    consequences: tuple[PitfallLine, ...]
    causes: tuple[PitfallLine, ...]
    seen: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PitfallNote:
    """A pitfall in a few lines. `raised` is the message of its error, or empty if it raises none."""

    url: str
    name: str
    raised: str
    html: Markup


def list_pages(pitfalls: Iterable[Pitfall]) -> list[Pitfall]:
    """Return the pitfalls that have pages, sorted by what they are about and by their names in English."""
    order = list(GROUPS)
    return sorted((one for one in pitfalls if one.name), key=lambda one: (order.index(one.about), one.name["en"].casefold()))


def view_groups(pitfalls: Iterable[Pitfall], lang: Lang, words: Translate) -> tuple[PitfallGroup, ...]:
    """Return the pitfalls that have pages, in groups by what they are about."""
    pages = list_pages(pitfalls)
    groups = (
        PitfallGroup(title=words(title), pitfalls=view_lines((one for one in pages if one.about == about), lang, words))
        for about, title in GROUPS.items()
    )
    return tuple(group for group in groups if group.pitfalls)


def view_lines(pitfalls: Iterable[Pitfall], lang: Lang, words: Translate) -> tuple[PitfallLine, ...]:
    return tuple(_view_line(one, lang, words) for one in pitfalls)


def view_pitfall(pitfall: Pitfall, pitfalls: Mapping[str, Pitfall], catalogue: Catalogue, lang: Lang, words: Translate) -> PitfallView:
    """Return the view of a pitfall that has a page."""
    lesson = catalogue.lesson(pitfall.lesson) if pitfall.lesson else None
    pages = list_pages(pitfalls.values())
    return PitfallView(
        line=_view_line(pitfall, lang, words),
        description=" ".join(Markup(_render(pitfall, pitfall.message[lang])).striptags().split()),
        framework=RUNTIME_NAMES[pitfall.runtime],
        message_html=_render(pitfall, pitfall.message[lang]),
        change_html=_render(pitfall, pitfall.change.get(lang, "")),
        wrong=_view_program(pitfall, "wrong", 1, pitfall.wrong[0]),
        right=_view_program(pitfall, "right", 2, pitfall.right) if pitfall.right else None,
        raised=_view_raised(pitfall),
        lesson_title=lesson.texts[lang].title if lesson else "",
        lesson_url=f"/{lang}/{lesson.path}" if lesson else "",
        consequences=view_lines((one for one in pages if one.code in pitfall.explains), lang, words),
        causes=view_lines((one for one in pages if pitfall.code in one.explains), lang, words),
        seen=tuple(words(WAYS[way]) for way in pitfall.seen),
    )


def view_note(pitfall: Pitfall, lang: Lang) -> PitfallNote:
    """Return what to change, and for an error also what it means. An ellipsis replaces what differs from program to program."""
    raised = next((f"{one.type}: {message}" for one in _view_raised(pitfall) for message in one.messages), "")
    message, change = pitfall.message[lang].strip(), pitfall.change.get(lang, "").strip()
    text = message + BETWEEN[lang] + change if raised else change or message
    html = with_code(fill(text, dict.fromkeys(pitfall.example, "…")).replace("….", "…"))
    return PitfallNote(url=f"/{lang}/pitfalls/{pitfall.code}", name=pitfall.name[lang], raised=raised, html=html)


def _view_raised(pitfall: Pitfall) -> tuple[RaisedView, ...]:
    raised = (RaisedView(type=when.type, messages=tuple(pattern.shown for pattern in when.messages)) for when in pitfall.when)
    return tuple(dict.fromkeys(raised))


def _view_line(pitfall: Pitfall, lang: Lang, words: Translate) -> PitfallLine:
    sentence = SENTENCE.match(pitfall.message[lang].strip())
    return PitfallLine(
        code=pitfall.code,
        url=f"/{lang}/pitfalls/{pitfall.code}",
        name=pitfall.name[lang],
        kind=pitfall.severity,
        severity=words(SEVERITIES[pitfall.severity]),
        first_html=_render(pitfall, sentence[0] if sentence else pitfall.message[lang]),
    )


def _view_program(pitfall: Pitfall, name: str, number: int, source: str) -> CellView:
    """Return a program of the pitfall as a cell."""
    lines = render_lines(source.strip("\n"))
    return CellView(id=f"{pitfall.code}-{name}", number=number, filename=f"{name}.py", lines=lines, runtime=pitfall.runtime)


def _render(pitfall: Pitfall, text: str) -> Markup:
    """Return a text as HTML, with the values of its smallest program."""
    values = {name: show_value(value) for name, value in pitfall.example.items()}
    return with_code(fill(text.strip(), values))
