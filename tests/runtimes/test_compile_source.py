"""The reading of a source's last lines agrees with its syntax tree."""

import ast
import warnings

import pytest

from app.runtimes.compile_source import compile_source, ends_in_statement

STATEMENTS = [
    "x = 1",
    "x = 1\n\n# the end\n",
    "def f():\n    return 1\n",
    "@print\ndef f():\n    return 1\n",
    "y = f(\n    1,\n)",
    "x: int = 1",
    "import math",
    "from __future__ import annotations\nx: y = 1",
    "1; x = 2",
    "s = 'é #'",
]
OTHERS = [
    "",
    "# nothing",
    "x",
    "x = 1; x",
    "x;",
    "(\nx\n)",
    "[\nx\n]",
    "f(\nx = 1,\ny = 2)",
    "if a:\n    1\nelse:\n    x = 2",
    "try:\n    1\nfinally:\n    x = 2",
    '"""\nx = 1 # """',
    "'''\nx = 1 # '''",
    "1 + \\\nx",
    "'\\\nx = 1 # '",
    "x = 1\rx",
    "\x0cx = 1\x0cx",
    "x = 1\n\tx",
    "x = )",
    "x = '\0'",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_it_is_told_that_a_source_ends_in_a_statement(text: str) -> None:
    assert ends_in_statement(text)
    assert not isinstance(ast.parse(text).body[-1], ast.Expr)
    assert compile_source(text, "<source>")[1] is None


@pytest.mark.parametrize("text", OTHERS)
def test_nothing_is_told_of_others(text: str) -> None:
    assert not ends_in_statement(text)


@pytest.mark.parametrize(
    "text", ["x = )\ny = 1", "def f(:\n    pass\ny = 1", "x = 'a\ny = 1", "return\ny = 1", "if a:\ny = 1", "a b\ny = [\n1]"]
)
def test_an_error_is_what_python_says(text: str) -> None:
    with pytest.raises(SyntaxError) as plain:
        compile(text, "<source>", "exec", dont_inherit=True)
    with pytest.raises(SyntaxError) as ours:
        compile_source(text, "<source>")
    assert ours.value.args == plain.value.args


def test_a_warning_is_given_once() -> None:
    for text in ("x = 1 is 1", "y = 0\nx = 0in [0]"):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            compile_source(text, "<source>")
        assert len(given) == 1
