"""Runs functions with a call of ours before each statement."""

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from app.probes.calls.copies import in_double
from app.probes.calls.prepared_call import ApplyCall, ReadSource
from app.probes.calls.preserved import preserved_in_double
from app.probes.causes.sites import statement_sites
from app.probes.causes.sources import SourcePart, find_parts, place_of
from app.probes.causes.trials import GradientTrial, Incoming, Replay, Watch
from app.probes.causes.twin import Twin
from app.probes.observation import FilePlace

NAME = "_note_of_a_statement"

Note = Callable[[int, dict[str, Any]], None]
"""Takes the `id` of a statement and the local names before it."""


def find_statement(
    call: ApplyCall, incoming: Incoming, read_source: ReadSource, is_wanted: Callable[[dict[str, Any]], bool], watch: Watch | None = None
) -> FilePlace | None:
    """Return the first statement after which `is_wanted` is true of the local names, when backward runs in double precision.

    Returns None if there is no such statement, or its source is not known. `is_wanted` is called before each statement of `backward` and of
    the functions that it calls, until it returns True, and with no names at the end. `watch`: see `Replay.backward`.
    """
    parts = find_parts(call.function, read_source)
    statements = {id(site.statement): (part, site.statement) for part in parts for site in statement_sites(part.tree)}
    last: int | None = None
    found: int | None = None

    def note(statement: int | None, values: dict[str, Any]) -> None:
        nonlocal last, found
        if found is None and is_wanted(values):
            found = last
        last = statement

    with preserved_in_double():
        try:
            twin = Twin(call.function, parts)
            replay = Replay(twin, GradientTrial(tuple(map(in_double, call.arguments)), incoming, {}))
            with with_notes(twin, parts, note):
                replay.backward(watch)
        except Exception:  # the source is not known, or the Function does not run with a ctx of ours
            return None
    note(None, {})
    if found is None:
        return None
    part, statement = statements[found]
    return place_of(part, statement, statement)


@contextmanager
def with_notes(twin: Twin, parts: Iterable[SourcePart], note: Note) -> Iterator[None]:
    """Replace the parts by copies that call `note` before each statement."""
    twin.namespace[NAME] = note
    with ExitStack() as stack:
        for part in parts:
            stack.enter_context(twin.replaced(part, twin.compiled(part, noting(part.tree))))
        yield


def noting(node: Any) -> Any:
    """Return a copy of a function with a call before each statement. It shares all nodes without a body with the original."""
    own = type(node)(**dict(ast.iter_fields(node)))
    ast.copy_location(own, node)
    for field in ("body", "orelse", "finalbody", "handlers"):
        value = getattr(node, field, None)
        if isinstance(value, list):
            setattr(own, field, [part for each in value for part in _with_note(each)])
    return own


def _with_note(node: Any) -> list[Any]:
    is_definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    shown = noting(node) if isinstance(getattr(node, "body", None), list) and not is_definition else node
    if isinstance(node, ast.ExceptHandler):
        return [shown]
    return [ast.parse(f"{NAME}({id(node)}, locals())").body[0], shown]
