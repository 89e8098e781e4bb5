"""Values and gradients at the edges of what a function may be given. Runs in the grader's child."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.torch.grading.failing import AuthorFault, NotPassed
from app.runtimes.torch.grading.layout_checks import transposed, with_gaps
from app.runtimes.torch.grading.value_checks import compare_both, of_tensors

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_ROWS = 9  # more than are ever drawn
_TRIES = 5  # draws, where tensors happen to be as long as the first one that are no rows


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
SMALL = 1e-4
_ROUNDING = 1e-14  # what a sum with 1 loses, of which log(1 + x**2) at a small x is made
LAYOUTS = {"transposed": transposed, "gaps": with_gaps}
EDGES = (*ENTRIES, "small", *ROWS, *LAYOUTS, "again")
_PLAIN_TRIES = 2


def check_edges(subject: "Subject", without: Collection[str], kinks: Collection[str]) -> None:
    """Compare with the reference at every edge of EDGES but those in `without`; in `kinks`, compare the values alone.

    An edge at which the reference is not finite is passed over. Raises NotPassed, and AuthorFault for a name that is no edge, and where
    the reference raises at an edge that is not named.
    """
    if unknown := {*without, *kinks} - {*EDGES}:
        raise AuthorFault(f"there is no edge {min(unknown)!r}: expected some of {', '.join(EDGES)}")
    drawn = subject.drawn()
    try:
        _compare_at_edges(subject, drawn, {*EDGES} - {*without}, kinks)
    except NotPassed:
        for _ in range(_PLAIN_TRIES):  # what is wrong without an edge is not the edge's
            plain = subject.drawn()
            compare_both(subject, plain, finite=True, function=subject.name, arguments=plain)
        raise


def _compare_at_edges(subject: "Subject", drawn: list[Any], edges: Collection[str], kinks: Collection[str]) -> None:
    for edge, args in _list_edges(drawn):
        if edge in edges:
            _compare(subject, args, edge, gradients=edge not in kinks, absolute=_ROUNDING if edge == "small" else None)
    for edge in ROWS if any(map(_has_rows, drawn)) else ():
        if edge in edges:
            _compare_rows(subject, drawn, edge, gradients=edge not in kinks)
    for edge, layout in LAYOUTS.items():
        if edge in edges:
            _compare(subject, drawn, edge, layout=layout)
    if "again" in edges:
        for _ in range(2):
            _compare(subject, drawn, "again")


def _compare(subject: "Subject", args: list[Any], edge: str, **options: Any) -> None:
    try:
        compare_both(subject, args, finite=True, function=subject.name, arguments=args, case=edge, **options)
    except AuthorFault as fault:
        raise AuthorFault(f"the edge {edge!r}, which belongs in without=[…] if the text excludes it: {fault}") from fault


def _list_edges(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    places = [place for place, value in enumerate(args) if _is_real(value) and value.numel()]
    for edge, change in ENTRIES.items():
        for place in places:
            yield edge, [*args[:place], *of_tensors([args[place]], change), *args[place + 1 :]]
    if places:
        yield "small", of_tensors(args, lambda tensor: SMALL * tensor)


def _compare_rows(subject: "Subject", args: list[Any], edge: str, *, gradients: bool) -> None:
    """Drawn again where the reference raises: then a tensor may be as long as the first one by chance."""
    for tries_left in reversed(range(_TRIES)):
        try:
            _compare(subject, _with_rows(args, ROWS[edge]), edge, gradients=gradients)
            break
        except AuthorFault:
            if not tries_left:
                raise
            args = subject.drawn()


def _with_rows(args: list[Any], change: Callable[[torch.Tensor], torch.Tensor]) -> list[Any]:
    length = next(value.shape[0] for value in args if _has_rows(value))
    return [
        change(value.detach()).clone().requires_grad_(value.requires_grad) if _has_rows(value) and value.shape[0] == length else value
        for value in args
    ]


def _has_rows(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() > 0


def _is_real(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype.is_floating_point
