"""The values that a statement could have used: local variables, numbers of the call, and sizes."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from app.probes.causes.notes import with_notes
from app.probes.causes.sources import SourcePart
from app.probes.causes.trials import OPTION, Replay

MOST_SCALARS = 16


class Scalar(NamedTuple):
    """A number. `source`: an expression for it. `option`: the parameter of `forward`, if the number is an argument of the call."""

    source: str
    value: complex
    option: str | None = None


class AtHand:
    """The values before each statement of one function.

    `before`: the local variables, by the `id` of the statement that was about to run.
    """

    def __init__(self, replay: Replay, part: SourcePart, parameters: list[str]) -> None:
        self._arguments = dict(zip(parameters, replay.trial.arguments, strict=False))
        self.before: dict[int, dict[str, Any]] = {}
        self.last: dict[str, Any] = {}  # the local variables before the last statement
        with with_notes(replay.twin, [part], self._note):
            replay.backward()

    def _note(self, statement: int, values: dict[str, Any]) -> None:
        self.before[statement] = self.last = dict(values)

    def locals_at(self, statement: ast.stmt) -> dict[str, Any]:
        return self.before.get(id(statement), {})

    def tensors_at(self, statement: ast.stmt) -> dict[str, torch.Tensor]:
        return {name: each for name, each in self.locals_at(statement).items() if isinstance(each, torch.Tensor)}

    def scalars_at(self, statement: ast.stmt) -> list[Scalar]:
        """Return numbers with different values: named ones first, then arguments of the call, then sizes, then 2."""
        found: dict[complex, Scalar] = {}
        for each in self._scalars(self.locals_at(statement)):
            if each.value != 0:
                found.setdefault(each.value, each)
        return list(found.values())[:MOST_SCALARS]

    def _scalars(self, values: dict[str, Any]) -> Iterator[Scalar]:
        ctx = next(iter(values), "")
        stored = vars(values[ctx]) if hasattr(values.get(ctx), "to_save") else {}
        named = [
            *((name, name, value) for name, value in values.items()),
            *((f"{ctx}.{name}", name, value) for name, value in stored.items()),
        ]
        for source, name, value in named:
            if is_number(value):
                yield Scalar(source, value, name if name in self._arguments else None)
        for place, (name, value) in enumerate(self._arguments.items()):
            if is_number(value):
                yield Scalar(OPTION.format(place), value, name)
        sizes = {name: value for name, value in values.items() if isinstance(value, torch.Tensor)}
        for name, value in sizes.items():
            for dimension, size in enumerate(value.shape):
                yield Scalar(f"{name}.shape[{dimension}]", size)
        for name, value in sizes.items():
            if value.dim():
                yield Scalar(f"{name}.numel()", value.numel())
        yield Scalar("2", 2)
        for source, _, value in named:
            if isinstance(value, float) and 0 < value < 1:
                yield Scalar(f"(1 - {source})", 1 - value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)
