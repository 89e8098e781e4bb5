"""The edges that `edges()` tries: special arguments and incoming gradients, which random ones never are. Runs in the grader's child."""

from collections.abc import Callable, Collection, Iterator, Sequence
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
FAR = {  # all entries of one tensor are drawn: the range of the logarithms of their sizes
    "far": (1.1, 1.5),  # 12 to 32: exponentials are finite, and some results are next to zero, though not zero
    "all-large": (4.0, 6.0),
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
    "incoming-gaps": Incoming(layout=lambda tensor: [2 * stride for stride in transposed(tensor)]),
}
EDGES = (*ENTRIES, *FAR, "small", *ROWS, *LAYOUTS, "float32", *INCOMING, "again")
GROUPS = ("incoming",)  # names that stand for several edges
ASKED = {  # the edges at which nothing is asked after these checks, because the checks have asked the same
    "strides": {"transposed", "gaps", "incoming-expanded", "incoming-gaps"},
    "dtypes": {"float32"},
}
REPORTED = {  # the edges at which nothing is asked after a check has refused the function: it is wrong there for the same reason
    "scale": {"small", "incoming-tiny", "incoming-large"},
    "linear": {"incoming-zero", "incoming-tiny", "incoming-large"},
    "untouched": {*INCOMING},  # they go back through one call several times
}


def excluded(without: Collection[str]) -> set[str]:
    """Return `without` and the edges that are excluded with them: "incoming" excludes all special incoming gradients."""
    return {*without} | ({*INCOMING} if "incoming" in without else {*()}) | ({*FAR} if {"large", "low"} <= {*without} else {*()})


def list_entry_edges(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the arguments of each edge in ENTRIES, with each tensor changed in turn, and then all of them small."""
    for edge, change in ENTRIES.items():
        for place in real_places(args):
            yield edge, changed_at(args, place, change)
    if real_places(args):
        yield "small", of_tensors(args, lambda tensor: SMALL * tensor)


def far_arguments(args: list[Any], place: int, edge: str, draws: Draws, signs: Sequence[float]) -> list[Any]:
    """Return the arguments of an edge in FAR, with the tensor at `place` changed and all `signs` among its entries."""
    sizes = 10 ** draws.tensor(args[place].shape, *FAR[edge], grad=False)
    signed = sizes * torch.tensor([signs[index % len(signs)] for index in range(sizes.numel())]).reshape(sizes.shape)
    return changed_at(args, place, lambda tensor: signed.to(tensor.dtype))


def real_places(args: list[Any]) -> list[int]:
    """Return the places of the tensors of real numbers that have entries."""
    return [
        place for place, value in enumerate(args) if isinstance(value, torch.Tensor) and value.dtype.is_floating_point and value.numel()
    ]


def changed_at(args: list[Any], place: int, change: Change) -> list[Any]:
    """Return the arguments with the tensor at `place` changed."""
    return [*args[:place], *of_tensors([args[place]], change), *args[place + 1 :]]
