"""Rules about what forward and backward return."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding, Value
from app.pitfalls.syntax.names import has_star, is_constant, is_name, loaded_names
from app.pitfalls.syntax.program_tree import AppliedCall, ProgramTree
from app.pitfalls.syntax.source_places import heading_place, inside_place, place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, listed_gradients

_GIVES_A_TENSOR = {
    *(
        "where",
        "zeros_like",
        "ones_like",
        "zeros",
        "ones",
        "mul",
        "add",
        "sub",
        "div",
        "matmul",
        "mm",
        "bmm",
        "einsum",
        "exp",
        "cos",
        "sin",
    ),
    *(
        "clone",
        "sum",
        "mean",
        "neg",
        "t",
        "transpose",
        "reshape",
        "view",
        "view_as",
        "expand",
        "expand_as",
        "masked_fill",
        "clamp",
        "stack",
        "cat",
    ),
}


def find_backward_returns_nothing(_program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find backward methods that compute something last and do not return it.

    A backward that does nothing, or raises, may be intended.
    """
    body = backward.node.body
    if not backward.is_plain or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in backward.own_nodes):
        return
    worked = len(body)  # statements at the end that set a name to None, as for an input without a gradient, do not count
    while worked > 1 and _sets_none(body[worked - 1]):
        worked -= 1
    if _is_work(body[worked - 1], backward):
        values: dict[str, Value] = {"function": function.name}
        match body[-1]:
            case ast.Assign(targets=[ast.Name(id=name)]) if not _sets_none(body[-1]):
                values["name"] = name
        yield Finding("backward-returns-nothing", heading_place(backward.node), values, {"last": place_of(body[-1])})


