"""Finds what a Function saves, and which input or output each saved tensor is."""

import ast
from dataclasses import dataclass

from app.pitfalls.syntax.names import assigned_pairs
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
    inputs, outputs = _input_names(function, method), _output_names(function, method)
    items: list[SavedItem] = []
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            return items + _starred(function, method, argument)
        name = name_of_alias(argument)
        items.append(SavedItem(argument, inputs.get(name), name in outputs))
    return items


def list_attributes(function: WrittenFunction) -> dict[str, SavedItem]:
    """Return what is stored in attributes of ctx, by their names. Only attributes that are set once, outside backward, count."""
    found: dict[str, SavedItem] = {}
    again: set[str] = set()
    for method in function.savers:
        inputs, outputs = _input_names(function, method), _output_names(function, method)
        for node in method.own_nodes:
            for target, value in assigned_pairs(node):
                if not isinstance(target, ast.Attribute) or not is_context_attribute(target, method.ctx, target.attr):
                    continue
                if target.attr in found:
                    again.add(target.attr)
                name = name_of_alias(value)
                found[target.attr] = SavedItem(value, inputs.get(name), name in outputs)
    return {name: item for name, item in found.items() if name not in again}


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
    """Return the names that a tuple of this name is unpacked into."""
    names: dict[str, int] = {}
    for node in method.own_nodes:
        for target, value in assigned_pairs(node):
            if isinstance(value, ast.Name) and value.id == whole and isinstance(target, ast.Tuple):
                for index, each in enumerate(target.elts):
                    if isinstance(each, ast.Starred):
                        break
                    if isinstance(each, ast.Name):
                        names[each.id] = index
    return names


def _output_names(function: WrittenFunction, method: WrittenMethod) -> set[str]:
    if method is function.setup_context:
        output = method.parameters[1] if len(method.parameters) > 1 else ""
        return {output, *_unpacked(method, output)} - {""}
    names = set()
    for each in method.returns:
        values = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
        names |= {value.id for value in values if isinstance(value, ast.Name)}
    return names


def _starred(function: WrittenFunction, method: WrittenMethod, argument: ast.Starred) -> list[SavedItem]:
    """Return the inputs for `*inputs` in setup_context; nothing for any other starred argument."""
    if method is not function.setup_context or function.forward is None or not method.parameters:
        return []
    if not isinstance(argument.value, ast.Name) or argument.value.id != method.parameters[0]:
        return []
    return [SavedItem(argument, index) for index in range(len(function.forward.parameters))]
