"""The call that is examined, with ways to repeat it, its reference, and the time that is left."""

from typing import NamedTuple

import torch

from app.probes.calls.prepared_call import PreparedCall, ReadSource
from app.probes.observation import Observation, Value
from app.probes.reference.real_view import real_vector
from app.probes.reference.reference import GradientReference
from app.probes.time_limit import TimeLimit


class NotJudged(Exception):
    """A probe cannot judge this Function. The message says why."""


class ProbedCall(NamedTuple):
    """The call that is examined. `native`: in the program's precision. `prepared`: in double, or `native` if the Function cannot run in it.

    `reference`: None if there is none, because the Function cannot run in double. `outside`: see `outside_tensors`.
    """

    native: PreparedCall
    prepared: PreparedCall
    reference: GradientReference | None
    outside: dict[str, torch.Tensor]
    deadline: TimeLimit
    read_source: ReadSource

    @property
    def tolerance(self) -> float:
        """The largest tolerated difference of gradients that should be the same, relative to the largest entry."""
        return 1e-4 if self.reference is not None else 1e-2

    def observe(self, code: str, **values: Value) -> Observation:
        return Observation(code, None, {"function": self.native.function.__name__[:100], **values})

    def apart(self, first: dict[int, torch.Tensor], second: dict[int, torch.Tensor], tolerance: float | None = None) -> list[int]:
        """Return the inputs whose two gradients differ. Entries that are not finite are not compared."""
        return [place for place in first if place in second and apart(first[place], second[place], tolerance or self.tolerance) is not None]

    def difference(self, place: int, expected: torch.Tensor, got: torch.Tensor) -> dict[str, Value]:
        """Return the values that show the largest difference of two gradients of an input."""
        wanted, found = real_vector(expected), real_vector(got)
        position = int((wanted - found).abs().nan_to_num(0.0).argmax())
        return {"input": self.native.name_of(place), "expected": float(wanted[position]), "got": float(found[position])}


def apart(expected: torch.Tensor, got: torch.Tensor, tolerance: float) -> float | None:
    """Return the largest difference relative to the largest entry; None if it is tolerated."""
    wanted, found = real_vector(expected), real_vector(got)
    known = wanted.isfinite() & found.isfinite()
    if not bool(known.any()):
        return None
    wanted, found = wanted[known].double(), found[known].double()
    largest = max(float(wanted.abs().max()), float(found.abs().max()))
    difference = float((wanted - found).abs().max())
    return difference / largest if difference > tolerance * largest + 1e-12 else None
