"""Finds out whether a learner's function makes a mistake that the author describes. Runs in the grader's child."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import RaisedThere
from app.runtimes.torch.grading.checks.agreement import agree, needs_grad
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.draws import as_list
from app.runtimes.torch.grading.not_passed import NotPassed

Returned = torch.Tensor | tuple[torch.Tensor | None, ...] | list[torch.Tensor | None] | None
_TIMES = 2  # how often arguments are drawn: what agrees once may do so by chance


def behaves_like(
    pair: FunctionPair,
    forward: Callable[..., Any] | None = None,
    backward: Callable[..., Returned] | None = None,
    second: Callable[..., Returned] | None = None,
) -> bool:
    """Return whether the learner's function returns what the author's functions return. A function that is None is not compared.

    The author's functions are called as `forward(*args)`, `backward(*grads, *args)` and `second(*grad_grads, *grads, *args)`. `backward`
    and `second` return the gradients of the arguments that require grad, or of all arguments.
    """
    try:
        return all(_behaves_like_once(pair, forward, backward, second) for _ in range(_TIMES))
    except (NotPassed, RaisedThere):
        return False


def _behaves_like_once(
    pair: FunctionPair, forward: Callable[..., Any] | None, backward: Callable[..., Any] | None, second: Callable[..., Any] | None
) -> bool:
    args = pair.drawn()
    plain = _detached(args)
    graph = pair.theirs.call(args)
    if forward is not None and not _all_agree(graph.outputs, as_list(forward(*plain))):
        return False
    if backward is None and second is None:
        return True
    grads = pair.incoming(graph, grad=second is not None)
    if all(grad is None for grad in grads):
        return False
    pulled = pair.theirs.pull(graph, grads, keep=second is not None)
    if backward is not None and not _all_agree(pulled.outputs, _of_needing(args, backward(*_detached(grads), *plain))):
        return False
    if second is None:
        return True
    given = pair.incoming_gradients(pulled)
    if all(grad is None for grad in given):
        return False
    expected = _of_needing(args, second(*_detached(given), *_detached(grads), *plain))
    return _all_agree(pair.theirs.pull(pulled, given).outputs[: len(expected)], expected)


def _detached(values: Sequence[Any]) -> list[Any]:
    return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]


def _of_needing(args: list[Any], gradients: Any) -> list[Any]:
    """Return the gradients of the arguments that require grad. `gradients` has only these, or those of all arguments."""
    listed = as_list(gradients)
    if len(listed) == len(args):
        return [gradient for gradient, value in zip(listed, args, strict=True) if needs_grad(value)]
    return listed


def _all_agree(got: Sequence[Any], expected: Sequence[Any]) -> bool:
    return len(got) == len(expected) and all(_agrees(one, other) for one, other in zip(got, expected, strict=True))


def _agrees(got: Any, expected: Any) -> bool:
    if isinstance(got, torch.Tensor) and isinstance(expected, torch.Tensor):
        return agree(got, expected.to(got.dtype) if expected.dtype.is_floating_point else expected)
    if got is None or expected is None:
        return agree(got, expected) if isinstance(got, torch.Tensor) or isinstance(expected, torch.Tensor) else got is expected
    return bool(got == expected)
