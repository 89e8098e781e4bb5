"""Extracts signatures and the first sentence from a docstring, as plain text."""

import inspect
import re
from typing import Any

SUMMARY_CHARACTERS = 200
SIGNATURES = 3
ROLE = re.compile(r":(?!math:)[\w:]+:`(?:[^`<]*<)?[~!]?([^`<>]+)>?`")
MATHS = re.compile(r":math:`([^`]*)`")
LINK = re.compile(r"`([^`<]+?)\s*<[^`>]*>`_+")
SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!vs)(?<!cf)[.:](?=\s|$)")
DIRECTIVE = re.compile(r"\.\. function::\s*")
CALLED = re.compile(r"[\w.]+\s*\(")
RESULT = re.compile(r"(?:[ \t]*\n?[ \t]*(->[^\n]*)(?:\n[ \t]+[^\n]+)*)?[ \t]*(?=\n|$)")
OPTIONAL = re.compile(r"\[(, ?[^\[\]]*)\]|(?<=\()\[([^\[\]]*)\]")
TYPE = re.compile(r"\(?[A-Z].*|bool|int|float|str|list|dict|tuple")
CALL_CHARACTERS = 600
HEADING = re.compile(r"^\S.*\n([=~\-^\"])\1{2,}$", re.MULTILINE)


def of(value: Any) -> str:
    """Return the docstring of an object; "" if only the object's type has one."""
    text = getattr(value, "__doc__", None)
    if not isinstance(text, str) or (not callable(value) and text == type(value).__doc__ and not is_descriptor(value)):
        return ""
    return inspect.cleandoc(text)


def is_descriptor(value: Any) -> bool:
    return hasattr(type(value), "__get__")


def find_signatures(text: str) -> tuple[str, ...]:
    """Return the first three signatures in a docstring, without the function's name.

    They stand in its first lines and in its `.. function::` directives.
    """
    lines, rest = split_calls(text)
    calls = lines + [call for place in DIRECTIVE.finditer(rest) for call in split_calls(rest[place.end() :])[0]]
    return tuple(dict.fromkeys(map(to_signature, calls)))[:SIGNATURES]


def split_calls(text: str) -> tuple[list[str], str]:
    """Return the calls with which a docstring begins, such as "sum(input) -> Tensor", and the text after them."""
    calls: list[str] = []
    while (name := CALLED.match(text)) and (end := closing(text, name.end())) and (result := RESULT.match(text, end)):
        calls.append(f"{text[name.end() - 1 : end]} {result[1] or ''}")
        text = text[result.end() :].lstrip()
    return calls, text


def closing(text: str, start: int) -> int:
    """Return the position after the closing bracket whose opening bracket stands before `start`; 0 if there is none."""
    depth = 1
    for end, letter in enumerate(text[start : start + CALL_CHARACTERS], start + 1):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth:
            return end
    return 0


def to_signature(call: str) -> str:
    """Return a call on one line, without brackets around optional arguments. A result that is not a type is left out."""
    text = " ".join(call.split()).replace("\\", "").replace("( ", "(")
    while (plain := OPTIONAL.sub(r"\1\2", text)) != text:
        text = plain
    arguments, arrow, result = text.partition(" ->")
    result = result.strip().rstrip(".:")
    return f"{arguments} -> {result}" if arrow and TYPE.fullmatch(result) else arguments


def summarize(text: str | None) -> str:
    """Return the first sentence of a docstring as plain text, shortened if it is long; "" if a list of arguments comes first."""
    _, body = split_calls(inspect.cleandoc(text or ""))
    for paragraph in HEADING.sub("", body).split("\n\n"):
        plain = " ".join(to_plain(paragraph).split())
        if re.match(r"(Args|Arguments|Keyword [Aa]rg\w*|Parameters|Examples?):", plain):
            break
        if plain and not re.match(r"\.\. |:|>>>|-> ", plain):
            sentence = SENTENCE.split(plain, maxsplit=1)[0] + "."
            return sentence if len(sentence) <= SUMMARY_CHARACTERS else plain[: SUMMARY_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
    return ""


def to_plain(text: str) -> str:
    """Return reStructuredText without markup. A formula that needs TeX becomes an ellipsis."""
    text = MATHS.sub(lambda match: "…" if "\\" in match[1] else match[1].replace("{", "").replace("}", ""), text)
    text = LINK.sub(r"\1", ROLE.sub(r"\1", text))
    return re.sub(r"\*\*([^*]+)\*\*", r"\1", text).replace("`", "").replace("\\", "")
