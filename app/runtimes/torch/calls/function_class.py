"""Whether an object is a Function class that a program wrote itself, with PyTorch's own `apply`. Runs in the learner's child.

It is looked at as it is in the end, however it came to be: imported, renamed, copied, patched or made of text.
"""

from collections.abc import Iterable
from operator import is_
from types import FunctionType
from typing import Any

import torch
from torch._functorch import utils
from torch.autograd import function

from app.protocol.calls import FunctionFault
from app.runtimes.positions import Sources
from app.runtimes.torch.calls.local_graph import is_differentiable
from app.runtimes.torch.tensors import read_field

# Taken before a learner can replace them.
_Function, _Meta, _Node = torch.autograd.Function, function.FunctionMeta, function.BackwardCFunction
_mro, _tables = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_METHODS: dict[FunctionFault, tuple[str, ...]] = {"forward": ("forward",), "backward": ("backward", "vjp", "jvp")}
_APPLY, _NODE_APPLY = _tables(_Function)["apply"], _tables(_Node)["apply"]
_UNWRAP = utils.unwrap_dead_wrappers  # which `apply` calls first
_CODES = [function.__code__ for function in (_APPLY.__func__, _NODE_APPLY, _UNWRAP)]
_WRAPPERS = 8  # around one method
_NODES = 64  # between outputs and the node of the Function


def find_fault(found: Any, sources: Sources) -> FunctionFault | None:
    """Why it is none: see Inspected. `sources`: the program's own."""
    if type(found) is not _Meta or _Function not in _mro(found) or found is _Function:
        return "base"
    own = [_tables(kind) for kind in _mro(found)[: _mro(found).index(_Function)]]
    if any("apply" in table for table in own):
        return "apply"
    if not _is_as_made(found, own[0].get("_backward_cls")):
        return "changed"
    for method, names in _METHODS.items():
        if not any(_is_written(next(iter(table[name] for table in own if name in table), None), sources) for name in names):
            return method
    return None


def _is_as_made(found: Any, node: Any) -> bool:
    """Whether PyTorch's own `apply` calls the class, and its node the backward of the class."""
    if type(node) is not type or _mro(node)[1:2] != (_Node,) or "apply" in _tables(node) or _tables(node).get("_forward_cls") is not found:
        return False
    codes = [function.__code__ for function in (_APPLY.__func__, _NODE_APPLY, _UNWRAP)]
    is_pytorchs = _tables(_Function)["apply"] is _APPLY and _tables(_Node)["apply"] is _NODE_APPLY and utils.unwrap_dead_wrappers is _UNWRAP
    return is_pytorchs and all(map(is_, codes, _CODES))


def is_result(outputs: Iterable[Any], found: Any) -> bool:
    """Whether each of the outputs that requires grad comes from a node of this Function; what was made of one of them counts as well."""
    node, waiting = _tables(found).get("_backward_cls"), [read_field(output, "grad_fn") for output in outputs if is_differentiable(output)]
    for _ in range(_NODES):
        if not waiting:
            return True
        one = waiting.pop()
        if type(one) is not node:
            following = [] if one is None else [inner for inner, _ in one.next_functions if inner is not None]
            if not following:
                return False
            waiting += following[:1]
    return False


def _is_written(method: Any, sources: Sources) -> bool:
    """Whether a method, or what its decorators wrap, is a function of one of these sources."""
    for _ in range(_WRAPPERS):
        if type(method) in (staticmethod, classmethod):
            method = method.__func__
        elif type(method) is not FunctionType:
            return False
        elif method.__code__.co_filename in sources:
            return "__signature__" not in method.__dict__  # which apply would ask, before forward is called
        else:
            method = method.__dict__.get("__wrapped__")
    return False
