"""The check of values and derivatives at edges: special arguments that random ones never are. Runs in the grader's child."""

from collections.abc import Callable, Collection
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import RaisedThere
from app.runtimes.torch.grading.checks.agreement import agree, compare_gradients
from app.runtimes.torch.grading.checks.edges import (
    ASKED,
    EDGES,
    FAR,
    GROUPS,
    INCOMING,
    LAYOUTS,
    REPORTED,
    ROWS,
    Incoming,
    excluded,
    far_arguments,
    list_entry_edges,
    real_places,
)
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.value_checks import ROUNDING, all_finite, compare_both, of_tensors
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed

_TRIES = 5  # how often arguments are drawn: a tensor that has no rows may be as long as the first one by chance
_PLAIN_TRIES = 2
_FAR_ROUNDING = 1e-12  # the absolute error that right formulas make far from zero, where numbers of about 30 may cancel
_NUDGE = 1e-13  # where a reference changes visibly for a relative change as small as this, its own digits prove nothing
_SINGLE_NUDGE = 1e-7  # the same in single precision


def check_edges(pair: FunctionPair, without: Collection[str] = (), kinks: Collection[str] = (), *, second: bool = False) -> None:
    """Compare with the reference at every edge of EDGES. An edge at which the reference is not finite is skipped.

    `without` names edges that the task's text excludes. `kinks` names edges where the text does not say which gradient is right: there,
    only values are compared. With `second`, second derivatives are compared, too. What another check has already found wrong without an
    edge, such as the second derivative, is not reported again. Raises AuthorFault for a name that is not an edge. Raises it also if the
    reference raises at an edge that is not in `without`.
    """
    if unknown := {*without, *kinks} - {*EDGES, *GROUPS}:
        raise AuthorFault(f"there is no edge {min(unknown)!r}: expected some of {', '.join(EDGES)}")
    if pair.has_failed("edges"):
        return
    drawn = pair.drawn()
    known = {edge for check, edges in ASKED.items() if (pair.name, check) in pair.asked for edge in edges}
    known |= {edge for check, edges in REPORTED.items() if pair.has_failed(check) for edge in edges}
    signs = [sign for sign, edge in ((1.0, "large"), (-1.0, "low")) if edge not in without]
    second = second and not pair.has_failed("second")
    check = _EdgeCheck(pair, drawn, {*EDGES} - excluded(without) - known, excluded(kinks), signs, second)
    try:
        check.compare_all()
    except NotPassed as failed:
        same = [] if failed.values.get("case") == "again" else [drawn]
        for plain in (*same, *(pair.drawn() for _ in range(_PLAIN_TRIES))):  # if ordinary arguments fail too, no edge is named
            compare_both(pair, plain, finite=True, second=check.second, function=pair.name, arguments=plain)
        raise


