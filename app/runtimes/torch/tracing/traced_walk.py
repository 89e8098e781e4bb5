"""Walks the graph of a call of make_dot as torchviz does, but gives each saved tensor a box of its own. Runs in the child."""

from collections.abc import Iterator
from typing import Any

import torch

from app.runtimes.torch.identities import IDENTITIES, is_custom
from app.runtimes.torch.instruments.graph_walk import GraphWalk, role_of
from app.runtimes.torch.tensors import dtype_of, shape_of
from app.runtimes.torch.tracing.functions.stored_tensor import box_id
from app.runtimes.torch.tracing.functions.tensor_search import attribute_values
from app.runtimes.torch.tracing.passes.pass_graph import box_of


class TracedWalk(GraphWalk):
    """The walk for one call of make_dot. Two functions that saved the same tensor have two boxes.

    What custom Functions saved, on ctx too, is always drawn; what PyTorch's own functions saved only with `show_saved`.
    """

    def _visit(self, function: Any) -> Iterator[Any]:
        is_new = id(function) not in self._seen
        yield from super()._visit(function)
        if is_new and is_custom(function):
            for key, tensor in attribute_values(function):
                self._add_box(function, key, f"ctx.{key}", tensor)

    def _draw_saved(self, function: Any, tensor: torch.Tensor, name: str, index: int | None = None) -> None:
        self._add_box(function, name if index is None else str(index), name, tensor)

    def _add_box(self, function: Any, key: str, name: str, tensor: torch.Tensor) -> None:
        box = box_of(box_id(IDENTITIES.node(function), key), "saved", name or None, shape_of(tensor), dtype_of(tensor))
        box.saved_role = role_of(tensor, function)
        self.model.add_box(box, function, from_function=not is_custom(function))
