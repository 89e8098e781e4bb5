"""Rules about a backward whose result cannot be differentiated again, because it leaves the graph."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.aliases import list_unpacked
from app.pitfalls.syntax.origin import Origin
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.reaching import list_reaching, own_expressions
from app.pitfalls.syntax.saved_items import SavedItem, list_attributes, list_saved, name_of_alias
from app.pitfalls.syntax.source_places import place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, is_context_attribute

# A backward that contains one of these names makes a graph itself, and detaches its leaves on purpose.
_MAKING_A_GRAPH = {"enable_grad", "requires_grad_", "requires_grad", "set_grad_enabled", "vjp", "jvp", "is_grad_enabled"}

_DETACHING = {"detach", "data", "item", "float"}


def find_numpy_in_backward(program: ProgramTree) -> Iterator[Finding]:
    """Find `.numpy()` of an incoming gradient, or of a saved tensor that has a second derivative, if the result is returned."""
    for function, method in _twice_differentiable(program):
        if "numpy" not in method.mentioned or "is_grad_enabled" in method.mentioned:  # it may refuse a second derivative itself
            continue
        saved, unpacked = list_saved(function), list_unpacked(method)
        for node in list_reaching(method):
            operand = _array_operand(node)
            if operand is not None and _is_differentiable(operand, function, method, saved, unpacked):
                yield Finding("numpy-in-backward", place_of(node), {"function": function.name, "name": ast.unparse(operand)})
                break


def _array_operand(node: ast.expr) -> ast.expr | None:
    """Return x for `x.numpy()` and for `x.detach().cpu().numpy()`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "numpy":
        return None
    operand = node.func.value
    while (
        isinstance(operand, ast.Call) and isinstance(operand.func, ast.Attribute) and operand.func.attr in {"detach", "cpu", "contiguous"}
    ):
        operand = operand.func.value
    return operand.value if isinstance(operand, ast.Attribute) and operand.attr == "data" else operand


def _twice_differentiable(program: ProgramTree) -> Iterator[tuple[WrittenFunction, WrittenMethod]]:
    for function in program.functions:
        method = function.own_backward
        if method is not None and method.is_plain and not function.is_once_differentiable and "no_grad" not in method.decorators:
            yield function, method


def find_detached_backward(program: ProgramTree) -> Iterator[Finding]:
    """Find saved inputs or outputs, and incoming gradients, of which backward uses only a detached copy for its result."""
    for function, method in _twice_differentiable(program):
        named = method.mentioned.union(*(each.mentioned for each in function.savers))
        if method.mentioned & _MAKING_A_GRAPH or "numpy" in method.mentioned or not named & _DETACHING:
            continue
        saved, reaching = list_saved(function), list_reaching(method)
        unpacked = list_unpacked(method)
        found = _detached_when_saved(function, method, saved, unpacked, reaching) or _detached_later(
            function, method, saved, unpacked, reaching
        )
        if found is not None:
            yield found


def _detached_when_saved(
    function: WrittenFunction, method: WrittenMethod, saved: list[SavedItem], unpacked: dict[str, Origin], reaching: list[ast.expr]
) -> Finding | None:
    """Find `save_for_backward(x.detach())` and `ctx.x = x.detach()`."""
    if any("enable_grad" in each.mentioned for each in function.savers):
        return None
    names = {node.id for node in reaching if isinstance(node, ast.Name)}
    attributes = {node.attr for node in reaching if isinstance(node, ast.Attribute) and is_context_attribute(node, method.ctx, node.attr)}
    used = [item for index, item in enumerate(saved) if any(unpacked[name].index == index for name in names & unpacked.keys())]
    used += [item for name, item in list_attributes(function).items() if name in attributes]
    for item in used:
        if _is_detached(item.expression) and _has_second_derivative(function, item):
            return _finding(function, item.expression, name_of_alias(item.expression), "detached-saved")
    return None


def _is_detached(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "detach"
    return isinstance(node, ast.Attribute) and node.attr == "data"


def _has_second_derivative(function: WrittenFunction, item: SavedItem) -> bool:
    return item.is_output or (item.input is not None and function.has_gradient(item.input))


def _detached_later(
    function: WrittenFunction, method: WrittenMethod, saved: list[SavedItem], unpacked: dict[str, Origin], reaching: list[ast.expr]
) -> Finding | None:
    """Find `x.detach()`, `x.data`, `x.item()` and `float(x)` in backward, if x itself is used nowhere else."""
    for node in reaching:
        operand = _operand(node)
        if operand is None or not _is_differentiable(operand, function, method, saved, unpacked):
            continue
        name = operand.id if isinstance(operand, ast.Name) else ast.unparse(operand)
        inside = {id(each) for each in ast.walk(node)}
        others = [
            each
            for each in reaching
            if isinstance(each, ast.Name) and each.id == name and id(each) not in inside and not _follows(each, node, method)
        ]
        if not others:
            return _finding(function, node, name)
    return None


def _operand(node: ast.expr) -> ast.expr | None:
    """Return x for an expression that gives the numbers of x without its graph."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"detach", "item"} and not node.args:
        return node.func.value
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float" and len(node.args) == 1:
        return node.args[0]
    return None


def _is_differentiable(
    operand: ast.expr, function: WrittenFunction, method: WrittenMethod, saved: list[SavedItem], unpacked: dict[str, Origin]
) -> bool:
    """Return whether the operand is a saved tensor that has a second derivative, or an incoming gradient."""
    if isinstance(operand, ast.Name):
        if operand.id in method.parameters:
            return True
        origin = unpacked.get(operand.id)
        index = origin.index if origin is not None else None
    elif isinstance(operand, ast.Subscript) and is_context_attribute(operand.value, method.ctx, "saved_tensors"):
        index = operand.slice.value if isinstance(operand.slice, ast.Constant) and isinstance(operand.slice.value, int) else None
    else:
        return False
    return index is not None and 0 <= index < len(saved) and _has_second_derivative(function, saved[index])


def _follows(use: ast.Name, node: ast.expr, method: WrittenMethod) -> bool:
    """Return whether a use comes after a statement of the method itself that binds the name to the detached tensor."""
    for statement in method.node.body:
        if isinstance(statement, ast.Assign) and any(each is node for each in own_expressions(statement.value)):
            is_rebound = any(isinstance(target, ast.Name) and target.id == use.id for target in statement.targets)
            return is_rebound and use.lineno > (statement.end_lineno or 0)
    return False


def _finding(function: WrittenFunction, node: ast.expr, name: str, code: str = "detached-backward") -> Finding:
    operand = _operand(node) if _is_detached(node) else None
    places = {} if operand is None else {"call": place_of(node), "operand": place_of(operand)}
    return Finding(code, place_of(node), {"function": function.name, "name": name}, places)
