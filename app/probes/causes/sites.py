"""The places in a syntax tree at which an expression or a statement can be replaced by another."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple


class TreeSite(NamedTuple):
    """A place: `parent.field` or `parent.field[position]`. `statement`: the statement around it.

    `owner`: what `slices` calls this place.
    """

    parent: Any
    field: str
    position: int | None
    statement: ast.stmt
    owner: int

    @property
    def node(self) -> Any:
        value = getattr(self.parent, self.field)
        return value if self.position is None else value[self.position]

    def put(self, node: Any) -> None:
        if self.position is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.position] = node


def statement_sites(tree: ast.AST) -> Iterator[TreeSite]:
    """Yield every statement in the order of the source, including those inside of other statements, but not those of inner functions."""
    for field in ("body", "orelse", "handlers", "finalbody"):
        for index, statement in enumerate(getattr(tree, field, None) or ()):
            if isinstance(statement, ast.ExceptHandler):
                yield from statement_sites(statement)
                continue
            yield TreeSite(tree, field, index, statement, id(statement))
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from statement_sites(statement)


def expression_sites(tree: ast.AST) -> Iterator[TreeSite]:
    """Yield every expression that is read, outer ones first. Conditions of `while` are left out, because a changed loop may never end."""
    for statement in (place.statement for place in statement_sites(tree)):
        for site in _children(statement, statement, id(statement)):
            if isinstance(statement, ast.Return) and isinstance(site.node, ast.Tuple):
                yield site._replace(owner=id(site.node))
                for element in _children(site.node, statement, 0):
                    yield from _within(element._replace(owner=id(element.node)))
            elif not isinstance(statement, ast.While) and site.field not in ("targets", "target", "annotation"):
                yield from _within(site)


def _within(site: TreeSite) -> Iterator[TreeSite]:
    node = site.node
    if isinstance(node, ast.expr):
        if isinstance(node, ast.Constant) or isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield site
        if isinstance(node, ast.JoinedStr | ast.Lambda):
            return
    for child in _children(node, site.statement, site.owner):
        yield from _within(child)


def _children(parent: Any, statement: ast.stmt, owner: int) -> Iterator[TreeSite]:
    """Yield the places of the expressions directly below a node."""
    for field, value in ast.iter_fields(parent):
        for position, each in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(each, ast.expr | ast.keyword | ast.comprehension | ast.withitem):
                yield TreeSite(parent, field, position, statement, owner)
