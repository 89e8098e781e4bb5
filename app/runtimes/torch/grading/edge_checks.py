"""Values and gradients at the edges of what a function may be given. Runs in the grader's child."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.torch.grading.failing import AuthorFault, NotPassed
from app.runtimes.torch.grading.layout_checks import transposed, with_gaps
from app.runtimes.torch.grading.value_checks import TINY, compare_both, of_tensors

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_ROWS = 9  # more than are ever drawn


def _starting_with(entry: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """A change of the first entry."""
    return lambda tensor: torch.cat([torch.full_like(tensor.reshape(-1)[:1], entry), tensor.reshape(-1)[1:]]).reshape(tensor.shape)


ENTRIES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # of one tensor at a time, the others as they were drawn
    "one-zero": _starting_with(0.0),
    "zeros": torch.zeros_like,
    "ties": lambda tensor: tensor.reshape(-1)[:1].expand(tensor.numel()).reshape(tensor.shape),
    "large": _starting_with(900.0),
    "low": _starting_with(-900.0),
    "tiny": lambda tensor: torch.full_like(tensor, 1e-30),
}
ROWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # of all tensors that are as long as the first one, along their first axis
    "one-row": lambda tensor: tensor[:1],
    "many-rows": lambda tensor: tensor.repeat(_ROWS, *[1] * (tensor.dim() - 1)),
}
COLUMNS: dict[
    str, Callable[[torch.Tensor], torch.Tensor]
] = {  # of all tensors as wide as the first one with two axes
    "one-column": lambda tensor: tensor[..., :1],
}
SMALL = 1e-4
LAYOUTS = {"transposed": transposed, "gaps": with_gaps}
EDGES = (*ENTRIES, "small", *ROWS, *COLUMNS, *LAYOUTS, "again")
_PLAIN_TRIES = 2


def check_edges(subject: "Subject", without: Collection[str], kinks: Collection[str]) -> None:
    """Compare with the reference at every edge of EDGES but those in `without`; in `kinks`, compare the values alone.

    An edge that the reference does not accept, or at which it is not finite, is passed over. Raises NotPassed, and AuthorFault for a name
    that is no edge.
    """
    if unknown := {*without, *kinks} - {*EDGES}:
        raise AuthorFault(f"there is no edge {min(unknown)!r}: expected some of {', '.join(EDGES)}")
    drawn = subject.drawn()
    try:
        _compare_at_edges(subject, drawn, {*EDGES} - {*without}, kinks)
    except NotPassed:
        for _ in range(_PLAIN_TRIES):  # what is wrong without an edge is not the edge's
            plain = subject.drawn()
            compare_both(subject, plain, optional=True, finite=True, function=subject.name, arguments=plain)
        raise


def _compare_at_edges(subject: "Subject", drawn: list[Any], edges: Collection[str], kinks: Collection[str]) -> None:
    for edge, args in _list_edges(drawn):
        if edge in edges:
            _compare(subject, args, edge, gradients=edge not in kinks, absolute=TINY if edge == "small" else None)
    for edge, layout in LAYOUTS.items():
        if edge in edges:
            _compare(subject, drawn, edge, layout=layout)
    if "again" in edges:
        for _ in range(2):
            _compare(subject, drawn, "again")


def _compare(subject: "Subject", args: list[Any], edge: str, **options: Any) -> None:
    compare_both(subject, args, optional=True, finite=True, function=subject.name, arguments=args, case=edge, **options)


def _list_edges(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    places = [place for place, value in enumerate(args) if _is_real(value) and value.numel()]
    for edge, change in ENTRIES.items():
        for place in places:
            yield edge, [*args[:place], *of_tensors([args[place]], change), *args[place + 1 :]]
    yield "small", of_tensors(args, lambda tensor: SMALL * tensor)
    lengths = [value.shape[0] for value in args if isinstance(value, torch.Tensor) and value.dim()]
    for edge, change in ROWS.items() if lengths else ():
        yield edge, [_with_rows(value, lengths[0], change) for value in args]
    widths = [value.shape[-1] for value in args if isinstance(value, torch.Tensor) and value.dim() > 1]
    for edge, change in COLUMNS.items() if widths else ():
        yield edge, [_with_columns(value, widths[0], change) for value in args]


def _with_rows(value: Any, length: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    return _cut(value, change) if isinstance(value, torch.Tensor) and value.dim() and value.shape[0] == length else value


def _with_columns(value: Any, width: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    return _cut(value, change) if isinstance(value, torch.Tensor) and value.dim() and value.shape[-1] == width else value


def _cut(value: torch.Tensor, change: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    return change(value.detach()).clone().requires_grad_(value.requires_grad)


def _is_real(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype.is_floating_point
