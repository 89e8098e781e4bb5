"""Finds what a Function saves, and which input or output each saved tensor is."""

import ast
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from app.pitfalls.syntax.names import assigned_pairs, is_name
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod


@dataclass(frozen=True)
class SavedItem:
    """One argument of `save_for_backward`. `input`: the index of the input that it certainly is. `is_output`: whether it is returned."""

    expression: ast.expr
    input: int | None = None
    is_output: bool = False


def list_saved(function: WrittenFunction) -> list[SavedItem]:
    """Return what is saved, in its order; nothing unless there is exactly one call of `save_for_backward`."""
    calls = [(method, call) for method in function.savers for call in method.context_calls("save_for_backward")]
    if len(calls) != 1:
        return []
    method, call = calls[0]
    counted = list(takewhile(lambda each: not isinstance(each, ast.Starred), call.args))
    return [*_items(function, method, counted), *_starred(function, method, call.args[len(counted) :])]


def list_attributes(function: WrittenFunction) -> dict[str, SavedItem]:
    """Return what is stored in attributes of ctx, by their names. Only attributes that are set once, outside backward, count."""
    names, items = list[str](), list[SavedItem]()
    for method in function.savers:
        pairs = [pair for node in method.own_nodes for pair in assigned_pairs(node)]
        stored = [(each.attr, value) for each, value in pairs if isinstance(each, ast.Attribute) and is_name(each.value, method.ctx)]
        names += [name for name, _ in stored]
        items += _items(function, method, [value for _, value in stored])
    times = Counter(names)
    return {name: item for name, item in zip(names, items, strict=True) if times[name] == 1}


def _items(function: WrittenFunction, method: WrittenMethod, expressions: list[ast.expr]) -> list[SavedItem]:
    inputs, outputs = _input_names(function, method), _output_names(function, method)
    named = [(each, name_of_alias(each)) for each in expressions]
    return [SavedItem(each, inputs.get(name), name in outputs) for each, name in named]


def name_of_alias(node: ast.expr) -> str:
    """Return x for `x`, `x.detach()` and `x.data`; "" for anything else."""
    match node:
        case (
            ast.Name(id=name)
            | ast.Attribute(value=ast.Name(id=name), attr="data")
            | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="detach"))
        ):
            return name
    return ""


def _input_names(function: WrittenFunction, method: WrittenMethod) -> dict[str, int]:
    """Return the index of each input, by the names that are bound to this input and to nothing else."""
    if method is function.setup_context and len(method.parameters) >= 1:
        names = _unpacked(method, method.parameters[0])
    else:
        names = {name: index for index, name in enumerate(method.parameters)}
    return {name: index for name, index in names.items() if method.stores[name] == (0 if name in method.parameters else 1)}


def _unpacked(method: WrittenMethod, whole: str) -> dict[str, int]:
    """Return the names that a tuple of this name is unpacked into, with their positions."""
    pairs = [pair for node in method.own_nodes for pair in assigned_pairs(node)]
    unpacked = [target.elts for target, value in pairs if is_name(value, whole) and isinstance(target, ast.Tuple)]
    counted = [takewhile(lambda each: not isinstance(each, ast.Starred), elements) for elements in unpacked]
    return {each.id: index for elements in counted for index, each in enumerate(elements) if isinstance(each, ast.Name)}


def _output_names(function: WrittenFunction, method: WrittenMethod) -> set[str]:
    if method is function.setup_context:
        output = method.parameters[1] if len(method.parameters) > 1 else ""
        return {output, *_unpacked(method, output)} - {""}
    returned = [each.value.elts if isinstance(each.value, ast.Tuple) else [each.value] for each in method.returns]
    return {value.id for values in returned for value in values if isinstance(value, ast.Name)}


def _starred(function: WrittenFunction, method: WrittenMethod, arguments: list[ast.expr]) -> list[SavedItem]:
    """Return the inputs for arguments that begin with `*inputs` in setup_context; nothing for any others."""
    if method is not function.setup_context or function.forward is None:
        return []
    match arguments:
        case [ast.Starred(value=ast.Name(id=name)) as starred, *_] if name in method.parameters[:1]:
            return [SavedItem(starred, index) for index in range(len(function.forward.parameters))]
    return []
