"""Finds the tensors in the arguments of a Function, on its ctx, and outside of it. Runs in the child."""

import dis
from collections.abc import Container, Iterator
from typing import Any

import torch

from app.runtimes.torch.tensors import is_tensor


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in a tensor, a tuple or a list."""
    for each in value if type(value) in (tuple, list) else (value,):
        if is_tensor(each):
            yield each


def attribute_values(ctx: Any, without: Container[str] = ()) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensors among the attributes of a ctx, each with its expression after `ctx.`, such as `views[0]`."""
    for name, value in list(vars(ctx).items()):
        if name not in without:
            yield from tensors_under(name, value)


def tensors_under(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensor that an attribute is, or the tensors in a list, tuple or dict, each with its expression."""
    if is_tensor(value):
        yield name, value
    elif type(value) in (list, tuple):
        yield from ((f"{name}[{index}]", each) for index, each in enumerate(value) if is_tensor(each))
    elif type(value) is dict:
        yield from ((f"{name}[{key!r}]", each) for key, each in value.items() if type(key) in (str, int) and is_tensor(each))


def tensors_outside(function: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensors from outside of a Function that its methods use by name, each once."""
    found: dict[str, torch.Tensor] = {}
    for method in (function.__dict__.get("forward"), function.__dict__.get("backward")):
        inner = getattr(method, "__func__", method)
        code = getattr(inner, "__code__", None)
        if code is None:
            continue
        for name, cell in zip(code.co_freevars, inner.__closure__ or (), strict=False):
            if is_tensor(value := contents_of(cell)):
                found.setdefault(name, value)
        for instruction in dis.get_instructions(code):
            if instruction.opname == "LOAD_GLOBAL" and is_tensor(value := inner.__globals__.get(instruction.argval)):
                found.setdefault(instruction.argval, value)
    yield from found.items()


def contents_of(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the cell is still empty
        return None
