"""Finds the statement of `backward` that changes an incoming gradient or a saved tensor in place."""

import ast
from typing import Any, NamedTuple

import torch

from app.probes.calls.call import ApplyCall, ReadSource
from app.probes.calls.copies import in_double
from app.probes.calls.watched import saved_on
from app.probes.causes.notes import with_notes
from app.probes.causes.quiet import undisturbed
from app.probes.causes.sources import SourcePart, find_parts, place_of
from app.probes.causes.trials import GradientTrial, Incoming, Replay
from app.probes.causes.twin import Twin
from app.probes.observation import Observation


class Watched(NamedTuple):
    """A tensor that `backward` may change.

    `name`: the parameter of `backward`, or the argument of the call that was saved; "" if there is none.
    """

    code: str
    name: str
    tensor: torch.Tensor
    version: int


def find_changed_tensor(call: ApplyCall, incoming: Incoming, read_source: ReadSource) -> Observation | None:
    """Return the first tensor that `backward` changes in place, with the statement that changes it.

    Returns None if it changes nothing, or its source is not known.
    """
    parts = find_parts(call.function, read_source)
    if not parts:
        return None
    with undisturbed():
        try:
            return _Watch(call, incoming, parts).observe()
        except Exception:  # the Function does not run with a ctx of ours
            return None


class _Watch:
    def __init__(self, call: ApplyCall, incoming: Incoming, parts: list[SourcePart]) -> None:
        self._call, self._parts = call, parts
        self._twin = Twin(call.function, parts)
        self._replay = Replay(self._twin, GradientTrial(tuple(map(in_double, call.arguments)), incoming, {}))
        self._statements: dict[int, tuple[SourcePart, ast.stmt]] = {}
        self._last: int | None = None
        self._watched: list[Watched] = []
        self._found: tuple[int, Watched] | None = None

    def observe(self) -> Observation | None:
        with with_notes(self._twin, self._parts, self._note, self._statements):
            self._replay.backward(self._watch)
        self._look()
        if self._found is None:
            return None
        statement, watched = self._found
        part, node = self._statements[statement]
        return Observation(watched.code, place_of(part, node, node), {"function": self._call.function.__name__, "name": watched.name})

    def _watch(self, ctx: Any, incoming: list[torch.Tensor | None]) -> None:
        names = [each.arg for each in self._parts[0].tree.args.args[1:]]
        self._watched = [
            Watched("grad-output-mutated", names[place] if place < len(names) else "", each, each._version)
            for place, each in enumerate(incoming)
            if each is not None
        ]
        self._watched += [Watched("saved-tensor-mutated", self._name_of(each, ctx), each, each._version) for each in saved_on(ctx)]

    def _name_of(self, tensor: torch.Tensor, ctx: Any) -> str:
        return next((name for name, value in vars(ctx).items() if value is tensor), "")

    def _note(self, statement: int, values: dict[str, Any]) -> None:
        self._look()
        self._last = statement
        for watched in list(self._watched):
            if not watched.name and (name := next((name for name, value in values.items() if value is watched.tensor), "")):
                self._watched[self._watched.index(watched)] = watched._replace(name=name)

    def _look(self) -> None:
        if self._found is None and self._last is not None:
            changed = next((each for each in self._watched if each.tensor._version != each.version), None)
            if changed is not None:
                self._found = self._last, changed
