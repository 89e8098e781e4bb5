"""Rules about a backward whose result cannot be differentiated again, because it leaves the graph."""

import ast
from collections.abc import Iterator
from itertools import chain

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.aliases import list_unpacked
from app.pitfalls.syntax.names import is_name
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.reaching import list_reaching, own_expressions
from app.pitfalls.syntax.saved_items import SavedItem, list_attributes, list_saved, name_of_alias
from app.pitfalls.syntax.source_places import place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, is_context_attribute

# A backward that contains one of these names makes a graph itself, and detaches its leaves on purpose.
_MAKING_A_GRAPH = {"enable_grad", "requires_grad_", "requires_grad", "set_grad_enabled", "vjp", "jvp", "is_grad_enabled"}

_DETACHING = {"detach", "data", "item", "float"}
_KEEPING_NUMBERS = {"detach", "cpu", "contiguous"}


def find_numpy_in_backward(_program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find `.numpy()` of an incoming gradient, or of a saved tensor that has a second derivative, if the result is returned."""
    if not _may_be_differentiated(backward) or "numpy" not in backward.mentioned:
        return
    if "is_grad_enabled" in backward.mentioned:  # it may refuse a second derivative itself
        return
    graph = _Differentiable(function, backward)
    for node in graph.reaching:
        operand = _array_operand(node)
        if operand is not None and graph.includes(operand):
            yield Finding("numpy-in-backward", place_of(node), {"function": function.name, "name": ast.unparse(operand)})
            return


def _array_operand(node: ast.expr) -> ast.expr | None:
    """Return x for `x.numpy()` and for `x.detach().cpu().numpy()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=operand, attr="numpy")):
            while isinstance(operand, ast.Call) and isinstance(operand.func, ast.Attribute) and operand.func.attr in _KEEPING_NUMBERS:
                operand = operand.func.value
            return operand.value if isinstance(operand, ast.Attribute) and operand.attr == "data" else operand
    return None


def _may_be_differentiated(backward: WrittenMethod) -> bool:
    return backward.is_plain and not backward.decorators & {"once_differentiable", "no_grad"}


def find_detached_backward(_program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find saved inputs or outputs, and incoming gradients, of which backward uses only a detached copy for its result."""
    named = backward.mentioned.union(*(each.mentioned for each in function.savers))
    if not _may_be_differentiated(backward) or not named & _DETACHING or backward.mentioned & {*_MAKING_A_GRAPH, "numpy"}:
        return
    graph = _Differentiable(function, backward)
    found = next(chain(_detached_when_saved(graph), _detached_later(graph)), None)
    if found is not None:
        yield found


class _Differentiable:
    """The tensors in backward with respect to which its result can be differentiated. `reaching`: see `list_reaching`."""

    def __init__(self, function: WrittenFunction, backward: WrittenMethod) -> None:
        self.function, self.backward = function, backward
        self.saved, self.unpacked, self.reaching = list_saved(function), list_unpacked(backward), list_reaching(backward)

    def includes(self, operand: ast.expr) -> bool:
        """Return whether the operand is a saved tensor that has a second derivative, or an incoming gradient."""
        index = None
        match operand:
            case ast.Name(id=name) if name in self.backward.parameters:
                return True
            case ast.Name(id=name) if name in self.unpacked:
                index = self.unpacked[name].index
            case ast.Subscript(slice=ast.Constant(value=int(number))):
                index = number if is_context_attribute(operand.value, self.backward.ctx, "saved_tensors") else None
        return index is not None and 0 <= index < len(self.saved) and self.includes_saved(self.saved[index])

    def includes_saved(self, item: SavedItem) -> bool:
        return item.is_output or (item.input is not None and self.function.has_gradient(item.input))


def _detached_when_saved(graph: _Differentiable) -> Iterator[Finding]:
    """Find `save_for_backward(x.detach())` and `ctx.x = x.detach()`."""
    reaching, ctx, unpacked = graph.reaching, graph.backward.ctx, graph.unpacked
    if any("enable_grad" in each.mentioned for each in graph.function.savers):
        return
    indices = {unpacked[node.id].index for node in reaching if isinstance(node, ast.Name) and node.id in unpacked}
    attributes = {node.attr for node in reaching if isinstance(node, ast.Attribute) and is_context_attribute(node, ctx, node.attr)}
    used = [item for index, item in enumerate(graph.saved) if index in indices]
    used += [item for name, item in list_attributes(graph.function).items() if name in attributes]
    for item in used:
        if _is_detached(item.expression) and graph.includes_saved(item):
            yield _finding(graph.function, item.expression, name_of_alias(item.expression), "detached-saved")


def _is_detached(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "detach"
    return isinstance(node, ast.Attribute) and node.attr == "data"


def _detached_later(graph: _Differentiable) -> Iterator[Finding]:
    """Find `x.detach()`, `x.data`, `x.item()` and `float(x)` in backward, if x itself is used nowhere else."""
    for node in graph.reaching:
        operand = _operand(node)
        if operand is None or not graph.includes(operand):
            continue
        name = ast.unparse(operand)
        inside = {id(each) for each in ast.walk(node)}
        uses = [each for each in graph.reaching if isinstance(each, ast.Name) and each.id == name and id(each) not in inside]
        if all(_follows(each, node, graph.backward) for each in uses):
            yield _finding(graph.function, node, name)


def _operand(node: ast.expr) -> ast.expr | None:
    """Return x for an expression that gives the numbers of x without its graph."""
    match node:
        case ast.Call(func=ast.Attribute(value=operand, attr="detach" | "item"), args=[]):
            return operand
        case ast.Attribute(value=operand, attr="data") | ast.Call(func=ast.Name(id="float"), args=[operand]):
            return operand
    return None


def _follows(use: ast.Name, node: ast.expr, method: WrittenMethod) -> bool:
    """Return whether a use comes after a statement of the method itself that binds the name to the detached tensor."""
    for statement in method.node.body:
        if isinstance(statement, ast.Assign) and any(each is node for each in own_expressions(statement.value)):
            is_rebound = any(is_name(target, use.id) for target in statement.targets)
            return is_rebound and use.lineno > (statement.end_lineno or 0)
    return False


def _finding(function: WrittenFunction, node: ast.expr, name: str, code: str = "detached-backward") -> Finding:
    operand = _operand(node) if _is_detached(node) else None
    places = {} if operand is None else {"call": place_of(node), "operand": place_of(operand)}
    return Finding(code, place_of(node), {"function": function.name, "name": name}, places)
