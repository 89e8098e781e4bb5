"""Whether a learner's function behaves as a known mistake does. Runs in the grader's child."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.torch.calls.remote_graph import RemoteGraph
from app.runtimes.torch.grading.agreement import agree, needs_grad
from app.runtimes.torch.grading.draws import as_list

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_TIMES = 2


def is_like(
    subject: "Subject", forward: Callable[..., Any] | None, backward: Callable[..., Any] | None, second: Callable[..., Any] | None
) -> bool:
    """Whether outputs, gradients and second gradients, as far as they are given, are those of the mistake, for two lists of arguments."""
    return all(_is_like_once(subject, forward, backward, second) for _ in range(_TIMES))


def _is_like_once(
    subject: "Subject", forward: Callable[..., Any] | None, backward: Callable[..., Any] | None, second: Callable[..., Any] | None
) -> bool:
    args = subject.drawn()
    plain = _plain(args)
    graph = subject.theirs.call(args)
    if forward is not None and not _all_agree(graph.outputs, as_list(forward(*plain))):
        return False
    grads = subject.incoming(graph, grad=second is not None)
    if backward is None and second is None:
        return True
    if all(grad is None for grad in grads):
        return False
    pulled = subject.theirs.pull(graph, grads, keep=second is not None)
    if backward is not None and not _all_agree(pulled.outputs, _of_needing(args, backward(*_plain(grads), *plain))):
        return False
    return second is None or _second_agrees(subject, args, plain, pulled, grads, second)


def _second_agrees(
    subject: "Subject",
    args: list[Any],
    plain: list[Any],
    pulled: RemoteGraph,
    grads: list[torch.Tensor | None],
    second: Callable[..., Any],
) -> bool:
    given = subject.incoming_gradients(pulled)
    if all(grad is None for grad in given):
        return False
    expected = _of_needing(args, second(*_plain(given), *_plain(grads), *plain))
    return _all_agree(subject.theirs.pull(pulled, given).outputs[: len(expected)], expected)


def _plain(values: Sequence[Any]) -> list[Any]:
    return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]


def _of_needing(args: list[Any], gradients: Any) -> list[Any]:
    """One for each argument that requires grad, of as many or of one for each argument."""
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
