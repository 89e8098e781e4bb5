"""Checks and completes the Markdown tokens of a text: reports what cannot be shown, and removes every attribute that is not allowed.

A formula that cannot be shown becomes code. Links and pictures are checked later, by `references.point`.
"""

import re
import unicodedata
from collections.abc import Sequence

from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from app.lessons.markdown.directives import Document, Report, open_directives
from app.lessons.markdown.footnotes import complete_footnotes, find_footnote_faults
from app.lessons.markdown.maths import MathsError, render_maths
from app.lessons.markdown.parser import MATHS, parse_tokens, walk
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang

MEANINGS = ("forward", "backward", "saved", "leaf", "missing")
MEANINGFUL = ("span_open", "code_inline")
HTML_LIKE = re.compile(r"</?[A-Za-z][^<>]*>|<!--")
SPAN_LIKE = re.compile(r"\]\{[^{}]*\}")
CLOSING = re.compile(r"""[.,;:!?)\]"'’”、，。；：！？）」》]+""")
NOTE_LIKE = re.compile(r"\[\^[^\]\s]+\]")
ALIGN = re.compile(r"text-align:(left|right|center)")
KEPT_ATTRIBUTES = ("class", "href", "src", "start", "title")
WIDE_PUNCTUATION = frozenset("“”‘’…—·")  # punctuation that is as wide as a Chinese character, although Unicode says otherwise


def parse_markup(text: str, lang: Lang, report: Report, document: Document = "lesson", prefix: str = "") -> list[Token]:
    """Return the checked tokens of `text`, with directives as the module `directives` describes. Problems are reported.

    The tokens are safe to render after `references.point`. `prefix` makes the ids of footnotes unique on the page.
    """
    lines = text.split("\n")
    env: dict[str, object] = {}
    tokens = list(open_directives(parse_tokens(text, env), lines, lang, document, report))
    for line, message in find_footnote_faults(env, lines):
        report(line, message)
    complete_footnotes(tokens, lang, prefix)
    for line, token, _ in walk(tokens):
        _check_token(line, token, report)
        _join_lines(token.children or ())
    for token in tokens:
        _keep_marks(token.children or [])
    return tokens


def _keep_marks(children: list[Token]) -> None:
    """Put a formula and the punctuation after it into one span. Browsers might otherwise break the line between the two."""
    for index in reversed(range(len(children) - 1)):
        formula, after = children[index : index + 2]
        if formula.type == "math_inline" and after.type == "text" and (marks := CLOSING.match(after.content)):
            opening = Token("span_open", "span", 1, attrs={"class": "whole"})
            children[index : index + 2] = [opening, formula, Token("text", "", 0, content=marks[0]), Token("span_close", "span", -1), after]
            after.content = after.content[marks.end() :]


def _check_token(line: int, token: Token, report: Report) -> None:
    if token.type in MATHS:
        _complete_maths(line, token, report)
    elif token.type == "image":
        _check_image(line, token, report)
    elif token.type == "text":
        _check_words(line, token, report)
    _check_attributes(line, token, report)


def _complete_maths(line: int, token: Token, report: Report) -> None:
    try:
        token.meta["html"] = render_maths(token.content, display=token.type != "math_inline")
    except MathsError as error:
        report(line, f"maths, {token.content.strip()}: {error}")
        token.meta["html"] = f"<code>{escapeHtml(token.content)}</code>"


def _check_image(line: int, token: Token, report: Report) -> None:
    if not token.content.strip():
        report(line, f"expected ![what it shows]({token.attrs.get('src')}): a picture has an alternative text")
    if "title" in token.attrs:
        report(line, "a picture has no title: say what it shows in its alternative text and in the words around it")


def _check_words(line: int, token: Token, report: Report) -> None:
    if found := HTML_LIKE.search(token.content):
        report(line, f"{found[0]} would be shown literally: HTML is not available, and code goes in backticks")
    if found := SPAN_LIKE.search(token.content):
        report(line, f"{found[0]} gives no meaning: expected [words]{{.backward}}")
    if found := NOTE_LIKE.search(token.content):
        report(line, f"there is no footnote {found[0]}: expected a line that begins with {found[0]}:")


def _check_attributes(line: int, token: Token, report: Report) -> None:
    if not token.attrs and not token.meta and token.type not in MEANINGFUL:
        return
    for name in token.meta.get("insecure_attrs", ()):
        report(line, f'a span has a meaning and nothing else, got "{name}"')
    if token.tag in ("th", "td") and (match := ALIGN.fullmatch(str(token.attrs.get("style", "")))):
        token.attrs = {"class": f"align-{match[1]}"}
    elif token.type in MEANINGFUL:
        _check_meaning(line, token, report)
    token.attrs = {name: value for name, value in token.attrs.items() if name in KEPT_ATTRIBUTES}


def _check_meaning(line: int, token: Token, report: Report) -> None:
    meanings = str(token.attrs.get("class", "")).split()
    if token.type == "span_open" and not meanings:
        report(line, f"a span without a meaning: expected [words]{{.{'}, {.'.join(MEANINGS)}}}")
    for meaning in meanings:
        if meaning not in MEANINGS:
            report(line, f'unknown meaning "{meaning}"{suggest(meaning, MEANINGS)}')
            del token.attrs["class"]
            break


def _join_lines(children: Sequence[Token]) -> None:
    """Mark a soft line break as `joined` if it stands between two Chinese characters. It is then not rendered as a space."""
    for index, child in enumerate(children):
        if child.type == "softbreak":
            before = next((other.content[-1] for other in reversed(children[:index]) if other.content), "")
            after = next((other.content[0] for other in children[index + 1 :] if other.content), "")
            child.meta["joined"] = _is_chinese(before) and _is_chinese(after)


def _is_chinese(character: str) -> bool:
    return character in WIDE_PUNCTUATION or (character != "" and unicodedata.east_asian_width(character) in ("W", "F"))
