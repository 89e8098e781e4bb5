"""The value of a trailing expression. Runs in the child."""

from typing import Any

import graphviz
import torch
from torch._C import DisableTorchFunctionSubclass

from app.protocol.number import encode_entries
from app.protocol.records.value import VALUE_ENTRIES, ValueDisplay
from app.runtimes.plain_text import VALUE_CHARACTERS, plain, repr_of, type_name
from app.runtimes.positions import Place
from app.runtimes.recorder import Recorder
from app.runtimes.torch.instruments.dot import DotError
from app.runtimes.torch.instruments.make_dot import GraphObserver
from app.runtimes.torch.tensors import dtype_of, is_tensor, shape_of

_GRAPHS = (graphviz.Graph, graphviz.Digraph, graphviz.Source)


class ValueObserver:
    """Shows a trailing expression: a graph as a graph, anything else as its repr and, for a tensor, its facts."""

    def __init__(self, recorder: Recorder, graphs: GraphObserver) -> None:
        self._recorder = recorder
        self._graphs = graphs

    def show(self, value: Any, place: Place, title: str) -> None:
        if issubclass(type(value), _GRAPHS):
            try:
                self._graphs.show_value(value, place, title)
            except DotError:
                self._recorder.show(ValueDisplay(title=title, text=plain(str(value.source), VALUE_CHARACTERS)), place)
        else:
            self._recorder.show(value_display(value, title), place)


def value_display(value: Any, title: str) -> ValueDisplay:
    display = ValueDisplay(title=title, text=repr_of(value))
    if is_tensor(value):
        with DisableTorchFunctionSubclass(), torch.no_grad():
            display.shape, display.dtype = shape_of(value), dtype_of(value)
            display.requires_grad = value.requires_grad
            display.grad_fn = None if value.grad_fn is None else type_name(value.grad_fn)
            display.values = tensor_values(value)
    return display


def tensor_values(tensor: torch.Tensor) -> Any:
    """The entries, nested as the tensor is; None when there are too many, or none that could be read."""
    if tensor.layout != torch.strided or tensor.device.type != "cpu" or tensor.is_quantized or tensor.numel() > VALUE_ENTRIES:
        return None
    try:
        return encode_entries(tensor.detach().tolist())
    except Exception:  # a nested, wrapped or otherwise unreadable tensor
        return None
