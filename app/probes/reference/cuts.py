"""Records what a method of a Function does that ends the path of a gradient."""

from typing import Any, Literal

import torch
from torch.overrides import TorchFunctionMode

Cut = Literal["detach", "data", "item", "numpy", "no_grad", "copy"]

_REASONS: dict[Any, Cut] = {
    torch.Tensor.detach: "detach",
    torch.Tensor.detach_: "detach",
    torch.detach: "detach",
    torch.Tensor.requires_grad_: "detach",
    torch.Tensor.item: "item",
    torch.Tensor.tolist: "item",
    torch.Tensor.__float__: "item",
    torch.Tensor.__int__: "item",
    torch.Tensor.__complex__: "item",
    torch.Tensor.__index__: "item",
    torch.Tensor.__bool__: "item",
    torch.Tensor.numpy: "numpy",
    torch.Tensor.__array__: "numpy",
    torch.Tensor.new_tensor: "copy",
    torch.tensor: "copy",
    torch.as_tensor: "copy",
    torch.Tensor.untyped_storage: "numpy",
    torch.Tensor.data_ptr: "numpy",
    torch.Tensor.set_: "data",
}
_data = torch.Tensor.data.__get__  # type: ignore[attr-defined]
_set_data = torch.Tensor.data.__set__  # type: ignore[attr-defined]
_set_grad_enabled = torch._C._set_grad_enabled
STEPS = {
    *(torch.round, torch.floor, torch.ceil, torch.trunc, torch.fix, torch.sign, torch.sgn, torch.heaviside, torch.bucketize),
    *(torch.argmax, torch.argmin, torch.topk, torch.sort, torch.argsort, torch.bernoulli, torch.multinomial, torch.searchsorted),
    *(torch.Tensor.round, torch.Tensor.floor, torch.Tensor.ceil, torch.Tensor.trunc, torch.Tensor.sign, torch.Tensor.sgn),
    *(torch.Tensor.argmax, torch.Tensor.argmin, torch.Tensor.int, torch.Tensor.long, torch.Tensor.floor_divide, torch.Tensor.round_),
    *(torch.Tensor.sign_, torch.Tensor.bernoulli, torch.Tensor.topk, torch.Tensor.__floordiv__),
}


class CutMode(TorchFunctionMode):
    """Records cuts. `cuts`: what ended the path of a tensor that needs a gradient. Everything that is computed without grad mode counts.

    `steps`: whether a tensor was rounded, or an index was taken from one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cuts: set[Cut] = set()
        self.steps = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        reason = cut_of(func, args)
        if reason is not None:
            self.cuts.add(reason)
        self.steps = self.steps or func in STEPS
        if reason == "numpy":  # PyTorch refuses this for a tensor that needs a gradient; in the program the tensor does not need one here
            with torch.no_grad():
                return func(*[each.detach() if isinstance(each, torch.Tensor) else each for each in args], **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def cut_of(func: Any, args: Any) -> Cut | None:
    if func == _set_grad_enabled:
        return "no_grad" if args and args[0] is False else None
    tensor = args[0] if args else None
    if not (isinstance(tensor, torch.Tensor) and tensor.requires_grad):
        return None
    if func in (_data, _set_data):  # compared by value, because each access makes a new object
        return "data"
    return _REASONS.get(func)
