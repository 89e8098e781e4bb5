"""Finds the statement of `backward` after which it continues in a lower precision."""

import ast
from typing import Any

import torch

from app.probes.calls.call import ApplyCall, ReadSource
from app.probes.causes.notes import with_notes
from app.probes.causes.quiet import undisturbed
from app.probes.causes.sources import SourcePart, find_parts, place_of
from app.probes.causes.trials import GradientTrial, Incoming, Replay, in_double
from app.probes.causes.twin import Twin
from app.probes.observation import FilePlace

LOWER = (torch.float32, torch.float16, torch.bfloat16, torch.complex64)


def find_lower_precision(call: ApplyCall, incoming: Incoming, read_source: ReadSource) -> FilePlace | None:
    """Return the first statement that gives a name a tensor of less than double precision, when the call is made in double precision."""
    parts = find_parts(call.function, read_source)
    if not parts:
        return None
    with undisturbed():
        try:
            return _first_lower(call, incoming, parts)
        except Exception:  # the Function does not run with a ctx of ours
            return None


def _first_lower(call: ApplyCall, incoming: Incoming, parts: list[SourcePart]) -> FilePlace | None:
    twin = Twin(call.function, parts)
    replay = Replay(twin, GradientTrial(in_double(call.arguments), incoming, {}))
    statements: dict[int, tuple[SourcePart, ast.stmt]] = {}
    noted: list[int] = []
    found: list[int] = []

    def note(statement: int, values: dict[str, Any]) -> None:
        if noted and not found and any(is_lower(each) for each in values.values()) and noted[-1] in statements:
            found.append(noted[-1])
        noted.append(statement)

    with with_notes(twin, parts, note, statements):
        replay.backward()
    if not found:
        return None
    part, statement = statements[found[0]]
    return place_of(part, statement, statement)


def is_lower(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype in LOWER
