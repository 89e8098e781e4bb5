"""Checks that the functions in an author's checks.py agree with exercise.toml and mistakes/. Reads common.py, too. Executes nothing."""

import ast
from collections.abc import Mapping

from app.lessons.model.exercise import Exercise
from app.lessons.model.keys import IDENTIFIER_LENGTH
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table

Decorated = Mapping[str, int]  # the lines of functions by id: the function's name with hyphens for underscores


def read_common(reader: Reader, file: str) -> str:
    """Return the source of common.py, which precedes each checks.py of a lesson. Return "" if the lesson has none."""
    source = (reader.folder / file).exists() and reader.read_source(file, "what the checks have in common")
    for decorated in _find_decorated(reader, file, source or "").values():
        for one, line in decorated.items():
            reader.report(file, line, f'"{one}": checks and mistakes belong in the checks.py of their exercise')
    return f"{source}\n" if source else ""


def check_checks(table: Table, file: str, source: str, exercise: Exercise) -> None:
    """Report checks and mistakes that are only in checks.py, whose text is `source`, or only in exercise.toml or mistakes/."""
    found = _find_decorated(table.reader, file, source)
    if found and source:
        _compare_checks(table, file, exercise, found["check"])
        _compare_mistakes(table.reader, file, exercise, found["mistake"])


def _find_decorated(reader: Reader, file: str, source: str) -> dict[str, Decorated]:
    """Return the functions with the decorators @check and @mistake by the decorator's name. Nothing is executed.

    If the source is not Python, report that and return an empty dict.
    """
    try:
        body = ast.parse(source).body
    except SyntaxError as error:
        reader.report(file, error.lineno or 1, f"this is not Python: {error.msg}")
        return {}
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    return {
        name: {one.name.replace("_", "-"): one.lineno for one in functions if name in map(_name, one.decorator_list)}
        for name in ("check", "mistake")
    }


def _name(decorator: ast.expr) -> str:
    """Return the name of a decorator, such as "check" for `@check`, `@check(reported=True)` or `@gradroom.check`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _compare_checks(table: Table, file: str, exercise: Exercise, made: Decorated) -> None:
    declared = [check.id for check in exercise.checks]
    for one, line in made.items():
        if one not in declared:
            table.reader.report(file, line, f'the check "{one}" is not in exercise.toml: expected a [[check]] with this id')
    for index, one in enumerate(declared):
        if one not in made:
            message = f'there is no check "{one}" in checks.py: expected @check def {one.replace("-", "_")}(){suggest(one, made)}'
            table.report(message, "check", index, "id")
    if sorted(declared) == sorted(made) and declared != list(made):
        table.report(f"expected the checks in the order of checks.py: {', '.join(made)}", "check")


def _compare_mistakes(reader: Reader, file: str, exercise: Exercise, made: Decorated) -> None:
    for one, line in made.items():
        if len(one) > IDENTIFIER_LENGTH:
            reader.report(file, line, f'the mistake "{one}" has a long name: expected at most {IDENTIFIER_LENGTH} characters')
        if one not in exercise.mistakes:
            program = f"mistakes/{one.replace('-', '_')}.py"
            reader.report(file, line, f'the mistake "{one}" has no program that triggers it: expected {program}')
    for one in exercise.mistakes:
        if one not in made:
            name = one.replace("-", "_")
            program = file.removesuffix("checks.py") + f"mistakes/{name}.py"
            reader.report(program, 1, f"expected @mistake def {name}() in checks.py{suggest(one, made)}")
