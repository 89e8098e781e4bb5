"""Lists the tensors that the nodes of a graph have saved. Runs in the learner's child, so the list is a report and no proof."""

from collections.abc import Iterable
from typing import Any

import torch
from torch.utils import checkpoint

from app.protocol.calls import Saved
from app.runtimes.torch.calls.local_graph import is_differentiable
from app.runtimes.torch.tensors import dtype_of, is_tensor, read_field, shape_of

_NODES = 1000  # the most nodes that are visited
_Checkpoint = checkpoint._CheckpointFrame


def saved_by(outputs: list[Any]) -> list[Saved]:
    """Return the tensors, each once, that nodes behind the outputs have saved: on ctx, by save_for_backward, in PyTorch's fields."""
    waiting = [read_field(output, "grad_fn") for output in outputs if is_differentiable(output)]
    seen: set[Any] = set()
    found: dict[tuple[int, tuple[int, ...]], Saved] = {}
    while waiting and len(seen) < _NODES:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for tensor in _saved_by_node(node):
            shape = shape_of(tensor) or []
            size = read_field(tensor, "dtype").itemsize * torch.Size(shape).numel()
            found[tensor.data_ptr(), tuple(shape)] = Saved(shape=shape, dtype=dtype_of(tensor), bytes=size)
        waiting += [following for following, _ in node.next_functions]
    return list(found.values())


def _saved_by_node(node: Any) -> list[torch.Tensor]:
    values = _flat(vars(node).values()) if hasattr(node, "__dict__") else []
    for name in dir(node):
        if name.startswith("_raw_saved_"):
            saved = getattr(node, name)
            for one in saved if isinstance(saved, tuple) else (saved,):
                values += _tensors_of(one)
    return [value for value in values if is_tensor(value)]


def _tensors_of(saved: Any) -> list[Any]:
    """Return a saved tensor, or the tensors from which a hook would compute it, such as a checkpoint's inputs. Calls no hook."""
    values = _flat([getattr(saved, "data", None)])
    for cell in getattr(getattr(saved, "unpack_hook", None), "__closure__", None) or ():
        if isinstance(cell.cell_contents, _Checkpoint):  # the inputs of a checkpoint in another one are themselves inputs of the other
            values += [value for one in cell.cell_contents.saved_args for value in _tensors_of(one)]
    return values


def _flat(values: Iterable[Any]) -> list[Any]:
    """Return the values, with lists and tuples replaced by their items."""
    return [inner for one in values for inner in (one if type(one) in (list, tuple) else [one])]
