"""Finds what a Function saves, and which input or output each saved tensor is."""

import ast
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from app.pitfalls.syntax.names import assigned_pairs, is_name
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, is_context_attribute


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
    items: list[SavedItem] = []
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            return items + _starred(function, method, argument)
        items.append(_item(function, method, argument))
    return items


def list_attributes(function: WrittenFunction) -> dict[str, SavedItem]:
    """Return what is stored in attributes of ctx, by their names. Only attributes that are set once, outside backward, count."""
    found = [
        (target.attr, _item(function, method, value))
        for method in function.savers
        for node in method.own_nodes
        for target, value in assigned_pairs(node)
        if isinstance(target, ast.Attribute) and is_context_attribute(target, method.ctx, target.attr)
    ]
    times = Counter(name for name, _ in found)
    return {name: item for name, item in found if times[name] == 1}


def _item(function: WrittenFunction, method: WrittenMethod, expression: ast.expr) -> SavedItem:
    name = name_of_alias(expression)
    return SavedItem(expression, _input_names(function, method).get(name), name in _output_names(function, method))


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


def _starred(function: WrittenFunction, method: WrittenMethod, argument: ast.Starred) -> list[SavedItem]:
    """Return the inputs for `*inputs` in setup_context; nothing for any other starred argument."""
    if method is not function.setup_context or function.forward is None or not method.parameters:
        return []
    if not isinstance(argument.value, ast.Name) or argument.value.id != method.parameters[0]:
        return []
    return [SavedItem(argument, index) for index in range(len(function.forward.parameters))]
