"""Where a source uses a module as a value, so that no name says any more what it is. Runs in the grader's child.

What is called in `holder.module.name(x)` can be told only as long as modules are neither put into lists and objects nor given to functions.
"""

import ast
from collections.abc import Iterator

from app.runtimes.torch.grading.source_rules.source_tree import Names, assigned, bound_names, module_nodes
from app.runtimes.torch.grading.source_rules.torch_modules import is_listed


def find_module_uses(trees: list[ast.Module], names: Names) -> Iterator[tuple[ast.AST, str]]:
    """Each such expression, or import in the body of a class, and the name of the module."""
    in_classes = set(_class_bodies(trees))
    followed: set[ast.AST] = set()
    for tree in trees:
        for node in ast.walk(tree):
            for inner in _followed_in(node, node in in_classes):
                followed.update(_branches(inner))
    for tree in trees:
        for node in ast.walk(tree):
            for name in _modules_of(node, names, in_classes):
                if node not in followed and is_listed(name):
                    yield node, name


def _class_bodies(trees: list[ast.Module]) -> Iterator[ast.AST]:
    """What is executed when a class is made: names that are bound there are attributes."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield from module_nodes(node.body)


def _followed_in(node: ast.AST, in_class: bool) -> Iterator[ast.expr]:
    """Expressions in a node that may be modules: a name is taken from them, or stands for them from there on, or nothing comes of it."""
    match node:
        case ast.Attribute(value=inner) | ast.Call(func=ast.Name(id="getattr"), args=[inner, *_]):
            yield inner
        case ast.Call(func=inner) | ast.Subscript(value=inner) | ast.UnaryOp(operand=inner) | ast.FormattedValue(value=inner):
            yield inner
        case ast.BinOp(left=inner, right=ast.Constant()) | ast.BinOp(left=ast.Constant(), right=inner):
            yield inner
    if not in_class:
        for _, value in assigned(node):
            if value is not None:
                yield value


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    match node:
        case ast.IfExp():
            yield from _branches(node.body)
            yield from _branches(node.orelse)
        case ast.BoolOp():
            for value in node.values:
                yield from _branches(value)


def _modules_of(node: ast.AST, names: Names, in_classes: set[ast.AST]) -> set[str]:
    match node:
        case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) | ast.NamedExpr():
            return names.meanings(node)
        case ast.Import() | ast.ImportFrom() if node in in_classes:
            return {meaning for name in bound_names(node) for meaning in names.meanings(ast.Name(name))}
        case _:
            return set()
