"""Finds the places in a Function's methods that end the path of a gradient, while the methods run. Runs in the child."""

from typing import Any, Literal

import torch
from torch.autograd.function import once_differentiable
from torch.overrides import TorchFunctionMode

from app.protocol.records.record import Span
from app.protocol.records.saved import CutReason
from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.functions.saving_places import decorator_span, unwrapped
from app.runtimes.torch.tracing.functions.tensor_search import tensors_in

Method = Literal["forward", "backward"]


class CutWatch(TorchFunctionMode):
    """Records where the path of a gradient is ended: by `detach`, `.data`, `no_grad`, or by leaving PyTorch."""

    def __init__(self, sources: Sources, function: Any) -> None:
        super().__init__()
        self._sources, self._function = sources, function
        self.method: Method = "forward"
        self.cuts: list[tuple[CutReason, Method, Span | None]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        reason = reason_of(func, args)
        if reason is not None:
            span = self._sources.caller()
            if span is None and reason == "no_grad" and not is_once_differentiable(getattr(self._function, self.method)):
                span = decorator_span(self._sources, self._function, self.method, "no_grad")
            self.add(reason, span)
        if reason == "numpy":  # grad mode forbids numpy(); in a real run, forward and backward run without it
            with torch.no_grad():
                return func(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))

    def add(self, reason: CutReason, span: Span | None) -> None:
        cut = reason, self.method, span
        if span is not None and cut not in self.cuts:
            self.cuts.append(cut)


_REASONS: dict[Any, CutReason] = {
    torch.Tensor.detach: "detach",
    torch.Tensor.detach_: "detach",
    torch.Tensor.item: "item",
    torch.Tensor.tolist: "item",
    torch.Tensor.__float__: "item",
    torch.Tensor.__int__: "item",
    torch.Tensor.numpy: "numpy",
    torch.Tensor.__array__: "numpy",
}
_data = torch.Tensor.data.__get__  # type: ignore[attr-defined]
_set_grad_enabled = torch._C._set_grad_enabled
_ONCE = once_differentiable(tensors_in).__code__  # every decorated function has this code


def reason_of(func: Any, args: Any) -> CutReason | None:
    if func == _data:  # this object is a new one at each access
        return "data"
    if func == _set_grad_enabled:
        return "no_grad" if args and args[0] is False else None
    try:
        return _REASONS.get(func)
    except TypeError:  # not hashable
        return None


def is_once_differentiable(method: Any) -> bool:
    return any(getattr(each, "__code__", None) is _ONCE for each in unwrapped(method))
