"""The directives of a text, `:::{name} argument`: where each may stand, what it needs, and which tokens it becomes.

- A directive that only names something, such as a cell, becomes one token of the type `place`.
- A directive that is a part of the page, such as a prediction, becomes `part_open` and `part_close` around its content.
- A callout or an answer becomes HTML around its content.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from markdown_it.token import Token

from app.lessons.markdown import footnotes
from app.lessons.markdown.parser import CLOSE_DIRECTIVE, OPEN_DIRECTIVE, parse_line, walk
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang

Report = Callable[[int, str], None]
Document = Literal["lesson", "exercise"]
Form = Literal["place", "part", "callout", "answer"]

WRITTEN = re.compile(r"\{([^}]*)\}\s*(.*?)\s*")
CLOSING = re.compile(r"[ >]*:{3,}\s*")


class Directive(NamedTuple):
    """What a directive requires.

    - `inside` is the kind of text, or the name of the directive, directly in which it must stand; "" if it may stand anywhere.
    - `also` is another directive directly in which it may stand.
    - `argument` describes, for complaints, what must follow its name; "" if nothing must.
    """

    form: Form
    inside: str = ""
    argument: str = ""
    empty: str = ""  # why a directive of this name has no content
    also: str = ""


DIRECTIVES: dict[str, Directive] = {
    "cell": Directive("place", "lesson", "the cell's id", "its code is in cells/", also="columns"),
    "columns": Directive("part", "lesson"),
    "exercise": Directive("place", "lesson", "the exercise's id", "its text is in exercises/"),
    "predict": Directive("part", "lesson", "the prediction's id"),
    "wrong": Directive("part", "predict", "the wrong answer that it explains"),
    "why": Directive("part", "predict"),
    "try": Directive("part", "lesson", "the id of a [[try]]"),
    "rule": Directive("part", "lesson"),
    "hint": Directive("part", "exercise"),
    "mistake": Directive("part", "exercise", "the mistake's id"),
    "check": Directive("part", "exercise", "the check's id"),
    "mutant": Directive("part", "exercise", "the mutant's id"),
    "after": Directive("part", "exercise"),
    "answer": Directive("answer", argument="the words that open it"),
    "note": Directive("callout"),
    "tip": Directive("callout"),
    "caution": Directive("callout"),
}
CALLOUT_TITLES: dict[str, dict[Lang, str]] = {
    "note": {"en": "Note", "zh-Hans": "说明"},
    "tip": {"en": "Tip", "zh-Hans": "提示"},
    "caution": {"en": "Caution", "zh-Hans": "注意"},
}
# how a callout or an answer begins and ends, and of its title: the kind of token, the element and the element's attributes
FRAMES: dict[Form, tuple[str, str, str, str, dict[str, str | int | float]]] = {
    "callout": ('<div class="callout {name}" role="note">\n', "</div>\n", "paragraph", "p", {"class": "callout-title"}),
    "answer": ('<details class="answer">\n', "</details>\n", "summary", "summary", {}),
}
ARTICLES = {"cell": "a cell", "exercise": "an exercise"}


def open_directives(tokens: list[Token], lines: Sequence[str], lang: Lang, document: Document, report: Report) -> Iterator[Token]:
    """Return the block tokens of a text with its directives converted.

    A directive with a fault is reported and left out, but its content stays.
    """
    around: list[tuple[str, Token | None]] = []  # the open directives: their names, and the tokens that end them
    for line, token, block in walk(tokens):
        if token.type == OPEN_DIRECTIVE:
            parent = _parent(block, around, document)
            name, argument = _read(token)
            end = token.map[1] if token.map else len(lines)
            if token.info.strip() and (end >= len(lines) or not CLOSING.fullmatch(lines[end])):
                report(line, f"the directive {token.markup}{token.info} is not closed: expected {token.markup} on a line of its own")
            fault = _find_fault(token, parent, document, empty=not any(one.strip() for one in lines[line:end]))
            if fault:
                report(line, fault)
            opened = [] if fault else list(_convert(name, DIRECTIVES[name].form, argument, token, lang))
            close = None
            if opened and opened[0].nesting > 0:
                close = Token(opened[0].meta["close"], "", -1, meta={"html": opened[0].meta.get("end", "")}, block=True)
            # without a name it is a mistake: mostly the line was meant to close the surrounding directive, whose name it gets
            around.append((name or parent, close))
            yield from opened
        elif token.type == CLOSE_DIRECTIVE:
            _, close = around.pop()
            if close is not None:
                yield close
        elif token.block or token.type in footnotes.BLOCKS:
            yield token


def known_directives(document: Document) -> list[str]:
    """Return the names of the directives that a text of this kind may have."""
    rooms = {document, *(name for name, directive in DIRECTIVES.items() if directive.inside == document)}
    return [name for name, directive in DIRECTIVES.items() if not directive.inside or directive.inside in rooms]


def _read(token: Token) -> tuple[str, str]:
    """Return the name and the argument of a directive, "" in place of those that it lacks."""
    match = WRITTEN.fullmatch(token.info)
    return (match[1], match[2]) if match else ("", "")


def _parent(block: str, around: Sequence[tuple[str, Token | None]], document: Document) -> str:
    """Return what is around a directive: the kind of the text, or the name of another directive; "" for a list or a quotation."""
    if not block:
        return document
    return around[-1][0] if block == OPEN_DIRECTIVE.removesuffix("_open") else ""


def _find_fault(token: Token, parent: str, document: Document, *, empty: bool) -> str | None:
    name, argument = _read(token)
    directive = DIRECTIVES.get(name)
    if not token.info.strip():
        return f"this {token.markup} closes nothing: a directive that contains others has more colons than they have, {token.markup}:{{…}}"
    if not WRITTEN.fullmatch(token.info):
        return f"expected a directive after {token.markup}, like {token.markup}{{cell}} its-id"
    if directive is None:
        return f'unknown directive "{name}"{suggest(name, known_directives(document))}'
    if directive.inside and (not parent or parent not in (directive.inside, directive.also)):
        return _misplaced(name, directive)
    if directive.argument and not argument:
        return f"expected {directive.argument} after {{{name}}}"
    if directive.form == "part" and not directive.argument and argument:
        return f'expected nothing after {{{name}}}, got "{argument}"'
    if directive.empty and not empty:
        return f"expected nothing inside the {name} {argument}: {directive.empty}"
    if directive.form != "place" and empty:
        return f"expected words inside the directive {{{name}}}"
    return None


def _misplaced(name: str, directive: Directive) -> str:
    if directive.inside == "lesson":
        return f"{ARTICLES.get(name, f'{{{name}}}')} stands alone: not in a list, a quotation or a callout, and in a lesson's text"
    if directive.inside == "exercise":
        return f"{{{name}}} belongs in an exercise's text, and alone: not in a list, a quotation or a callout"
    return f"{{{name}}} belongs directly inside :::{{{directive.inside}}}, which has more colons: ::::{{{directive.inside}}}"


def _convert(name: str, form: Form, argument: str, token: Token, lang: Lang) -> Iterator[Token]:
    """Yield the tokens of a directive up to its content. The `meta` of the first one says which token ends the directive, if any does."""
    if form == "place":
        yield Token("place", "", 0, info=argument, map=token.map, meta={"directive": name}, block=True)
    elif form == "part":
        yield Token("part_open", "", 1, info=argument, map=token.map, meta={"directive": name, "close": "part_close"}, block=True)
    else:
        begin, end, title, tag, attributes = FRAMES[form]
        token.meta |= {"html": begin.format(name=name), "end": end, "close": CLOSE_DIRECTIVE}
        words = parse_line(argument or CALLOUT_TITLES[name][lang])
        words.map = token.map
        yield token
        yield Token(f"{title}_open", tag, 1, attrs=dict(attributes), map=token.map, block=True)
        yield words
        yield Token(f"{title}_close", tag, -1, block=True)
