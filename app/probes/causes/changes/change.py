"""A change of a syntax tree at one place, and the mistake that it undoes."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, NamedTuple

from app.probes.causes.sites import TreeSite
from app.probes.observation import Value

TWINS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
MUTATED = "mutated"  # stands for the code of an in-place change, which depends on the tensor that it changes


class Change(NamedTuple):
    """A change. `code`: the pitfall that the program has if this change makes the gradient right. `place`: the node to be shown.

    `order`: of several changes that make it right, the one with the smallest order is believed. `late`: whether the last of several places
    is believed, not the first.
    """

    edits: tuple[tuple[TreeSite, Any], ...]
    code: str
    order: int
    late: bool = False
    values: dict[str, Value] = {}

    @property
    def site(self) -> TreeSite:
        return self.edits[0][0]

    @contextmanager
    def made(self) -> Iterator[None]:
        before = [(site, site.node) for site, _ in self.edits]
        for site, node in self.edits:
            locate(node, site.statement)
            site.put(node)
        try:
            yield
        finally:
            for site, node in before:
                site.put(node)


def locate(node: ast.AST, like: ast.stmt) -> None:
    """Give new nodes the position of the statement, which `compile` requires."""
    for each in ast.walk(node):
        if "lineno" in each._attributes and not hasattr(each, "lineno"):
            ast.copy_location(each, like)


def change(site: TreeSite, node: Any, code: str, order: int, *, late: bool = False, **values: Value) -> Change:
    return Change(((site, node),), code, order, late, values)


def exchanged(elements: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield the elements in other orders, in each of which two are exchanged."""
    for first, second in combinations(range(len(elements)), 2):
        found = list(elements)
        found[first], found[second] = found[second], found[first]
        yield found


def build(template: str, **parts: ast.expr) -> ast.expr:
    """Return the expression in `template`, with its names replaced by the parts."""
    filled: ast.expr = _Fill(parts).visit(expression(template))
    return filled


def build_statement(template: str, **parts: ast.expr) -> ast.stmt:
    filled: ast.stmt = _Fill(parts).visit(ast.parse(template).body[0])
    return filled


class _Fill(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._parts.get(node.id, node)


def expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body
