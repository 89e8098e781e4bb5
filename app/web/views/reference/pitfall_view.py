"""The data of the pages about pitfalls: one for each that has a name, and the list of all."""

import re
from collections.abc import Iterable

from markupsafe import Markup

from app.locale.messages import Translate, mark
from app.pitfalls.pitfall import About, Pitfall, Severity, Way
from app.pitfalls.pitfall_book import BETWEEN, show_value
from app.pitfalls.template import fill
from app.protocol.run import Lang
from app.web.views.lesson.cell_view import CellView
from app.web.views.lesson.highlight import render_lines
from app.web.views.reference.what_works import with_code

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


def list_pages(pitfalls: Iterable[Pitfall]) -> list[Pitfall]:
    """Return the pitfalls that have pages, sorted by what they are about and by their names in English."""
    order = list(GROUPS)
    return sorted((one for one in pitfalls if one.name), key=lambda one: (order.index(one.about), one.name["en"].casefold()))


def group_pages(pitfalls: Iterable[Pitfall], words: Translate) -> list[tuple[str, list[Pitfall]]]:
    """Return the pitfalls that have pages, under a heading for each thing that they are about."""
    pages = list_pages(pitfalls)
    groups = ((words(title), [one for one in pages if one.about == about]) for about, title in GROUPS.items())
    return [(title, some) for title, some in groups if some]


def explain_briefly(pitfall: Pitfall, lang: Lang) -> tuple[str, Markup]:
    """Return the message of a pitfall's error, "" if it raises none, and what to change; for an error also what it means.

    An ellipsis replaces what differs from program to program.
    """
    raised = next((f"{kind}: {message}" for kind, messages in find_raised(pitfall) for message in messages), "")
    message, change = pitfall.message[lang].strip(), pitfall.change.get(lang, "").strip()
    text = message + BETWEEN[lang] + change if raised else change or message
    return raised, with_code(fill(text, dict.fromkeys(pitfall.example, "…")).replace("….", "…"))


def find_raised(pitfall: Pitfall) -> list[tuple[str, tuple[str, ...]]]:
    """Return the errors that a pitfall causes: the type and the messages, which have an ellipsis where they differ from case to case."""
    return list(dict.fromkeys((when.type, tuple(pattern.shown for pattern in when.messages)) for when in pitfall.when))


def say_first(pitfall: Pitfall, lang: Lang) -> Markup:
    """Return the first sentence about a pitfall as HTML."""
    sentence = SENTENCE.match(pitfall.message[lang].strip())
    return fill_example(pitfall, sentence[0] if sentence else pitfall.message[lang])


def view_program(pitfall: Pitfall, name: str, number: int, source: str) -> CellView:
    """Return a program of the pitfall as a cell."""
    lines = render_lines(source.strip("\n"))
    return CellView(id=f"{pitfall.code}-{name}", number=number, filename=f"{name}.py", lines=lines, runtime=pitfall.runtime)


def fill_example(pitfall: Pitfall, text: str) -> Markup:
    """Return a text as HTML, with the values of the pitfall's smallest program."""
    values = {name: show_value(value) for name, value in pitfall.example.items()}
    return with_code(fill(text.strip(), values))
