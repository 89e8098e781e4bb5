"""Every message of the interface has a Chinese translation with the same values, and every translation is used."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.locale.messages import catalogue_path, load_entries, mark, translator
from app.settings import PROJECT
from tests.one_test import in_one_test

CALLS = ("_", "mark", "t", "translate", "words")
# A long message is written as several literals: side by side in a template, with a plus between them in a script.
IN_TEMPLATE = re.compile(r"""(?<![\w.])(?:_|fill|words)\(\s*((?:"[^"\n]*"\s*)+|'[^'\n]*')""")
IN_SCRIPT = re.compile(r"""(?<![\w.])(?:t|pieces)\(\s*("(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*)""")
LITERAL = re.compile(r"""'[^'\n]*'|"(?:[^"\\\n]|\\.)*\"""")
CODE = re.compile(r"`[^`]*`")
VALUE = re.compile(r"\{\w+\}")
QUOTED = re.compile(r'(?m)^(?:msgid )?("(?:[^"\\\n]|\\.)*")$')


def messages_of(path: Path) -> Iterator[str]:
    """The messages that a file translates."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        pattern = IN_SCRIPT if path.suffix == ".js" else IN_TEMPLATE
        for found in pattern.findall(text):
            yield "".join(ast.literal_eval(literal) for literal in LITERAL.findall(found))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args and translates(node.func):
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def translates(called: ast.expr) -> bool:
    """`translate(…)`, `mark(…)` and the like, `self._translate(…)`, or `translator(lang)(…)`."""
    if isinstance(called, ast.Call):
        return isinstance(called.func, ast.Name) and called.func.id == "translator"
    if isinstance(called, ast.Attribute):
        return called.attr == "_translate"
    return isinstance(called, ast.Name) and called.id in CALLS


@functools.cache
def all_messages() -> frozenset[str]:
    files = [*PROJECT.glob("app/**/*.py"), *PROJECT.glob("templates/**/*.html"), *PROJECT.glob("static/js/**/*.js")]
    return frozenset(message for file in files for message in messages_of(file))


def catalogue_faults(text: str) -> Iterator[str]:
    """Return what `msgfmt -c` refuses but Babel accepts: repeated messages, and messages with two translations."""
    seen: set[str] = set()
    for entry in re.split(r"(?m)^(?=msgid )", text)[1:]:
        msgid, *translations = re.split(r"(?m)^msgstr ", entry)
        message, *strings = ("".join(ast.literal_eval(string) for string in QUOTED.findall(part)) for part in (msgid, *translations))
        if message in seen:
            yield f"twice: {message}"
        seen.add(message)
        if len(strings) != 1:
            yield f"{len(strings)} translations: {message}"
        yield from (f"line breaks: {message}" for string in strings if message and string and ends(message) != ends(string))


def ends(text: str) -> tuple[bool, bool]:
    return text.startswith("\n"), text.endswith("\n")


def test_the_catalogue_is_one_that_gettext_accepts() -> None:
    assert list(catalogue_faults(catalogue_path("zh-Hans").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        ('msgid "Run"\nmsgstr "运行"\n\nmsgid "Run"\nmsgstr "执行"\n', "twice: Run"),
        ('msgid ""\n"Run"\nmsgstr "运行"\n\n# again\nmsgid "Run"\nmsgstr ""\n"运行"\n', "twice: Run"),
        ('msgid "Run"\nmsgstr "运行"\nmsgstr "执行"\n', "2 translations: Run"),
        ('msgid "Run"\n\nmsgid "Stop"\nmsgstr "停止"\n', "0 translations: Run"),
        ('msgid "Run\\n"\nmsgstr "运行"\n', "line breaks: Run\n"),
    ],
)
def test_what_gettext_refuses_is_found(catalogue: str, fault: str) -> None:
    assert list(catalogue_faults(catalogue)) == [fault]


def test_every_message_has_its_chinese() -> None:
    assert all_messages() - set(load_entries("zh-Hans")) == set()


def test_every_entry_is_used() -> None:
    assert set(load_entries("zh-Hans")) - all_messages() == set()


@in_one_test("message", sorted(load_entries("zh-Hans")))
def test_a_translation_has_the_same_values(message: str) -> None:
    assert set(VALUE.findall(load_entries("zh-Hans")[message])) == set(VALUE.findall(message))


def test_a_message_is_translated() -> None:
    assert translator("zh-Hans")("Course map") == "课程地图"


def test_english_and_unknown_messages_stay_as_they_are() -> None:
    assert translator("en")("Course map") == "Course map"
    assert translator("zh-Hans")("Never written") == mark("Never written")


def test_apostrophes_are_curly() -> None:
    assert [message for message in load_entries("zh-Hans") if "'" in CODE.sub("", message)] == []
