"""Finds tensors that the methods of a Function reach without getting them as arguments, and the names by which they reach them."""

import dis
import types
from collections.abc import Iterator
from typing import Any

import torch
from torch.autograd import Function

from app.probes.calls.copies import tensors_of

METHODS = ("forward", "setup_context", "backward", "vjp")
MOST_FUNCTIONS = 100


def outside_tensors(function: type[Function], arguments: tuple[Any, ...]) -> dict[str, torch.Tensor]:
    """Return these tensors by name: globals, closures, attributes of the class, parameters and buffers of modules."""
    found: dict[str, torch.Tensor] = {}
    methods = [method for name in METHODS if (method := plain_function(getattr(function, name, None))) is not None]
    named = [*attributes_of(function), *reached(methods), *((f"{place + 1}", each) for place, each in enumerate(arguments))]
    for name, value in named:
        for inner, tensor in tensors_behind(name, value):
            found.setdefault(inner, tensor)
    own = {id(each) for argument in arguments for each in tensors_of(argument)}
    return {name: each for name, each in found.items() if id(each) not in own}


def plain_function(method: Any) -> types.FunctionType | None:
    while hasattr(method, "__wrapped__"):
        method = method.__wrapped__
    method = getattr(method, "__func__", method)
    return method if isinstance(method, types.FunctionType) else None


def attributes_of(function: type[Function]) -> Iterator[tuple[str, Any]]:
    for each in function.__mro__[: function.__mro__.index(Function)] if Function in function.__mro__ else ():
        yield from ((f"{each.__name__}.{name}", value) for name, value in list(vars(each).items()) if not name.startswith("__"))


def reached(functions: list[types.FunctionType]) -> Iterator[tuple[str, Any]]:
    """Yield the globals and variables of enclosing functions that the functions, and the functions that they call, use by name."""
    waiting, seen = list(functions), set[int]()
    while waiting and len(seen) < MOST_FUNCTIONS:
        each = waiting.pop()
        if id(each.__code__) in seen:
            continue
        seen.add(id(each.__code__))
        for name, value in named_by(each):
            if isinstance(value, types.FunctionType) and value.__globals__ is each.__globals__:
                waiting.append(value)
            yield name, value


def named_by(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    instructions = [each for code in all_code(function.__code__) for each in dis.get_instructions(code)]
    names = {each.argval for each in instructions if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    yield from ((name, function.__globals__[name]) for name in sorted(names) if name in function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def all_code(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from all_code(each)


def tensors_behind(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    match value:
        case torch.Tensor():
            yield name, value
        case torch.nn.Module():
            yield from ((f"{name}.{inner}", each) for inner, each in (*value.named_parameters(), *value.named_buffers()))
        case list() | tuple() | dict():
            yield from ((name, each) for each in tensors_of(value))
        case _ if not isinstance(value, type | types.ModuleType | types.FunctionType) and hasattr(value, "__dict__"):
            yield from ((f"{name}.{inner}", each) for inner, each in list(vars(value).items()) if isinstance(each, torch.Tensor))
