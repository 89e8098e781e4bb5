"""Rules about what forward and backward return."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding, Place, Value
from app.pitfalls.syntax.names import dotted_name, has_star, is_constant, last_name, loaded_names
from app.pitfalls.syntax.program_tree import AppliedCall, ProgramTree
from app.pitfalls.syntax.source_places import heading_place, inside_place, place_of
from app.pitfalls.syntax.written_function import WrittenMethod, listed_gradients

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


def find_backward_returns_nothing(program: ProgramTree) -> Iterator[Finding]:
    """Find backward methods that compute something last and do not return it.

    A backward that does nothing, or raises, may be intended.
    """
    for function in program.functions:
        method = function.own_backward
        if method is None or not method.is_plain or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in method.own_nodes):
            continue
        if _ends_with_work(_without_nones(method.node.body), method):
            last = method.node.body[-1]
            values: dict[str, Value] = {"function": function.name}
            if isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name) and not _sets_none(last):
                values["name"] = last.targets[0].id
            yield Finding("backward-returns-nothing", heading_place(method.node), values, {"last": place_of(last)})


def _without_nones(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the block without statements at its end that set a name to None, as for an input without a gradient."""
    end = len(block)
    while end > 1 and _sets_none(block[end - 1]):
        end -= 1
    return block[:end]


