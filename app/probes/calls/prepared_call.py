"""A call of a Function that can be repeated any number of times, each time with new copies and the same random numbers."""

import inspect
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import torch
from torch.autograd.function import Function, _SingleLevelFunction

from app.probes.calls.copies import copied, has_gradient, in_double, mapped, tensors_of

SEED = 20250
POSITIONAL = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
_apply = Function.__dict__["apply"].__func__  # a subclass may have an `apply` of its own

Incoming = Sequence[torch.Tensor | None]
ReadSource = Callable[[str], str | None]
"""Returns the text of a source file by the name under which it was compiled; None if it is not the learner's."""


class ApplyCall(NamedTuple):
    """A call that is to be examined. `arguments`: those of `apply`, in copies that belong to the probes.

    A tensor that needs a gradient is a leaf.
    """

    function: type[Function]
    arguments: tuple[Any, ...]


class PreparedCall:
    """A call. `inputs`: the positions of the arguments that need a gradient. `in_double`: whether floating tensors were made double."""

    def __init__(self, call: ApplyCall, *, double: bool) -> None:
        self.function = call.function
        self.in_double = double
        self.arguments: tuple[Any, ...] = tuple((in_double if double else copied)(each) for each in call.arguments)
        self.inputs = [place for place, each in enumerate(self.arguments) if has_gradient(each)]

    @property
    def call(self) -> ApplyCall:
        return ApplyCall(self.function, self.arguments)

    def with_arguments(self, arguments: Iterable[Any]) -> "PreparedCall":
        return PreparedCall(ApplyCall(self.function, tuple(arguments)), double=self.in_double)

    def with_function(self, function: type[Function]) -> "PreparedCall":
        return PreparedCall(ApplyCall(function, self.arguments), double=self.in_double)

    def with_value(self, place: int, value: torch.Tensor) -> "PreparedCall":
        """Return the call with another value of one input."""
        value = value.detach().requires_grad_()
        return self.with_arguments(value if each == place else argument for each, argument in enumerate(self.arguments))

    def needing_only(self, inputs: Iterable[int]) -> "PreparedCall":
        """Return the call in which only these arguments need a gradient."""
        wanted = set(inputs)
        return self.with_arguments(
            each.detach().requires_grad_(place in wanted) if isinstance(each, torch.Tensor) and can_need(each) else each
            for place, each in enumerate(self.arguments)
        )

    def apply(self) -> "Applied":
        """Call the Function. Raises what it raises."""
        return Applied(self)

    def name_of(self, place: int) -> str:
        """Return the name of the parameter of `forward` that gets this argument."""
        names = parameter_names(self.function)
        return names[place] if place < len(names) else f"{place + 1}"


class Applied:
    """One forward pass. `given`: what the Function got: copies, which are no leaves and may be changed in place.

    `outputs`: all outputs, including those that are no tensors. `differentiable`: the positions of the outputs that need a gradient.
    """

    def __init__(self, prepared: PreparedCall) -> None:
        self.leaves = {place: prepared.arguments[place].detach().clone().requires_grad_() for place in prepared.inputs}
        self.given = tuple(
            leaf.clone() if (leaf := self.leaves.get(place)) is not None else mapped(each, lambda tensor: tensor.detach().clone())
            for place, each in enumerate(prepared.arguments)
        )
        with torch.enable_grad():
            seed_all(SEED)
            returned = _apply(prepared.function, *self.given)
        self.outputs: tuple[Any, ...] = returned if isinstance(returned, tuple) else (returned,)
        self.differentiable = [place for place, each in enumerate(self.outputs) if has_gradient(each) and each.grad_fn is not None]

    def differentiable_outputs(self) -> list[torch.Tensor]:
        return [self.outputs[place] for place in self.differentiable]

    def zeros(self) -> list[torch.Tensor | None]:
        """Return an incoming gradient of zeros for each differentiable output."""
        return [torch.zeros_like(each) if place in self.differentiable else None for place, each in enumerate(self.outputs)]

    def gradients(self, incoming: Incoming) -> dict[int, torch.Tensor]:
        """Return the gradient of each input, zeros for an input without one. The graph can be used again. Raises what `backward` raises."""
        pairs = [(self.outputs[place], each) for place, each in enumerate(incoming) if each is not None]
        outputs, grads = [output for output, _ in pairs], [grad for _, grad in pairs]
        leaves = list(self.leaves.values())
        try:
            found = torch.autograd.grad(outputs, leaves, grads, retain_graph=True, allow_unused=True)
        except RuntimeError:  # a backward may refuse `autograd.grad`, as that of a checkpoint does
            for leaf in leaves:
                leaf.grad = None
            torch.autograd.backward(outputs, grads, retain_graph=True)
            found = tuple(leaf.grad for leaf in leaves)
        return {
            place: torch.zeros_like(leaf) if each is None else each.detach().clone()
            for (place, leaf), each in zip(self.leaves.items(), found, strict=True)
        }


def seed_all(seed: int) -> None:
    """Seed all generators from which a Function may draw. The caller restores their states."""
    torch.default_generator.manual_seed(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def has_setup_context(function: type[Function]) -> bool:
    return function.setup_context is not _SingleLevelFunction.setup_context


def forward_parameters(function: type[Function]) -> list[inspect.Parameter]:
    """Return the parameters of `forward` without ctx; none if they are not known."""
    try:
        parameters = list(inspect.signature(function.forward).parameters.values())
    except (TypeError, ValueError):
        return []
    return parameters if has_setup_context(function) else parameters[1:]


def parameter_names(function: type[Function]) -> list[str]:
    """Return the names of the parameters of `forward` without ctx. A `*name` becomes `name[0]`, `name[1]`, …"""
    names: list[str] = []
    for each in forward_parameters(function):
        if each.kind is each.VAR_POSITIONAL:
            return [*names, *(f"{each.name}[{index}]" for index in range(64))]
        names.append(each.name)
    return names


def can_need(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def is_double(prepared: PreparedCall, applied: Applied) -> bool:
    """Return whether the Function takes and returns double precision."""
    tensors = [*(each for place in prepared.inputs for each in tensors_of(prepared.arguments[place])), *applied.differentiable_outputs()]
    return all(each.dtype in (torch.float64, torch.complex128) for each in tensors)
