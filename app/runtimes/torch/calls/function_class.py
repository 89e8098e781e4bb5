"""Finds out whether an object is a Function class that the program wrote itself, with PyTorch's own `apply`. Runs in the learner's child.

The object is examined as it is after the program, however the program made it: by import, copy, patch or exec.
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
_UNWRAP = utils.unwrap_dead_wrappers  # `apply` calls it first
_CODES = [function.__code__ for function in (_APPLY.__func__, _NODE_APPLY, _UNWRAP)]
_WRAPPERS = 8  # the most decorators around a method that are followed
_NODES = 64  # the most nodes between outputs and the Function's node that are followed


def find_fault(found: Any, sources: Sources) -> FunctionFault | None:
    """Return why `found` is not a Function class that the program wrote in `sources`; None if it is one.

    app.protocol.calls.Inspected explains each fault.
    """
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
    """Return whether PyTorch's own `apply` calls the class's forward, and PyTorch's own node calls the class's backward."""
    if type(node) is not type or _mro(node)[1:2] != (_Node,) or "apply" in _tables(node) or _tables(node).get("_forward_cls") is not found:
        return False
    codes = [function.__code__ for function in (_APPLY.__func__, _NODE_APPLY, _UNWRAP)]
    is_pytorchs = _tables(_Function)["apply"] is _APPLY and _tables(_Node)["apply"] is _NODE_APPLY and utils.unwrap_dead_wrappers is _UNWRAP
    return is_pytorchs and all(map(is_, codes, _CODES))


def is_result(outputs: Iterable[Any], found: Any) -> bool:
    """Return whether a node of the Function `found` computed each output that requires grad, directly or through later nodes."""
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
    """Return whether a method, or the function that its decorators wrap, is defined in one of these sources."""
    for _ in range(_WRAPPERS):
        if type(method) in (staticmethod, classmethod):
            method = method.__func__
        elif type(method) is not FunctionType:
            return False
        elif method.__code__.co_filename in sources:
            return "__signature__" not in method.__dict__  # apply reads it before it calls forward
        else:
            method = method.__dict__.get("__wrapped__")
    return False
