"""A ctx that is not a node. A `forward` that is called with it has the graph of its own operations."""

from typing import Any

from torch.autograd.function import FunctionCtx


class StubContext(FunctionCtx):
    """Has the attributes of a ctx that the methods of a Function may use."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self.to_save: tuple[Any, ...] = ()

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        return self.to_save
