"""Calls a function in this process, or computes gradients, and stores what a later pull needs. Runs in both children of a submission.

A pull computes the vector–Jacobian products of a call or of an earlier pull. The grader calls the reference in the same way as the
learner's function.
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
    """A call or a pull in this process. `outputs` may be anything.

    A later pull returns a gradient for each of the `inputs`. An input is None if its position has no gradient.
    """

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
    """Call `function` with grad enabled.

    `inputs` are the leaves of the function's arguments. app.protocol.calls.Call explains `siblings`. The tensors in `arguments` are added
    to the outputs, in their state after the call.
    """
    with _enable_grad():
        returned = function(*args, **kwargs)
        is_sequence = issubclass(type(returned), (tuple, list))
        outputs = list(returned) if is_sequence else [returned]
        places: list[torch.Tensor | None] = list(inputs)
        if siblings:
            for index, output in enumerate(outputs):
                zero = None
                if is_differentiable(output):
                    with _no_grad():
                        zero = _zeros_like(output).requires_grad_()
                    outputs[index] = output + zero
                places.append(zero)
    return LocalGraph(places, outputs + (arguments or []), is_sequence)


def pull_through(graph: LocalGraph, grads: list[torch.Tensor | None], *, keep: bool, whole: bool = False) -> LocalGraph:
    """Return the gradients of the graph's inputs as a new graph. With `keep`, the new graph can be differentiated in turn.

    `grads` has one gradient for each output, None for an output that is left out. app.protocol.calls.Pull explains `whole`. Raises
    ValueError if the number of gradients is wrong, and what torch raises.
    """
    if len(grads) != len(graph.outputs):
        raise ValueError(f"{len(grads)} gradients for {len(graph.outputs)} outputs")
    with _enable_grad():
        outputs = [(o, g) for o, g in zip(graph.outputs, grads, strict=True) if g is not None and is_differentiable(o)]
        if all(grad is None for grad in grads):  # send undefined gradients, in the way that torch itself does
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
    with ignored_warnings():  # about the reference cycle between a leaf and its gradient, which is removed below
        _backward(outputs, grads, retain_graph=True, create_graph=keep)
    for value in inputs:
        if value is not None:
            value.grad = None


def is_differentiable(value: Any) -> bool:
    return issubclass(type(value), _tensor) and _requires_grad(value)