def _sets_none(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and statement.value.value is None


def _ends_with_work(block: list[ast.stmt], method: WrittenMethod) -> bool:
    """Return whether a path through the block ends with a statement that computes something."""
    last = block[-1]
    if isinstance(last, ast.Assign):
        return all(_is_local_target(each) for each in last.targets) and _depends_on_method(last.value, method)
    if isinstance(last, ast.AugAssign):
        return _is_local_target(last.target) and not any(isinstance(node, ast.Global) for node in method.own_nodes)
    if isinstance(last, ast.Expr):
        return isinstance(last.value, ast.Call) and isinstance(last.value.func, ast.Attribute) and _is_change(last.value.func.attr)
    if isinstance(last, ast.If):
        return _ends_with_work(last.body, method) or bool(last.orelse and _ends_with_work(last.orelse, method))
    if isinstance(last, ast.For):
        returns = any(isinstance(node, ast.Return | ast.Raise) for node in ast.walk(last))
        return not last.orelse and not returns and _ends_with_work(last.body, method)
    return isinstance(last, ast.With) and _ends_with_work(last.body, method)


def _is_change(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def _is_local_target(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(_is_local_target(each) for each in target.elts)
    return isinstance(target, ast.Name) or (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name))


def _depends_on_method(value: ast.expr, method: WrittenMethod) -> bool:
    """Return whether the value is computed from the arguments of the method."""
    return bool(loaded_names(value) & {*method.parameters, method.ctx, method.varargs, *method.stores})


def find_wrong_gradient_count(program: ProgramTree) -> Iterator[Finding]:
    """Find a `return` in backward that lists another number of gradients than forward has inputs. An extra None is tolerated."""
    for function in program.functions:
        forward, backward = function.methods.get("forward"), function.own_backward
        if forward is None or backward is None or not (forward.is_plain and backward.is_plain) or forward.node.args.kwonlyargs:
            continue
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
                yield Finding(code, place_of(each), values, {"returned": _returned_place(each.value)} if is_short else {})
                break


def _certain_gradients(value: ast.expr, backward: WrittenMethod) -> list[ast.expr] | None:
    """Return the gradients that `return` lists; None if their number is not certain, as for the name of a tuple."""
    if isinstance(value, ast.Tuple):
        return listed_gradients(value)
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return [value] if not any(isinstance(node, ast.Tuple | ast.List | ast.Starred) for node in ast.walk(value)) else None
    if isinstance(value, ast.Name):
        return [value] if value.id in backward.parameters and not backward.stores[value.id] else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _GIVES_A_TENSOR:
        is_of_torch = dotted_name(value.func) == f"torch.{value.func.attr}"
        of_parameter = isinstance(value.func.value, ast.Name) and value.func.value.id in backward.parameters
        return [value] if is_of_torch or of_parameter else None
    return None


def _expected_count(forward: WrittenMethod, calls: list[AppliedCall], listed: list[ast.expr]) -> int | None:
    """Return how many gradients there must be; None if the listed number is right, or may be right."""
    count, most = len(listed), len(forward.parameters)
    if count > most and not forward.varargs:
        return most if not all(is_constant(each, None) for each in listed[most:]) else None
    least = most - len(forward.node.args.defaults)
    given = [len(each.call.args) + len(each.call.keywords) for each in calls if _is_counted(each.call)]
    if given and not forward.varargs:
        least = max(least, *given)
    return least if count < least <= most else None


def _is_counted(call: ast.Call) -> bool:
    return not has_star(call) and all(each.arg is not None for each in call.keywords)


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


def _returned_place(value: ast.expr) -> Place:
    return inside_place(value) if isinstance(value, ast.Tuple) and value.elts else place_of(value)


def find_gradient_for_non_tensor(program: ProgramTree) -> Iterator[Finding]:
    """Find a gradient that is certainly not None for an input that a call of `apply` gives as a number or text."""
    for function in program.functions:
        backward = function.own_backward
        if backward is None or not backward.is_plain:
            continue
        literals = program.literal_inputs(function)
        for each in backward.returns:
            gradients = listed_gradients(each.value) or []
            wrong = [index for index in sorted(literals) if index < len(gradients) and _is_tensor(gradients[index], backward)]
            if wrong and len(gradients) > 1:
                name = function.parameter_name(wrong[0])
                values: dict[str, Value] = {"function": function.name, "input": name}
                yield Finding("gradient-for-non-tensor", place_of(each), values, {"gradient": place_of(gradients[wrong[0]])})
                break


def _is_tensor(gradient: ast.expr, backward: WrittenMethod) -> bool:
    """Return whether the gradient is certainly not None: it is computed there, or is a name that the method itself assigns once."""
    if isinstance(gradient, ast.BinOp):
        return True
    if isinstance(gradient, ast.Name) and gradient.id in backward.parameters and not backward.stores[gradient.id]:
        return True
    if not isinstance(gradient, ast.Name):
        return isinstance(gradient, ast.Call) and isinstance(gradient.func, ast.Attribute) and gradient.func.attr in _GIVES_A_TENSOR
    if backward.stores[gradient.id] != 1:
        return False
    for statement in backward.node.body:
        if isinstance(statement, ast.Assign) and any(isinstance(each, ast.Name) and each.id == gradient.id for each in statement.targets):
            return not isinstance(statement.value, ast.Name) and _is_tensor(statement.value, backward)
    return False


def find_forward_returns_container(program: ProgramTree) -> Iterator[Finding]:
    """Find lists and dictionaries that the forward of a Function with a backward returns."""
    for function in program.functions:
        forward, backward = function.methods.get("forward"), function.backward
        if forward is None or backward is None or not forward.is_plain or not _gives_gradients(backward):
            continue
        for each in forward.returns:
            if each.value is not None and _is_container(each.value, forward):
                name = each.value.id if isinstance(each.value, ast.Name) else ""
                yield Finding("forward-returns-container", place_of(each), {"function": function.name, "name": name})
                break


def _gives_gradients(backward: WrittenMethod) -> bool:
    return any(
        any(not is_constant(node, None) for node in listed_gradients(each.value) or [each.value]) for each in backward.returns if each.value
    )


def _is_container(value: ast.expr, forward: WrittenMethod) -> bool:
    if isinstance(value, ast.List | ast.ListComp | ast.Dict | ast.DictComp | ast.Set):
        return True
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and last_name(value.func) in {"list", "dict"}
    if not isinstance(value, ast.Name) or value.id in forward.parameters:
        return False
    assigned = [node.value for node in forward.own_nodes if isinstance(node, ast.Assign) and [*_target_names(node)] == [value.id]]
    return forward.stores[value.id] == len(assigned) > 0 and all(
        not isinstance(each, ast.Name) and _is_container(each, forward) for each in assigned
    )


def _target_names(statement: ast.Assign) -> Iterator[str]:
    """Yield the names that an assignment binds; "" for a target that is not a name."""
    for target in statement.targets:
        yield target.id if isinstance(target, ast.Name) else ""
