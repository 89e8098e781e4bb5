"""The source of a Function's methods and of the functions that they call, as syntax trees."""

import ast
import copy
import inspect
import types
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from torch.autograd import Function

from app.probes.calls.prepared_call import ReadSource
from app.probes.observation import FilePlace

METHODS = ("forward", "setup_context", "backward")


class SourcePart(NamedTuple):
    """A part of a Function: one of its methods, or a function that they call. `function` is without decorators.

    `owner`: the class if the part is a method; None if it is found by a global name. `tree`: belongs to this part alone. It may be changed
    if the changes are undone.
    """

    name: str
    owner: type[Function] | None
    function: Any
    tree: ast.FunctionDef


def find_parts(function: type[Function], read_source: ReadSource) -> list[SourcePart]:
    """Return the methods whose source is known, and the functions of the same source that they call, directly or through others.

    The first part is `backward`. The list is empty if the source of `backward` is not known.
    """
    found: dict[tuple[bool, str], SourcePart] = {}
    waiting = [(True, name) for name in reversed(METHODS)]
    while waiting:
        is_method, name = key = waiting.pop(0)
        if key in found:
            continue
        raw = method_of(function, name) if is_method else global_of(found.values(), name)
        if isinstance(raw, types.FunctionType) and (tree := tree_of(raw, read_source)) is not None:
            found[key] = SourcePart(name, function if is_method else None, raw, tree)
            waiting += called_by(tree)
    parts = list(found.values())
    return parts if parts and parts[0].name == "backward" else []


def method_of(function: type[Function], name: str) -> Any:
    """Return the function behind a static method, without its decorators."""
    raw = inspect.getattr_static(function, name, None)
    if not isinstance(raw, staticmethod) or raw is inspect.getattr_static(Function, name, None):
        return None
    return inspect.unwrap(raw.__func__)


def global_of(parts: Iterable[SourcePart], name: str) -> Any:
    return next((part.function.__globals__[name] for part in parts if name in part.function.__globals__), None)


def static_methods(function: type[Function]) -> dict[str, int]:
    """Return the other static methods of the class, with the numbers of their arguments."""
    found = {name: method_of(function, name) for name in vars(function) if name not in METHODS}
    return {name: raw.__code__.co_argcount for name, raw in found.items() if isinstance(raw, types.FunctionType)}


def tree_of(function: types.FunctionType, read_source: ReadSource) -> ast.FunctionDef | None:
    code = function.__code__
    text = read_source(code.co_filename)
    if text is None:
        return None
    for node in definitions(text):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        if node.name == code.co_name and first == code.co_firstlineno:
            own = copy.deepcopy(node)
            own.decorator_list = []
            return own
    return None


@lru_cache(maxsize=4)
def definitions(text: str) -> list[ast.FunctionDef]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def called_by(tree: ast.FunctionDef) -> Iterator[tuple[bool, str]]:
    """Yield the names in a tree that may be functions.

    True precedes an attribute, which may be a method of the class; False precedes a plain name.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Attribute():
                yield True, node.attr
            case ast.Name():
                yield False, node.id


def place_of(part: SourcePart, node: Any, statement: Any) -> FilePlace:
    at = node if hasattr(node, "lineno") else statement
    return FilePlace(part.function.__code__.co_filename, at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)
