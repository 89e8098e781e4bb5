"""Finds the checks and the mistakes in the source of an author's checks.py. Nothing is executed."""

import ast
from typing import NamedTuple


class Decorated(NamedTuple):
    """A function with the decorator @check or @mistake. `id` is its name with hyphens for underscores."""

    id: str
    line: int


class ChecksFile(NamedTuple):
    """The checks and the mistakes of a checks.py, each in the order of the file."""

    checks: tuple[Decorated, ...]
    mistakes: tuple[Decorated, ...]


def parse_checks(source: str) -> ChecksFile:
    """Return the checks and the mistakes of a checks.py. Raises SyntaxError."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return ChecksFile(_find(functions, "check"), _find(functions, "mistake"))


def _find(functions: list[ast.FunctionDef], name: str) -> tuple[Decorated, ...]:
    return tuple(
        Decorated(function.name.replace("_", "-"), function.lineno)
        for function in functions
        if any(_name(decorator) == name for decorator in function.decorator_list)
    )


def _name(decorator: ast.expr) -> str:
    """Return the name of a decorator, such as "check" for `@check`, `@check(reported=True)` or `@gradroom.check`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