def _sets_none(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and is_constant(statement.value, None)


def _is_work(last: ast.stmt, method: WrittenMethod) -> bool:
    """Return whether a statement, or a path through it, ends with one that computes something."""
    match last:
        case ast.Assign():
            of_method = {*method.parameters, method.ctx, method.varargs, *method.stores}
            return all(_is_local_target(each) for each in last.targets) and bool(loaded_names(last.value) & of_method)
        case ast.AugAssign():
            return _is_local_target(last.target) and not any(isinstance(node, ast.Global) for node in method.own_nodes)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name.endswith("_") and not name.endswith("__")
        case ast.If():
            return any(_is_work(block[-1], method) for block in (last.body, last.orelse) if block)
        case ast.For():
            returns = any(isinstance(node, ast.Return | ast.Raise) for node in ast.walk(last))
            return not last.orelse and not returns and _is_work(last.body[-1], method)
        case ast.With():
            return _is_work(last.body[-1], method)
    return False


def _is_local_target(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(_is_local_target(each) for each in target.elts)
    return isinstance(target, ast.Name) or (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name))


def find_wrong_gradient_count(program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find a `return` in backward that lists another number of gradients than forward has inputs. An extra None is tolerated."""
    forward = function.methods.get("forward")
    if forward is None or not (forward.is_plain and backward.is_plain) or forward.node.args.kwonlyargs:
        return
    calls = [each for each in program.applied_calls if each.function is function]
    for each in backward.returns:
        if each.value is None or not (listed := _certain_gradients(each.value, backward)):
            continue
        expected = _expected_count(forward, calls, listed)
        if expected is not None:
            is_keyword = _needs_keyword(forward, calls, len(listed))
            code = "keyword-arguments" if is_keyword else "wrong-gradient-count"
            values: dict[str, Value] = {"function": function.name, "count": len(listed), "expected_count": expected}
            if is_keyword:
                values["option"] = forward.parameters[expected - 1]
            is_short = expected == len(listed) + 1 and _is_no_tensor(forward, expected - 1, program.literal_inputs(function))
            returned = inside_place(each.value) if isinstance(each.value, ast.Tuple) and each.value.elts else place_of(each.value)
            yield Finding(code, place_of(each), values, {"returned": returned} if is_short else {})
            return


def _certain_gradients(value: ast.expr, backward: WrittenMethod) -> list[ast.expr] | None:
    """Return the gradients that `return` lists; None if their number is not certain, as for the name of a tuple."""
    is_certain = False
    match value:
        case ast.Tuple():
            return listed_gradients(value)
        case ast.BinOp() | ast.UnaryOp():
            is_certain = not any(isinstance(node, ast.Tuple | ast.List | ast.Starred) for node in ast.walk(value))
        case ast.Name():
            is_certain = _is_incoming(value, backward)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=name)):
            is_certain = name in _GIVES_A_TENSOR and of in ("torch", *backward.parameters)
    return [value] if is_certain else None


def _is_incoming(node: ast.expr, backward: WrittenMethod) -> bool:
    """Return whether the expression is an incoming gradient, to whose name nothing else is assigned."""
    return isinstance(node, ast.Name) and node.id in backward.parameters and not backward.stores[node.id]


def _expected_count(forward: WrittenMethod, calls: list[AppliedCall], listed: list[ast.expr]) -> int | None:
    """Return how many gradients there must be; None if the listed number is right, or may be right."""
    count, most = len(listed), len(forward.parameters)
    if count > most and not forward.varargs:
        return most if not all(is_constant(each, None) for each in listed[most:]) else None
    least = most - len(forward.node.args.defaults)
    counted = [each.call for each in calls if not has_star(each.call) and all(word.arg is not None for word in each.call.keywords)]
    if not forward.varargs:
        least = max([least, *(len(call.args) + len(call.keywords) for call in counted)])
    return least if count < least <= most else None


def _needs_keyword(forward: WrittenMethod, calls: list[AppliedCall], count: int) -> bool:
    """Return whether the missing gradient is that of an argument that was given by keyword."""
    least = len(forward.parameters) - len(forward.node.args.defaults)
    return count >= least and any(each.call.keywords and len(each.call.args) <= count for each in calls)


def _is_no_tensor(forward: WrittenMethod, index: int, literals: set[int]) -> bool:
    """Return whether an input is certainly not a tensor, but a number or text, so that its gradient has to be None."""
    arguments = [*forward.node.args.posonlyargs, *forward.node.args.args][-len(forward.parameters) :]
    defaults = dict(zip(forward.parameters[::-1], forward.node.args.defaults[::-1], strict=False))
    default, annotation = defaults.get(forward.parameters[index]), arguments[index].annotation
    is_number = isinstance(default, ast.Constant) and default.value is not None
    return index in literals or is_number or (isinstance(annotation, ast.Name) and annotation.id in {"int", "float", "bool", "str"})


def find_gradient_for_non_tensor(program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find a gradient that is certainly not None for an input that a call of `apply` gives as a number or text."""
    literals = program.literal_inputs(function)
    for each in backward.returns if backward.is_plain else ():
        gradients = listed_gradients(each.value) or []
        wrong = [index for index in sorted(literals) if index < len(gradients) and _is_tensor(gradients[index], backward)]
        if wrong and len(gradients) > 1:
            values: dict[str, Value] = {"function": function.name, "input": function.parameter_name(wrong[0])}
            yield Finding("gradient-for-non-tensor", place_of(each), values, {"gradient": place_of(gradients[wrong[0]])})
            return


def _is_tensor(gradient: ast.expr, backward: WrittenMethod) -> bool:
    """Return whether the gradient is certainly not None: it is computed there, or is a name that the method itself assigns once."""
    if not isinstance(gradient, ast.Name):
        return _computes_tensor(gradient)
    if _is_incoming(gradient, backward):
        return True
    assigned = (node for node in backward.node.body if isinstance(node, ast.Assign))
    values = (node.value for node in assigned if any(is_name(each, gradient.id) for each in node.targets))
    return backward.stores[gradient.id] == 1 and any(map(_computes_tensor, values))


def _computes_tensor(value: ast.expr) -> bool:
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _GIVES_A_TENSOR
    return is_call or isinstance(value, ast.BinOp)


def find_forward_returns_container(_program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find lists and dictionaries that the forward of a Function with a backward returns."""
    forward, backward = function.methods.get("forward"), function.backward
    if forward is None or backward is None or not forward.is_plain or not _gives_gradients(backward):
        return
    for each in forward.returns:
        if each.value is not None and (_is_container(each.value) or _is_named_container(each.value, forward)):
            name = each.value.id if isinstance(each.value, ast.Name) else ""
            yield Finding("forward-returns-container", place_of(each), {"function": function.name, "name": name})
            return


def _gives_gradients(backward: WrittenMethod) -> bool:
    returned = [listed_gradients(each.value) or [each.value] for each in backward.returns if each.value]
    return any(not is_constant(node, None) for nodes in returned for node in nodes)


def _is_container(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in {"list", "dict"}
    return isinstance(value, ast.List | ast.ListComp | ast.Dict | ast.DictComp | ast.Set)


def _is_named_container(value: ast.expr, forward: WrittenMethod) -> bool:
    """Return whether the value is a name that only assignments of containers bind."""
    if not isinstance(value, ast.Name) or value.id in forward.parameters:
        return False
    assignments = [node for node in forward.own_nodes if isinstance(node, ast.Assign) and len(node.targets) == 1]
    assigned = [node.value for node in assignments if is_name(node.targets[0], value.id)]
    return forward.stores[value.id] == len(assigned) > 0 and all(map(_is_container, assigned))
