"""Runs functions with a call of ours before each statement."""

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from app.probes.causes.sites import statement_sites
from app.probes.causes.sources import SourcePart
from app.probes.causes.twin import Twin

NAME = "_note_of_a_statement"

Note = Callable[[int, dict[str, Any]], None]
"""Takes the `id` of a statement and the local names before it."""


@contextmanager
def with_notes(
    twin: Twin, parts: Iterable[SourcePart], note: Note, statements: dict[int, tuple[SourcePart, ast.stmt]] | None = None
) -> Iterator[None]:
    """Replace the parts by copies that call `note` before each statement.

    `statements`: this dict is filled with the statements by their `id`.
    """
    twin.namespace[NAME] = note
    with ExitStack() as stack:
        for part in parts:
            sites = list(statement_sites(part.tree))
            if statements is not None:
                statements.update({id(site.statement): (part, site.statement) for site in sites})
            stack.enter_context(twin.replaced(part, twin.compiled(part, noting(part.tree))))
        yield


def noting(tree: ast.FunctionDef) -> ast.FunctionDef:
    """Return a copy of the function with a call before each statement. The copy shares all statements with the original."""
    noted: ast.FunctionDef = _Noting().visit(tree)
    return noted


class _Noting:
    """Copies nodes that have a body, and shares all others."""

    def visit(self, node: Any) -> Any:
        own = type(node)(**dict(ast.iter_fields(node)))
        ast.copy_location(own, node)
        for field in ("body", "orelse", "finalbody", "handlers"):
            value = getattr(node, field, None)
            if isinstance(value, list):
                setattr(own, field, [part for each in value for part in self._with_note(each)])
        return own

    def _with_note(self, node: Any) -> list[Any]:
        has_body = isinstance(getattr(node, "body", None), list) and not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        )
        shown = self.visit(node) if has_body else node
        if isinstance(node, ast.ExceptHandler):
            return [shown]
        return [ast.parse(f"{NAME}({id(node)}, locals())").body[0], shown]