class _EdgeCheck:
    """The comparisons of one `edges()`.

    `drawn` are ordinary arguments, `edges` the edges to try, `signs` those that large entries may have.
    """

    def __init__(self, pair: FunctionPair, drawn: list[Any], edges: set[str], kinks: set[str], signs: list[float], second: bool) -> None:
        self.pair, self.drawn, self.edges, self.kinks, self.signs, self.second = pair, drawn, edges, kinks, signs, second

    def compare_all(self) -> None:
        for edge, args in list_entry_edges(self.drawn):
            if edge in self.edges:
                self._compare(args, edge, absolute=ROUNDING if edge == "small" else None)
        for edge in FAR:
            if edge in self.edges:
                self._compare_far(edge)
        for edge in ROWS if any(map(_has_rows, self.drawn)) else ():
            if edge in self.edges:
                self._compare_rows(edge)
        for edge, layout in LAYOUTS.items():
            if edge in self.edges:
                self._compare(self.drawn, edge, layout=layout)
        if "float32" in self.edges:
            self._compare_single()
        self._compare_incoming()
        if "again" in self.edges:
            for _ in range(2):
                self._compare(self.drawn, "again")

    def _compare(self, args: list[Any], edge: str, **options: Any) -> None:
        options = {"gradients": edge not in self.kinks, "second": self.second, **options}
        try:
            compare_both(self.pair, args, finite=True, function=self.pair.name, arguments=args, case=edge, **options)
        except AuthorFault as fault:
            raise AuthorFault(f"the edge {edge!r}, which belongs in without=[…] if the text excludes it: {fault}") from fault

    def _compare_rows(self, edge: str) -> None:
        """Compare with changed rows. If the reference raises, try again with other arguments.

        Every tensor as long as the first one is changed. A tensor without rows may have this length by chance; then the reference raises.
        """
        args = self.drawn
        for tries_left in reversed(range(_TRIES)):
            try:
                self._compare(_with_rows(args, ROWS[edge]), edge)
                break
            except AuthorFault:
                if not tries_left:
                    raise
                args = self.pair.drawn()

    def _compare_far(self, edge: str) -> None:
        """Compare with each tensor far from zero in turn.

        "far" asks one sign at a time: beside a result of 1, one of 1e-10 would not be looked at. "all-large" asks both at once or, if the
        reference is not finite there, those of one sign. Where the reference hardly has right digits itself, nothing is refused.
        """
        alone = [[sign] for sign in self.signs]
        for place in real_places(self.drawn):
            for signs in alone if edge == "far" or len(alone) == 1 else (self.signs, *alone):
                args = far_arguments(self.drawn, place, edge, self.pair.draws, signs)
                try:
                    finite = all_finite(self.pair.ours.call(args).outputs)
                except AuthorFault:  # the reference refuses such arguments
                    continue
                if finite:
                    self._compare_unless(self._is_steady, args, edge, absolute=_FAR_ROUNDING)
                    if edge != "far":
                        break

    def _compare_single(self) -> None:
        """Compare in single precision, unless the reference raises there, returns another precision, or is itself inaccurate."""
        args = of_tensors(self.drawn, _as_single)
        if not any(isinstance(value, torch.Tensor) and value.dtype == torch.float32 for value in args):
            return
        try:
            outputs = self.pair.ours.call(args).outputs
        except AuthorFault:
            return
        if not any(isinstance(value, torch.Tensor) and value.dtype == torch.float64 for value in outputs):
            self._compare_unless(self._is_accurate, args, "float32", second=False)

    def _compare_unless(self, is_right: Callable[[list[Any]], bool], args: list[Any], edge: str, **options: Any) -> None:
        """Compare, but ignore what differs if the reference itself is not right there. That takes more calls, so it is asked last."""
        try:
            self._compare(args, edge, **options)
        except (NotPassed, RaisedThere):
            if is_right(args):
                raise

    def _is_accurate(self, args: list[Any]) -> bool:
        """Return whether the reference gives the same for these arguments in double precision, also if they are rounded a little."""
        exact = of_tensors(args, torch.Tensor.double)
        others = exact, of_tensors(exact, lambda tensor: _nudged(tensor, _SINGLE_NUDGE))
        return all(self._agrees_with_itself(args, other, _as_single) for other in others)

    def _is_steady(self, args: list[Any]) -> bool:
        """Return whether the reference is finite here, and hardly changes if the arguments do: else its digits prove nothing."""
        return self._agrees_with_itself(
            args, of_tensors(args, lambda tensor: _nudged(tensor, _NUDGE)), torch.Tensor.detach, absolute=_FAR_ROUNDING
        )

    def _agrees_with_itself(
        self, args: list[Any], others: list[Any], convert: Callable[[torch.Tensor], torch.Tensor], absolute: float | None = None
    ) -> bool:
        """Return whether the reference's outputs and gradients are finite for `args`, and agree with those for `others`, converted."""
        ours = self.pair.ours
        try:
            one, other = ours.call(args), ours.call(others)
            grads = self.pair.incoming(one)
            given = [None if grad is None else grad.to(like.dtype) for grad, like in zip(grads, other.outputs, strict=True)]
            found = [one.outputs, other.outputs]
            if any(one.differentiable):
                found = [[*one.outputs, *ours.pull(one, grads).outputs], [*other.outputs, *ours.pull(other, given).outputs]]
        except (AuthorFault, AttributeError, ValueError):  # the edge is not one that the reference accepts
            return False
        pairs = [(a, convert(b)) for a, b in zip(*found, strict=True) if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)]
        return all_finite(found[0]) and all(a.dtype == b.dtype and agree(a, b, absolute=absolute) for a, b in pairs)

    def _compare_incoming(self) -> None:
        """Compare with special incoming gradients, for the arguments as drawn."""
        edges = [edge for edge in INCOMING if edge in self.edges]
        if not edges:
            return
        pair, args = self.pair, self.drawn
        ours, theirs = pair.ours.call(args), pair.theirs.call(args)
        if not any(ours.differentiable) or not all_finite(ours.outputs):
            return
        for edge in edges:
            if edge not in self.kinks:
                self._compare_pulled(theirs, ours, edge, INCOMING[edge])

    def _compare_pulled(self, theirs: Any, ours: Any, edge: str, incoming: Incoming) -> None:
        pair, args, change = self.pair, self.drawn, incoming.change
        grads = [None if grad is None else grad if change is None else change(grad) for grad in pair.incoming(ours, incoming.scale)]
        expected = pair.ours.pull(ours, grads).outputs
        if not all_finite(expected):
            return
        case: dict[str, Any] = {"function": pair.name, "arguments": args, "incoming": grads}
        absolute = ROUNDING * incoming.scale if incoming.layout is None else None
        try:
            got = pair.theirs.pull(theirs, grads, layout=incoming.layout).outputs
            compare_gradients("gradient-value", got, expected, absolute=absolute, **case, case=edge)
        except (NotPassed, RaisedThere):
            if incoming.layout is not None:  # the layout is blamed only if the same numbers in another layout are right
                compare_gradients("gradient-value", pair.theirs.pull(theirs, grads).outputs, expected, **case)
            raise


def _as_single(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.float() if tensor.dtype == torch.float64 else tensor


def _nudged(tensor: torch.Tensor, by: float) -> torch.Tensor:
    """Return the tensor with each entry changed by up to this share of it, up or down."""
    return tensor * (1 + by * torch.arange(1, tensor.numel() + 1, dtype=tensor.dtype).cos().reshape(tensor.shape))


def _with_rows(args: list[Any], change: Callable[[torch.Tensor], torch.Tensor]) -> list[Any]:
    length = next(value.shape[0] for value in args if _has_rows(value))
    return [
        change(value.detach()).clone().requires_grad_(value.requires_grad) if _has_rows(value) and value.shape[0] == length else value
        for value in args
    ]


def _has_rows(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() > 0
