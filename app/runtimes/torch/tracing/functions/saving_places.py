"""Places in the source of a Function's methods: where they save what backward needs, and their decorators. Runs in the child."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeGuard

from app.protocol.records.record import Span
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources

WRAPPERS = 16  # the most decorators of a method


class SavedExpression(NamedTuple):
    """An expression that is saved: its place and its text."""

    span: Span | None
    text: str


class SavingPlaces:
    """The places of one Function: the arguments of its save_for_backward by index, and what is assigned to attributes of ctx by name.

    A tensor that several branches of a method save has no place, because it is not known which branch ran. Of several calls of
    save_for_backward in a row the last counts.
    """

    def __init__(self, sources: Sources, function: Any) -> None:
        self._places: dict[int | str, SavedExpression] = {}
        for method in ("forward", "setup_context"):
            for filename, text, tree in method_trees(sources, function, method):
                self._read(sources, filename, text, tree)

    def _read(self, sources: Sources, filename: str, text: str, tree: ast.FunctionDef) -> None:
        calls = [node for node in ast.walk(tree) if is_saving(node)]
        in_a_row = [node for node in tree.body if isinstance(node, ast.Expr) and is_saving(node.value)]
        if len(calls) == 1 or (calls and len(calls) == len(in_a_row)):
            self._places.update(enumerate(place_of(sources, filename, text, argument) for argument in calls[-1].args))
        assigned: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
                for target in attributes_of(node):
                    self._places[target.attr] = place_of(sources, filename, text, node)
                    if target.attr in assigned:
                        del self._places[target.attr]
                    assigned.add(target.attr)

    def find(self, key: int | str) -> SavedExpression | None:
        """Return what was saved under `key`: an index, or an attribute as it is written after `ctx.`, such as `views[0]`."""
        return self._places.get(key if isinstance(key, int) else attribute_of(key))


def is_saving(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether the node is a call of save_for_backward."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "save_for_backward"


def attribute_of(key: str) -> str:
    return key.partition("[")[0]


def attributes_of(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[ast.Attribute]:
    """Yield the attributes that an assignment sets, such as both of `ctx.a, ctx.b = …`."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if isinstance(each, ast.Attribute):
                yield each


def method_trees(sources: Sources, function: Any, method: str) -> Iterator[tuple[str, str, ast.FunctionDef]]:
    """Yield the file, its text and the tree of a method of a Function, if a learner's cell defines it."""
    *_, innermost = unwrapped(getattr(function, method, None))
    code = getattr(innermost, "__code__", None)
    if code is None or code.co_filename not in sources:
        return
    text = dict(sources.texts())[code.co_filename]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and first_line(node) == code.co_firstlineno:
            yield code.co_filename, text, node


def unwrapped(method: Any) -> Iterator[Any]:
    """Yield a method and what its decorators wrap, the innermost last."""
    for _ in range(WRAPPERS):
        yield method
        if (method := getattr(method, "__wrapped__", None)) is None:
            return


def decorator_span(sources: Sources, function: Any, method: str, name: str) -> Span | None:
    """Return the place of the decorator `name` of a method, or of the method's `def` if the decorator is written under another name."""
    for filename, _, tree in method_trees(sources, function, method):
        for decorator in tree.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if name == (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")):
                return sources.span(filename, decorator.lineno, decorator.col_offset, decorator.end_lineno, decorator.end_col_offset)
        return sources.span(filename, tree.lineno, tree.col_offset, None, None)
    return None


def place_of(sources: Sources, filename: str, text: str, node: ast.expr | ast.stmt) -> SavedExpression:
    span = sources.span(filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    return SavedExpression(span, plain(ast.get_source_segment(text, node) or "", NAME_CHARACTERS))


def first_line(function: ast.FunctionDef) -> int:
    """Return the first line of a function, as its code object counts: that of the first decorator, if there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
