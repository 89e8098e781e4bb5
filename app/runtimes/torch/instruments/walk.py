"""Draw an autograd graph in torchviz's manner without torchviz: for when it raises. Runs in the child.

torchviz recurses (1,000 chained operations are too many for it) and reads saved tensors that a backward has freed. This
walk is iterative and leaves out what cannot be read.
"""

from collections.abc import Iterator
from typing import Any

import torch
from graphviz.quoting import quote

from app.runtimes.torch.tensors import is_tensor, shape_of

NODES = 20_001
_HEAD = (
    'digraph {\n\tgraph [size="12,12"]\n\tnode [align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled]\n'
)


class Walk:
    """The DOT of the graph behind some outputs, and the objects drawn, by id."""

    def __init__(self, outputs: Any, params: Any) -> None:
        self.objects: dict[str, Any] = {}
        self._names = {id(tensor): str(name) for name, tensor in params.items()} if type(params) is dict else {}
        self._lines: list[str] = []
        self._drawn: set[int] = set()
        for output in tensors_in(outputs):
            self._draw_output(output)

    @property
    def dot(self) -> str:
        return _HEAD + "".join(self._lines) + "}\n"

    def __bool__(self) -> bool:
        return bool(self._lines)

    def _draw_output(self, tensor: torch.Tensor, colour: str = "darkolivegreen1") -> None:
        if self._visited(tensor):
            return
        self._draw_tensor(tensor, colour)
        if tensor.grad_fn is not None:
            self._draw_functions(tensor.grad_fn)
            self._edge(tensor.grad_fn, tensor)
        if tensor._is_view() and tensor._base is not None:
            self._draw_output(tensor._base, "darkolivegreen3")
            self._edge(tensor._base, tensor, "[style=dotted]")

    def _draw_functions(self, root: Any) -> None:
        pending = [root]
        while pending and len(self.objects) < NODES:
            function = pending.pop()
            if self._visited(function):
                continue
            variable = getattr(function, "variable", None)
            if variable is not None and is_tensor(variable):
                self._drawn.add(id(variable))
                self._draw_tensor(variable, "lightblue")
                self._edge(variable, function)
            self._lines.append(f"\t{id(function)} [label={quote(type(function).__name__)}]\n")
            following = [following for following, _ in function.next_functions if following is not None]
            for next_function in following:
                self._edge(next_function, function)
            self._draw_saved(function)
            pending += reversed(following)

    def _draw_saved(self, function: Any) -> None:
        try:
            saved = getattr(function, "saved_tensors", ())
        except RuntimeError:  # freed by a backward
            return
        for tensor in saved:
            if is_tensor(tensor):
                self._edge(tensor, function, "[dir=none]")
                self._draw_tensor(tensor, "orange")

    def _draw_tensor(self, tensor: torch.Tensor, colour: str) -> None:
        self._keep(tensor)
        shape = ", ".join(str(length) for length in shape_of(tensor) or ())
        label = quote(f"{self._names.get(id(tensor), '')}\n ({shape})")
        self._lines.append(f"\t{id(tensor)} [label={label} fillcolor={colour}]\n")

    def _edge(self, source: Any, target: Any, attributes: str = "") -> None:
        # Both ends are kept: an object that was freed could give its address to another.
        self._keep(source)
        self._keep(target)
        self._lines.append(f"\t{id(source)} -> {id(target)} {attributes}\n")

    def _visited(self, item: Any) -> bool:
        """Whether it was visited before; from now on it was."""
        if id(item) in self._drawn:
            return True
        self._drawn.add(id(item))
        return False

    def _keep(self, item: Any) -> None:
        self.objects[str(id(item))] = item


def tensors_in(value: Any, depth: int = 4) -> Iterator[torch.Tensor]:
    """The tensors in a tensor, or in a list, tuple or dict of tensors."""
    if is_tensor(value):
        yield value
    elif depth and type(value) in (list, tuple, dict):
        for item in value.values() if type(value) is dict else value:
            yield from tensors_in(item, depth - 1)
