"""What the nodes of a graph have saved, as the process that made it sees it. Runs in the learner's child: it is reported, not judged."""

from typing import Any

import torch

from app.protocol.calls import Saved
from app.runtimes.torch.calls.held_graph import is_differentiable
from app.runtimes.torch.tensors import dtype_of, is_tensor, kept_in, shape_of

_NODES = 1000


def saved_by(outputs: list[Any]) -> list[Saved]:
    """Each tensor that a node behind the outputs keeps, once: on its ctx, with save_for_backward or in PyTorch's own fields."""
    waiting = [kept_in(output, "grad_fn") for output in outputs if is_differentiable(output)]
    seen: set[Any] = set()
    found: dict[tuple[int, tuple[int, ...]], Saved] = {}
    while waiting and len(seen) < _NODES:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for tensor in _kept_by(node):
            shape = shape_of(tensor) or []
            size = kept_in(tensor, "dtype").itemsize * torch.Size(shape).numel()
            found[tensor.data_ptr(), tuple(shape)] = Saved(shape=shape, dtype=dtype_of(tensor), bytes=size)
        waiting += [following for following, _ in node.next_functions]
    return list(found.values())


def _kept_by(node: Any) -> list[torch.Tensor]:
    values = [*vars(node).values()] if hasattr(node, "__dict__") else []
    if hasattr(node, "saved_tensors"):
        values += node.saved_tensors
    values += [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]
    return [value for value in values if is_tensor(value)]
