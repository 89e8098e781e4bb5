"""Makes a function of another process look like one of this process, so that torch's own gradcheck and gradgradcheck can check it.

The forward of the local function requests a call from the other process. Its backward applies a second Function, which requests the
gradients of that call (a pull). The backward of the second Function requests the gradients of that pull, and so on to any order. The
grader checks a learner's function in this way. A learner's own check uses the same way for the grader's candidates.
"""

from collections.abc import Callable
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import Asker, RemoteGraph
from app.runtimes.torch.calls.tensor_data import tensors_in

_is_grad_enabled = torch.is_grad_enabled


class RemoteCall(torch.autograd.Function):
    """A call of a function in the other process. `tensors` are its tensor arguments."""

    @staticmethod
    def forward(ctx: Any, asking: "_Asking", *tensors: torch.Tensor) -> Any:
        graph = asking.call(tensors)
        ctx.asker, ctx.graph = asking.asker, graph
        ctx.positions = [index for index, tensor in enumerate(tensors) if tensor.requires_grad]
        ctx.count = len(tensors)
        ctx.save_for_backward(*(tensors[index] for index in ctx.positions))
        ctx.set_materialize_grads(False)
        _take_over_changes(tensors, graph)
        ctx.mark_non_differentiable(*_not_differentiable(graph))
        return tuple(graph.outputs)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        pulled = pull_remotely(ctx.asker, ctx.graph, list(ctx.saved_tensors), grads)
        gradients: list[Any] = [None] * ctx.count
        for index, gradient in zip(ctx.positions, pulled, strict=True):
            gradients[index] = gradient
        return None, *gradients


class RemotePull(torch.autograd.Function):
    """Computes the gradients of a remote graph. `tensors` are the graph's inputs, then the incoming gradients; both may contain None."""

    @staticmethod
    def forward(ctx: Any, asker: Asker, graph: RemoteGraph, keep: bool, *tensors: torch.Tensor | None) -> Any:
        ctx.asker = asker
        ctx.graph = asker.pull(graph, tensors[len(graph.inputs) :], keep=keep)
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*_not_differentiable(ctx.graph))
        return tuple(ctx.graph.outputs)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        pulled = pull_remotely(ctx.asker, ctx.graph, list(ctx.saved_tensors), grads)
        return None, None, None, *pulled


def pull_remotely(
    asker: Asker, graph: RemoteGraph, inputs: list[torch.Tensor | None], grads: tuple[torch.Tensor | None, ...]
) -> tuple[Any, ...]:
    """Return the gradients of a remote graph's inputs. They are differentiable if grad is enabled."""
    apply: Callable[..., tuple[Any, ...]] = RemotePull.apply
    return apply(asker, graph, _is_grad_enabled(), *inputs, *grads)


def _not_differentiable(graph: RemoteGraph) -> list[torch.Tensor]:
    return [
        output for output, able in zip(graph.outputs, graph.differentiable, strict=True) if isinstance(output, torch.Tensor) and not able
    ]


def _take_over_changes(tensors: tuple[torch.Tensor, ...], graph: RemoteGraph) -> None:
    """Copy to the arguments in this process what the call changed in place in the other process."""
    for tensor, after in zip(tensors, graph.after, strict=True):
        if after is None or (after.shape, after.dtype) != (tensor.shape, tensor.dtype):
            continue
        # only if they differ, because autograd counts writing equal values as a change, too
        if not torch.allclose(after, tensor, rtol=0, atol=0, equal_nan=True):
            tensor.copy_(after)


class _Asking:
    """A call to be made: its arguments, and the tensors in them as a list."""

    def __init__(self, asker: Asker, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.asker, self._function, self._args, self._kwargs = asker, function, args, kwargs
        self.tensors = list(tensors_in([*args, *kwargs.values()]))

    def call(self, tensors: tuple[torch.Tensor, ...]) -> RemoteGraph:
        remaining = iter(tensors)

        def put(value: Any) -> Any:
            if type(value) in (list, tuple):
                return [put(item) for item in value]
            return next(remaining) if isinstance(value, torch.Tensor) else value

        args = [put(value) for value in self._args]
        kwargs = {name: put(value) for name, value in self._kwargs.items()}
        self.graph = self.asker.call(self._function, args, kwargs)
        return self.graph


def remote_function(asker: Asker, name: str) -> Callable[..., Any]:
    """Return a function that calls the function `name` of the other process."""

    apply: Callable[..., tuple[Any, ...]] = RemoteCall.apply

    def function(*args: Any, **kwargs: Any) -> Any:
        """Call the other child's function. Raises TypeError for complex numbers.

        No exercise needs them, and a learner's check could recognise mutants by the errors that they raise there.
        """
        asking = _Asking(asker, name, args, kwargs)
        if any(tensor.is_complex() for tensor in asking.tensors):
            raise TypeError(f"{name} takes real numbers")
        outputs = apply(asking, *asking.tensors)
        return outputs if asking.graph.is_sequence else outputs[0]

    function.__name__ = function.__qualname__ = name
    function.__module__ = "__main__"
    return function
