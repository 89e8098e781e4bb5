"""Runs `forward` and `backward` of a twin with a ctx of ours, and compares the gradients with the right ones."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from app.probes.calls.copies import copied, has_gradient
from app.probes.calls.prepared_call import SEED, has_setup_context
from app.probes.calls.stub_context import StubContext
from app.probes.calls.watched import saved_on
from app.probes.causes.snapshots import snapshot
from app.probes.causes.twin import Twin

OPTION = "_option_{}_of_the_call"  # the name by which a changed function reads an argument of the call

Incoming = tuple[torch.Tensor | None, ...]
Watch = Callable[[Any, list[torch.Tensor | None]], None]
RightGradients = Callable[[tuple[Any, ...], Incoming], dict[int, torch.Tensor]]
"""Returns the right gradient of each argument that needs one, for arguments in double precision and incoming gradients."""


class GradientTrial(NamedTuple):
    """The arguments and incoming gradients of a trial. `expected`: the right gradient of each argument that needs one, by position."""

    arguments: tuple[Any, ...]
    incoming: Incoming
    expected: dict[int, torch.Tensor]


class ReplayOutcome(NamedTuple):
    """The result of one backward. `gradients`: in the shape and dtype of the arguments, zeros for None.

    `missing`: the arguments for which it returned None. `summed`: those whose gradient had another shape. `changed_incoming`,
    `changed_saved`: whether it changed an incoming gradient, or a saved tensor, in place.
    """

    gradients: dict[int, torch.Tensor]
    missing: set[int]
    summed: set[int]
    changed_incoming: bool
    changed_saved: bool


class Replay:
    """A trial whose `forward` was run once. Each backward gets a copy of what that stored on ctx, or a new ctx if that cannot be copied.

    `first`: the outcome before anything was changed.
    """

    def __init__(self, twin: Twin, trial: GradientTrial) -> None:
        self.twin, self.trial, self._can_be_copied = twin, trial, True
        self.outputs, self._ctx = run_forward(twin, trial.arguments)
        self.first = self.backward()

    def _fresh_ctx(self) -> Any:
        if self._can_be_copied:
            try:
                stored = snapshot(vars(self._ctx))
            except Exception:  # tensors with a graph, streams, locks …
                self._can_be_copied = False
            else:
                ctx = StubContext(self._ctx.needs_input_grad)
                vars(ctx).update(stored)
                return ctx
        return run_forward(self.twin, self.trial.arguments)[1]

    def whole(self) -> ReplayOutcome:
        """Run `forward` and `backward` in their present form. Raises ValueError if the outputs differ from the first ones."""
        outputs, ctx = run_forward(self.twin, self.trial.arguments)
        for mine, was in zip(outputs, self.outputs, strict=True):
            if isinstance(was, torch.Tensor) and not (mine.shape == was.shape and torch.allclose(mine, was, equal_nan=True)):
                raise ValueError("other outputs")
        return self._backward(ctx)

    def backward(self, watch: Watch | None = None) -> ReplayOutcome:
        """Run `backward` in its present form. Raises what it raises, and ValueError if it returns what cannot be a gradient.

        `watch` is called with ctx and the incoming gradients before.
        """
        return self._backward(self._fresh_ctx(), watch)

    def _backward(self, ctx: Any, watch: Watch | None = None) -> ReplayOutcome:
        incoming = [self._materialised(ctx, place, each) for place, each in enumerate(self.trial.incoming)]
        given = [(each, each._version) for each in incoming if each is not None]
        saved = [(each, each._version) for each in saved_on(ctx)]
        for place, argument in enumerate(self.trial.arguments):
            self.twin.namespace[OPTION.format(place)] = argument
        if watch is not None:
            watch(ctx, incoming)
        with torch.no_grad():
            returned = self.twin.kind.backward(ctx, *incoming)
        gradients, missing, summed = self._by_place(returned if isinstance(returned, tuple) else (returned,))
        changed_incoming, changed_saved = (any(each._version != was for each, was in tensors) for tensors in (given, saved))
        return ReplayOutcome(gradients, missing, summed, changed_incoming, changed_saved)

    def _materialised(self, ctx: Any, place: int, grad: torch.Tensor | None) -> torch.Tensor | None:
        """Return a copy of an incoming gradient. If there is none, return zeros, as autograd does by default."""
        if grad is not None:
            return grad.clone()
        output = self.outputs[place]
        return torch.zeros_like(output) if getattr(ctx, "materialize_grads", True) and isinstance(output, torch.Tensor) else None

    def _by_place(self, returned: tuple[Any, ...]) -> tuple[dict[int, torch.Tensor], set[int], set[int]]:
        gradients, missing, summed = {}, set(), set()
        for place in self.trial.expected:
            like = self.trial.arguments[place]
            grad = returned[place] if place < len(returned) else None
            if grad is None:
                missing.add(place)
                grad = torch.zeros_like(like)
            if not isinstance(grad, torch.Tensor):
                raise ValueError("not a tensor")
            if grad.shape != like.shape:
                summed.add(place)
                grad = grad.sum_to_size(like.shape)
            gradients[place] = (grad.real if grad.is_complex() and not like.is_complex() else grad).detach().to(like.dtype)
        return gradients, missing, summed


def distance(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference of two gradients, relative to the largest entry of the right one; inf if `got` has nan.

    Entries that are unknown, which means nan in `expected`, are not compared.
    """
    known = torch.isfinite(expected)
    if not bool(known.any()):
        return 0.0
    got, expected = got[known], expected[known]
    found = float((got - expected).abs().max()) / (float(expected.abs().max()) or 1.0)
    return found if found == found else float("inf")


def fresh_arguments(arguments: Sequence[Any], generator: torch.Generator) -> tuple[Any, ...]:
    """Return the arguments with other values of the same sign where a gradient is needed. A symmetric matrix stays symmetric."""
    return tuple(_fresh(each, generator) if has_gradient(each) else each for each in arguments)


def _fresh(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    value = tensor.detach()
    noise = 0.1 * (2 * torch.rand(value.shape, generator=generator, dtype=torch.float64, device=value.device) - 1)
    if value.dim() >= 2 and value.shape[-1] == value.shape[-2] and torch.equal(value, value.mT):
        noise = (noise + noise.mT) / 2
    return (value * (1 + noise) if bool(value.any()) else value + noise).requires_grad_()


def run_forward(twin: Twin, given: Sequence[Any]) -> tuple[tuple[Any, ...], Any]:
    """Run `forward` on copies, each time with the same random numbers, and return its outputs and ctx. Raises what it raises."""
    arguments = tuple(map(copied, given))
    ctx: Any = StubContext(tuple(has_gradient(each) for each in arguments))
    torch.default_generator.manual_seed(SEED)
    with torch.no_grad():
        if not has_setup_context(twin.kind):
            returned = twin.kind.forward(ctx, *arguments)
        else:
            returned = twin.kind.forward(*arguments)
            twin.kind.setup_context(ctx, arguments, returned)
    return returned if isinstance(returned, tuple) else (returned,), ctx
