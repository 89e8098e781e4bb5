"""If an exercise of the course checks second derivatives, it checks them at the edges, too."""

import ast
from collections.abc import Iterator

from tests.own_course import load_own_course

SECOND = {"second", "third", "gradgradcheck"}


def calls_in_checks(source: str) -> Iterator[ast.Call]:
    """Yield the calls of methods within functions decorated with `check`."""
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef) and any(ast.unparse(one).startswith("check") for one in function.decorator_list):
            yield from (node for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))


def asks_second(source: str) -> bool:
    return any(ast.unparse(call.func).rpartition(".")[2] in SECOND for call in calls_in_checks(source))


def asks_second_at_edges(source: str) -> bool:
    return any(
        ast.unparse(call.func).endswith(".edges") and any(keyword.arg == "second" for keyword in call.keywords)
        for call in calls_in_checks(source)
    )


def test_what_asks_second_derivatives_asks_them_at_the_edges() -> None:
    exercises = [exercise for chapter in load_own_course().course.chapters for lesson in chapter.lessons for exercise in lesson.exercises]
    asking = [exercise for exercise in exercises if exercise.checks_source and asks_second(exercise.checks_source)]
    assert len(asking) > 10
    assert [exercise.id for exercise in asking if not asks_second_at_edges(exercise.checks_source)] == []
