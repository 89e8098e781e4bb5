"""Compiles a source and, separately, its trailing expression, whose value is shown. Runs in the child."""

import __future__

import ast
import io
import re
from types import CodeType

from app.runtimes.silence import ignored_warnings

TITLE_CHARACTERS = 80

# Taken before a learner can replace them.
_compile, _parse, _source_of = compile, ast.parse, ast.get_source_segment
# compile() refuses 0x10 (CO_NESTED), the flag of a feature that has long been mandatory.
_FUTURE_FLAGS = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names} - {0x10})


def compile_source(text: str, filename: str) -> tuple[CodeType, tuple[CodeType, ast.expr, str] | None]:
    """Return the code of a source without its trailing expression, and a tuple with that expression's code, syntax tree and text.

    The tuple is None if the source ends in a statement. As in Jupyter, it is also None if the source ends in a semicolon. Raises what
    `compile` raises.
    """
    if ends_in_statement(text):
        return _compile(text, filename, "exec", dont_inherit=True), None  # takes half the time of compiling a syntax tree
    tree = _parse(text, filename)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or ends_in_semicolon(text, last):
        return _compile(tree, filename, "exec", dont_inherit=True), None
    tree.body.pop()
    body = _compile(tree, filename, "exec", dont_inherit=True)
    flags = body.co_flags & _FUTURE_FLAGS
    expression = _compile(ast.Expression(last.value), filename, "eval", flags=flags, dont_inherit=True)
    return body, (expression, last.value, title_of(text, last))


def ends_in_statement(text: str) -> bool:
    """Return True if the last lines show that the source ends in a statement; False if it does not, or if that is unclear."""
    starts = [] if _UNCLEAR.search(text) else [match.start() for match in _LINE.finditer(text)]
    try:
        with ignored_warnings():  # compiling shows these warnings again
            body = _parse(text[starts[-1] :]).body if starts else []
    except Exception:
        return False
    return bool(body) and not isinstance(body[-1], ast.Expr)


# With these in a source, a string or statement may continue at the beginning of a line although the parser finds no open bracket.
_UNCLEAR = re.compile(r'\\|"""|\'\'\'|[^\S\n ]')
_LINE = re.compile(r"^[^\s#)\]}]", re.MULTILINE)


def ends_in_semicolon(text: str, node: ast.Expr) -> bool:
    lines = io.StringIO(text, newline=None).readlines()
    return lines[(node.end_lineno or 1) - 1].encode()[node.end_col_offset or 0 :].lstrip().startswith(b";")


def title_of(text: str, node: ast.Expr) -> str:
    """Return the expression as the learner typed it; an empty string if it is long or on several lines."""
    title = _source_of(text, node) or ""
    return title if len(title) <= TITLE_CHARACTERS and node.lineno == node.end_lineno else ""
