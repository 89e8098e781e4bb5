"""Goes over a text's Markdown tokens once: completes what can be shown, finds what cannot, and lets no attribute through unseen.

A mistake is told with its line; the token is left in a form that is safe to render all the same.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from app.lessons.chinese import join_lines
from app.lessons.markdown import CLOSE_DIRECTIVE, MATHS, OPEN_DIRECTIVE, parse_line, parse_tokens
from app.lessons.maths import MathsError, render_maths
from app.lessons.problem import suggest
from app.protocol.run import Lang

MEANINGS = ("forward", "backward", "saved", "leaf", "missing")
CALLOUTS: dict[str, dict[Lang, str]] = {
    "note": {"en": "Note", "zh-Hans": "说明"},
    "tip": {"en": "Tip", "zh-Hans": "提示"},
    "caution": {"en": "Caution", "zh-Hans": "注意"},
}
DIRECTIVES = ("cell", *CALLOUTS)
DIRECTIVE = re.compile(r"\{([^}]*)\}\s*(.*?)\s*")
CLOSING = re.compile(r"[ >]*:{3,}\s*")
HTML_LIKE = re.compile(r"</?[A-Za-z][^<>]*>|<!--")
SPAN_LIKE = re.compile(r"\]\{[^{}]*\}")
ALIGN = re.compile(r"text-align:(left|right|center)")
KEPT_ATTRIBUTES = ("class", "href", "start", "title")

Report = Callable[[int, str], None]


class Placed(NamedTuple):
    """A token with its line; `parent` is "" at the top level, else the type of the block around it."""

    line: int
    token: Token
    parent: str


def parse_markup(text: str, lang: Lang, report: Report) -> list[Token]:
    """The tokens of `text`, complete and safe. A `cell` token (its id in `info`) stands for each placed cell."""
    tokens = list(_open_directives(parse_tokens(text), text.split("\n"), lang, report))
    for placed in walk(tokens):
        _check_token(placed, report)
        join_lines(placed.token.children or ())
    return tokens


def walk(tokens: list[Token]) -> Iterator[Placed]:
    """Every token, the inline ones too, in order."""
    line = 1
    parents: list[str] = []
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        if token.nesting < 0:
            parents.pop()
        parent = parents[-1] if parents else ""
        yield Placed(line, token, parent)
        within = line
        for child in token.children or ():
            yield Placed(within, child, parent)
            within += child.type in ("softbreak", "hardbreak") or child.content.count("\n")
        if token.nesting > 0:
            parents.append(token.type.removesuffix("_open"))


def _open_directives(tokens: list[Token], lines: list[str], lang: Lang, report: Report) -> Iterator[Token]:
    closings: list[bool] = []
    for placed in walk(tokens):
        token = placed.token
        if token.type == OPEN_DIRECTIVE:
            kept = list(_open_directive(placed, lines, lang, report))
            closings.append(bool(kept) and kept[0].type == OPEN_DIRECTIVE)
            yield from kept
        elif token.type == CLOSE_DIRECTIVE:
            if closings.pop():
                yield token
        elif token.block:
            yield token


def _open_directive(placed: Placed, lines: list[str], lang: Lang, report: Report) -> Iterator[Token]:
    token = placed.token
    match = DIRECTIVE.fullmatch(token.info)
    name, argument = match.groups() if match else ("", "")
    end = token.map[1] if token.map else len(lines)
    if end >= len(lines) or not CLOSING.fullmatch(lines[end]):
        report(placed.line, f"the directive {token.markup}{token.info} is not closed: expected {token.markup} on a line of its own")
    if match is None:
        report(placed.line, f"expected a directive after {token.markup}, like {token.markup}{{cell}} its-id")
    elif name not in DIRECTIVES:
        report(placed.line, f'unknown directive "{name}"{suggest(name, DIRECTIVES)}')
    elif name == "cell":
        yield from _place_cell(placed, argument, report, empty=not any(line.strip() for line in lines[placed.line : end]))
    else:
        token.meta["callout"] = name
        yield token
        yield from _title(argument or CALLOUTS[name][lang], token)


def _place_cell(placed: Placed, cell_id: str, report: Report, *, empty: bool) -> Iterator[Token]:
    if placed.parent:
        report(placed.line, "a cell stands alone: not in a list, a quotation or a callout")
    elif not cell_id:
        report(placed.line, "expected the cell's id after {cell}")
    elif not empty:
        report(placed.line, f"expected nothing inside of the cell {cell_id}: its code is in cells/")
    else:
        yield Token("cell", "", 0, info=cell_id, map=placed.token.map, block=True)


def _title(text: str, directive: Token) -> Iterator[Token]:
    yield Token("paragraph_open", "p", 1, attrs={"class": "callout-title"}, map=directive.map, block=True)
    line = parse_line(text)
    line.map = directive.map
    yield line
    yield Token("paragraph_close", "p", -1, block=True)


def _check_token(placed: Placed, report: Report) -> None:
    line, token, _ = placed
    if token.type in MATHS:
        _complete_maths(placed, report)
    elif token.type == "image":
        report(line, "pictures are not available")
        token.type, token.tag, token.children = "text", "", None
    elif token.type == "text":
        _check_words(placed, report)
    _check_attributes(placed, report)


def _complete_maths(placed: Placed, report: Report) -> None:
    line, token, _ = placed
    try:
        token.meta["html"] = render_maths(token.content, display=token.type != "math_inline")
    except MathsError as error:
        report(line, f"maths, {token.content.strip()}: {error}")
        token.meta["html"] = f"<code>{escapeHtml(token.content)}</code>"


def _check_words(placed: Placed, report: Report) -> None:
    if found := HTML_LIKE.search(placed.token.content):
        report(placed.line, f"{found[0]} would be shown as it stands: HTML is not available, and code stands in backticks")
    if found := SPAN_LIKE.search(placed.token.content):
        report(placed.line, f"{found[0]} gives no meaning: expected [words]{{.backward}}")


def _check_attributes(placed: Placed, report: Report) -> None:
    line, token, _ = placed
    for name in token.meta.get("insecure_attrs", ()):
        report(line, f'a span has a meaning and nothing else, got "{name}"')
    if token.tag in ("th", "td") and (match := ALIGN.fullmatch(str(token.attrs.get("style", "")))):
        token.attrs = {"class": f"align-{match[1]}"}
    elif token.type in ("span_open", "code_inline"):
        _check_meaning(placed, report)
    token.attrs = {name: value for name, value in token.attrs.items() if name in KEPT_ATTRIBUTES}


def _check_meaning(placed: Placed, report: Report) -> None:
    line, token, _ = placed
    meanings = str(token.attrs.get("class", "")).split()
    if token.type == "span_open" and not meanings:
        report(line, f"a span without a meaning: expected [words]{{.{'}, {.'.join(MEANINGS)}}}")
    for meaning in meanings:
        if meaning not in MEANINGS:
            report(line, f'unknown meaning "{meaning}"{suggest(meaning, MEANINGS)}')
            del token.attrs["class"]
            break
