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
    for place in statement_sites(tree):
        statement = place.statement
        for field, value in ast.iter_fields(statement):
            if field in ("body", "orelse", "handlers", "finalbody", "targets", "target", "annotation") or isinstance(statement, ast.While):
                continue
            if isinstance(statement, ast.Return) and isinstance(value, ast.Tuple):
                yield TreeSite(statement, field, None, statement, id(value))
                for index, element in enumerate(value.elts):
                    yield from _within(TreeSite(value, "elts", index, statement, id(element)))
                continue
            for site in _children(statement, field, value, statement, id(statement)):
                yield from _within(site)


def _within(site: TreeSite) -> Iterator[TreeSite]:
    node = site.node
    if isinstance(node, ast.expr):
        if isinstance(node, ast.Constant) or isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield site
        if isinstance(node, ast.JoinedStr | ast.Lambda):
            return
    for field, value in ast.iter_fields(node):
        for child in _children(node, field, value, site.statement, site.owner):
            yield from _within(child)


def _children(parent: Any, field: str, value: Any, statement: ast.stmt, owner: int) -> Iterator[TreeSite]:
    if isinstance(value, ast.expr | ast.keyword | ast.comprehension | ast.withitem):
        yield TreeSite(parent, field, None, statement, owner)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            if isinstance(each, ast.expr | ast.keyword | ast.comprehension | ast.withitem):
                yield TreeSite(parent, field, index, statement, owner)
