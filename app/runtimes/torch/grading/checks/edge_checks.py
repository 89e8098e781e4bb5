"""The check of values and gradients at edges: special arguments that random ones never are. Runs in the grader's child."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

import torch

from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.layout_checks import transposed, with_gaps
from app.runtimes.torch.grading.checks.value_checks import ROUNDING, compare_both, of_tensors
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed

_ROWS = 9  # more rows than are ever drawn
_TRIES = 5  # how often arguments are drawn: a tensor that has no rows may be as long as the first one by chance


def _starting_with(entry: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a function that replaces a tensor's first entry by `entry`."""
    return lambda tensor: torch.cat([torch.full_like(tensor.reshape(-1)[:1], entry), tensor.reshape(-1)[1:]]).reshape(tensor.shape)


ENTRIES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # applied to one tensor at a time; the others stay as drawn
    "one-zero": _starting_with(0.0),
    "zeros": torch.zeros_like,
    "ties": lambda tensor: tensor.reshape(-1)[:1].expand(tensor.numel()).reshape(tensor.shape),
    "large": _starting_with(900.0),
    "low": _starting_with(-900.0),
    "tiny": lambda tensor: torch.full_like(tensor, 1e-30),
}
ROWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # applied to all tensors with as many rows as the first one
    "one-row": lambda tensor: tensor[:1],
    "many-rows": lambda tensor: tensor.repeat(_ROWS, *[1] * (tensor.dim() - 1)),
}
SMALL = 1e-4
LAYOUTS = {"transposed": transposed, "gaps": with_gaps}
EDGES = (*ENTRIES, "small", *ROWS, *LAYOUTS, "again")
_PLAIN_TRIES = 2


def check_edges(pair: FunctionPair, without: Collection[str] = (), kinks: Collection[str] = ()) -> None:
    """Compare with the reference at every edge of EDGES. An edge at which the reference is not finite is skipped.

    `without` names edges that the task's text excludes. `kinks` names edges where the text does not say which gradient is right: there,
    only values are compared. Raises AuthorFault for a name that is not an edge. Raises it also if the reference raises at an edge that is
    not in `without`.
    """
    if unknown := {*without, *kinks} - {*EDGES}:
        raise AuthorFault(f"there is no edge {min(unknown)!r}: expected some of {', '.join(EDGES)}")
    drawn = pair.drawn()
    try:
        _compare_at_edges(pair, drawn, {*EDGES} - {*without}, kinks)
    except NotPassed as failed:
        same = [] if failed.values.get("case") == "again" else [drawn]
        for plain in (*same, *(pair.drawn() for _ in range(_PLAIN_TRIES))):  # if ordinary arguments fail too, no edge is named
            compare_both(pair, plain, finite=True, function=pair.name, arguments=plain)
        raise


def _compare_at_edges(pair: FunctionPair, drawn: list[Any], edges: Collection[str], kinks: Collection[str]) -> None:
    for edge, args in _list_edges(drawn):
        if edge in edges:
            _compare(pair, args, edge, gradients=edge not in kinks, absolute=ROUNDING if edge == "small" else None)
    for edge in ROWS if any(map(_has_rows, drawn)) else ():
        if edge in edges:
            _compare_rows(pair, drawn, edge, gradients=edge not in kinks)
    for edge, layout in LAYOUTS.items():
        if edge in edges:
            _compare(pair, drawn, edge, layout=layout)
    if "again" in edges:
        for _ in range(2):
            _compare(pair, drawn, "again")


def _compare(pair: FunctionPair, args: list[Any], edge: str, **options: Any) -> None:
    try:
        compare_both(pair, args, finite=True, function=pair.name, arguments=args, case=edge, **options)
    except AuthorFault as fault:
        raise AuthorFault(f"the edge {edge!r}, which belongs in without=[…] if the text excludes it: {fault}") from fault


def _list_edges(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    places = [place for place, value in enumerate(args) if _is_real(value) and value.numel()]
    for edge, change in ENTRIES.items():
        for place in places:
            yield edge, [*args[:place], *of_tensors([args[place]], change), *args[place + 1 :]]
    if places:
        yield "small", of_tensors(args, lambda tensor: SMALL * tensor)


def _compare_rows(pair: FunctionPair, args: list[Any], edge: str, *, gradients: bool) -> None:
    """Compare with changed rows. If the reference raises, try again with other arguments.

    Every tensor as long as the first one is changed. A tensor without rows may have this length by chance, and then the reference raises.
    """
    for tries_left in reversed(range(_TRIES)):
        try:
            _compare(pair, _with_rows(args, ROWS[edge]), edge, gradients=gradients)
            break
        except AuthorFault:
            if not tries_left:
                raise
            args = pair.drawn()


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
