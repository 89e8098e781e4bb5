"""The edges that `edges()` tries: special arguments and incoming gradients, which random ones never are. Runs in the grader's child."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import torch

from app.runtimes.torch.calls.remote_graph import Layout
from app.runtimes.torch.grading.checks.layout_checks import expanded, repeated, transposed, with_gaps
from app.runtimes.torch.grading.checks.value_checks import of_tensors
from app.runtimes.torch.grading.draws import Draws

Change = Callable[[torch.Tensor], torch.Tensor]
_ROWS = 9  # more rows than are ever drawn
SMALL = 1e-4


def _starting_with(entry: float) -> Change:
    """Return a function that replaces a tensor's first entry by `entry`."""
    return lambda tensor: torch.cat([torch.full_like(tensor.reshape(-1)[:1], entry), tensor.reshape(-1)[1:]]).reshape(tensor.shape)


ENTRIES: dict[str, Change] = {  # applied to one tensor at a time; the others stay as drawn
    "one-zero": _starting_with(0.0),
    "zeros": torch.zeros_like,
    "ties": lambda tensor: tensor.reshape(-1)[:1].expand(tensor.numel()).reshape(tensor.shape),
    "large": _starting_with(900.0),
    "low": _starting_with(-900.0),
    "tiny": lambda tensor: torch.full_like(tensor, 1e-30),
}
FAR: dict[str, tuple[float, float, str]] = {  # all entries of one tensor are drawn: the range of their logarithms, and the excluding edge
    "far": (1.1, 1.5, "large"),  # 12 to 32: exponentials are finite, and their results are next to nothing or next to a constant
    "far-low": (1.1, 1.5, "low"),
    "all-large": (4.0, 6.0, "large"),
    "all-low": (4.0, 6.0, "low"),
}
ROWS: dict[str, Change] = {  # applied to all tensors with as many rows as the first one
    "one-row": lambda tensor: tensor[:1],
    "many-rows": lambda tensor: tensor.repeat(_ROWS, *[1] * (tensor.dim() - 1)),
}
LAYOUTS: dict[str, Layout] = {"transposed": transposed, "gaps": with_gaps}


class Incoming(NamedTuple):
    """What is special about the incoming gradients: their size, their layout in memory, and a change that this layout requires."""

    scale: float = 1.0
    layout: Layout | None = None
    change: Change | None = None


INCOMING = {
    "incoming-zero": Incoming(scale=0.0),
    "incoming-tiny": Incoming(scale=1e-12),
    "incoming-large": Incoming(scale=1e6),
    "incoming-expanded": Incoming(layout=expanded, change=repeated),
    "incoming-gaps": Incoming(layout=with_gaps),
    "incoming-transposed": Incoming(layout=transposed),
}
EDGES = (*ENTRIES, *FAR, "small", *ROWS, *LAYOUTS, "float32", *INCOMING, "again")
GROUPS = ("incoming",)  # names that stand for several edges
REPORTED = {  # for a check that asks the same without an edge: the edges that need no second report of what this check has refused
    "strides": {"transposed", "gaps", "incoming-expanded", "incoming-gaps", "incoming-transposed"},
    "scale": {"small", "incoming-tiny", "incoming-large"},
    "linear": {"incoming-zero", "incoming-tiny", "incoming-large"},
    "dtypes": {"float32"},
    "untouched": {*INCOMING},  # they go back through one call several times
}


def excluded(without: Collection[str]) -> set[str]:
    """Return `without` and the edges that are excluded with one of them.

    "large" and "low" exclude tensors of such entries, too, and "incoming" all special incoming gradients.
    """
    incoming = {*INCOMING} if "incoming" in without else {*()}
    return {*without} | incoming | {edge for edge, (_, _, group) in FAR.items() if group in without}


def list_entry_edges(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the arguments of each edge in ENTRIES, with each tensor changed in turn, and then all of them small."""
    for edge, change in ENTRIES.items():
        for place in real_places(args):
            yield edge, changed_at(args, place, change)
    if real_places(args):
        yield "small", of_tensors(args, lambda tensor: SMALL * tensor)


def list_far_edges(args: list[Any], draws: Draws) -> Iterator[tuple[str, list[Any]]]:
    """Yield the arguments of each edge in FAR, with each tensor changed in turn."""
    for edge, (low, high, group) in FAR.items():
        sign = -1.0 if group == "low" else 1.0
        for place in real_places(args):
            logarithms = draws.tensor(args[place].shape, low, high, grad=False)
            yield edge, changed_at(args, place, lambda tensor, drawn=sign * 10**logarithms: drawn.to(tensor.dtype))


def real_places(args: list[Any]) -> list[int]:
    """Return the places of the tensors of real numbers that have entries."""
    return [place for place, value in enumerate(args) if isinstance(value, torch.Tensor) and value.dtype.is_floating_point and value.numel()]


def changed_at(args: list[Any], place: int, change: Change) -> list[Any]:
    """Return the arguments with the tensor at `place` changed."""
    return [*args[:place], *of_tensors([args[place]], change), *args[place + 1 :]]
