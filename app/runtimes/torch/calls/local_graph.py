"""One call, or one pull through a call, with what it can be pulled through again. Runs in both children of a submission.

The process that has a function keeps these for the one that asks; the grader makes them of the reference as well, so both are asked alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from app.runtimes.silence import ignored_warnings

# Taken before a learner can replace them.
_backward = torch.autograd.backward
_grad, _enable_grad, _no_grad, _zeros_like, _ones_like = (
    torch.autograd.grad,
    torch.enable_grad,
    torch.no_grad,
    torch.zeros_like,
    torch.ones_like,
)
_undefined = torch._C._functions.UndefinedGrad
_tensor, _requires_grad = torch.Tensor, torch.Tensor.requires_grad.__get__  # type: ignore[attr-defined]


@dataclass(slots=True)
class LocalGraph:
    """`inputs`: those that gradients are asked for, None for a place without one. `outputs`: tensors, or anything."""

    inputs: list[torch.Tensor | None]
    outputs: list[Any]
    is_sequence: bool = False


def call_function(
    function: Callable[..., Any],
    args: list[Any],
    kwargs: dict[str, Any],
    inputs: list[torch.Tensor],
    *,
    siblings: bool = False,
    arguments: list[torch.Tensor] | None = None,
) -> LocalGraph:
    """Call it with grad enabled. `inputs`: the leaves of its arguments; `arguments`: these, after the call, are outputs as well."""
    with _enable_grad():
        returned = function(*args, **kwargs)
        is_sequence = issubclass(type(returned), (tuple, list))
        outputs = list(returned) if is_sequence else [returned]
        places: list[torch.Tensor | None] = list(inputs)
        if siblings:
            for index, output in enumerate(outputs):
                zero = _zero_beside(output)
                places.append(zero)
                if zero is not None:
                    outputs[index] = output + zero
    return LocalGraph(places, outputs + (arguments or []), is_sequence)


def _zero_beside(output: Any) -> torch.Tensor | None:
    if not is_differentiable(output):
        return None
    with _no_grad():
        return _zeros_like(output).requires_grad_()


def pull_through(graph: LocalGraph, grads: list[torch.Tensor | None], *, keep: bool, whole: bool = False) -> LocalGraph:
    """The gradients of the graph's inputs. `grads`: one for each output; None is an output that takes no part. `whole`: see Pull.

    Raises ValueError if their number is wrong, and what torch raises.
    """
    if len(grads) != len(graph.outputs):
        raise ValueError(f"{len(grads)} gradients for {len(graph.outputs)} outputs")
    with _enable_grad():
        outputs = [(o, g) for o, g in zip(graph.outputs, grads, strict=True) if g is not None and is_differentiable(o)]
        if all(grad is None for grad in grads):  # not left out, but undefined: this is how torch itself sends one
            outputs = [(_undefined()(o), _ones_like(o)) for o in graph.outputs if is_differentiable(o)]
        if whole and outputs:
            _backward_through([output for output, _ in outputs], [grad for _, grad in outputs], graph.inputs, keep)
        places = [index for index, value in enumerate(graph.inputs) if value is not None and _requires_grad(value)]
        pulled: list[Any] = [None] * len(graph.inputs)
        if outputs and places:
            gradients = _grad(
                [output for output, _ in outputs],
                [value for value in graph.inputs if value is not None and _requires_grad(value)],
                [grad for _, grad in outputs],
                retain_graph=True,
                create_graph=keep,
                allow_unused=True,
            )
            for index, gradient in zip(places, gradients, strict=True):
                pulled[index] = gradient
    return LocalGraph([*graph.inputs, *grads], pulled, is_sequence=True)


def _backward_through(outputs: list[Any], grads: list[torch.Tensor], inputs: list[torch.Tensor | None], keep: bool) -> None:
    with ignored_warnings():  # of the cycle between a leaf and its gradient, which is cut below
        _backward(outputs, grads, retain_graph=True, create_graph=keep)
    for value in inputs:
        if value is not None:
            value.grad = None


def is_differentiable(value: Any) -> bool:
    return issubclass(type(value), _tensor) and _requires_grad(value)
