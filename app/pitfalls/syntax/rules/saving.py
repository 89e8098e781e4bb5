"""Rules about saving tensors for backward, and about reading them there."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding, Value
from app.pitfalls.syntax.names import dotted_name, has_star, is_name, loaded_names, stored_names
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.saved_items import list_saved
from app.pitfalls.syntax.source_places import attribute_place, place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, is_context_attribute

_TAKING_TENSORS = {  # functions and methods that fail for a tuple
    *(
        "index_add",
        "index_add_",
        "index_select",
        "gather",
        "scatter_add",
        "scatter_add_",
        "mul",
        "add",
        "sub",
        "div",
        "matmul",
        "mm",
        "bmm",
    ),
    *("exp", "log", "sin", "cos", "tan", "tanh", "sigmoid", "sqrt", "rsqrt", "abs", "sign", "relu", "square", "pow", "softmax", "where"),
    *(
        "zeros_like",
        "ones_like",
        "empty_like",
        "erf",
        "log1p",
        "expm1",
        "dot",
        "outer",
        "mv",
        "masked_fill",
        "masked_fill_",
        "matmul",
        "mm",
        "bmm",
    ),
}
_TUPLE_ATTRIBUTES = {"count", "index"}
_TAKING_TUPLES = {"len", "zip", "enumerate", "map", "list", "tuple", "iter", "reversed", "isinstance", "type"}


def find_saved_variables(_program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find `ctx.saved_variables`."""
    for method in function.methods.values():
        for node in method.own_nodes:
            if isinstance(node, ast.Attribute) and is_context_attribute(node, method.ctx, "saved_variables"):
                yield Finding("saved-variables", place_of(node), {"function": function.name}, {"attribute": attribute_place(node)})


def find_not_unpacked(_program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find `x = ctx.saved_tensors` if x is then used as a tensor and never as a tuple."""
    for statement in backward.own_nodes:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                if is_context_attribute(value, backward.ctx, "saved_tensors") and _is_used_as_tensor(backward, name):
                    values: dict[str, Value] = {"function": function.name, "name": name}
                    yield Finding("saved-tensors-not-unpacked", place_of(statement), values, {"target": place_of(target)})


def _is_used_as_tensor(method: WrittenMethod, name: str) -> bool:
    if method.stores[name] != 1 or any(_uses_as_tuple(node, name) for node in method.own_nodes):
        return False
    return any(_needs_tensor(node, name, method) for node in method.own_nodes)


def _uses_as_tuple(node: ast.AST, name: str) -> bool:
    """Return whether the node indexes, unpacks, counts or iterates over the name."""
    match node:
        case ast.Subscript(value=used) | ast.Starred(value=used) | ast.Assign(value=used):
            return is_name(used, name)
        case ast.For(iter=used) | ast.comprehension(iter=used):
            return is_name(used, name)
        case ast.Call(func=ast.Name(id=called)):
            return called in _TAKING_TUPLES and any(is_name(each, name) for each in node.args)
    return False


def _needs_tensor(node: ast.AST, name: str, method: WrittenMethod) -> bool:
    match node:
        case ast.BinOp(op=ast.Mult() | ast.Add()):
            sides = _factors(node) if isinstance(node.op, ast.Mult) else [node.left, node.right]
            return any(is_name(each, name) for each in sides) and any(is_name(each, given) for each in sides for given in method.parameters)
        case ast.BinOp(op=ast.Sub() | ast.Div() | ast.Pow() | ast.MatMult() | ast.FloorDiv()):
            return is_name(node.left, name) or is_name(node.right, name)
        case ast.UnaryOp(op=ast.USub()):
            return is_name(node.operand, name)
        case ast.Attribute():
            return is_name(node.value, name) and node.attr not in _TUPLE_ATTRIBUTES
        case ast.Call(func=ast.Attribute(attr=called)):
            return called in _TAKING_TENSORS and any(is_name(each, name) for each in node.args)
        case ast.Compare():
            return is_name(node.left, name) and all(isinstance(each, ast.Lt | ast.Gt | ast.LtE | ast.GtE) for each in node.ops)
    return False


def _factors(node: ast.expr) -> list[ast.expr]:
    """Return a, b and c for `a * b * c`.

    A tuple times a number is a tuple, so a factor that fails may come later.
    """
    found = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        found.append(node.right)
        node = node.left
    return [*found, node]


def find_saved_twice(_program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find calls of `save_for_backward` that replace what another call on the same path has saved, and calls in a loop."""
    for method in function.methods.values():
        if method.ctx is not None and method.context_calls("save_for_backward"):
            for call in _SavingPaths(method).found:
                yield Finding("saved-twice", place_of(call), {"function": function.name})


class _SavingPaths:
    """Follows the paths through a method. `found`: the calls that, on some path, discard what was saved before."""

    def __init__(self, method: WrittenMethod) -> None:
        self._calls = method.context_calls("save_for_backward")
        self.found: list[ast.Call] = []
        self._follow(method.node.body, frozenset())

    def _follow(self, block: list[ast.stmt], saved: frozenset[str]) -> frozenset[str] | None:
        """Follow a block, before which these names may have been saved.

        Return the names that are saved after it; None if it ends the method.
        """
        for statement in block:
            after = self._follow_one(statement, saved)
            if after is None:
                return None
            saved = after
        return saved

    def _follow_one(self, statement: ast.stmt, saved: frozenset[str]) -> frozenset[str] | None:
        match statement:
            case ast.Return() | ast.Raise():
                return None
            case ast.If():
                ends = [self._follow(block, saved) for block in (statement.body, statement.orelse)]
                return None if ends == [None, None] else frozenset().union(*(end for end in ends if end is not None))
            case ast.With():
                return self._follow(statement.body, saved)
            case ast.For():
                self._look_at_loop(statement)
                return saved
        for call in self._calls_in(statement):
            if saved - loaded_names(call) and not has_star(call):
                self.found.append(call)
            saved = frozenset(each.id for each in call.args if isinstance(each, ast.Name))
        return saved

    def _look_at_loop(self, loop: ast.For) -> None:
        """Add the calls in a loop that mention a name which the loop assigns: each of them saves something else each time."""
        if any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop)):
            return
        assigned = stored_names([loop])
        calls = [call for statement in loop.body for call in self._calls_in(statement)]
        self.found += [call for call in calls if loaded_names(call) & assigned]

    def _calls_in(self, statement: ast.stmt) -> list[ast.Call]:
        return [call for call in self._calls if isinstance(statement, ast.Expr) and statement.value is call]


def find_saved_non_tensor(program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find numbers, texts, shapes or containers given to `save_for_backward`, and parameters for which a call of `apply` gives one."""
    literals = program.literal_inputs(function)
    for item in list_saved(function):
        is_literal = item.input in literals and isinstance(item.expression, ast.Name)
        if _is_no_tensor(item.expression) or is_literal:
            name = dotted_name(item.expression) or ""
            values: dict[str, Value] = {"function": function.name, "name": name if name.count(".") < 2 else ""}
            yield Finding("saved-non-tensor", place_of(item.expression), values)


def _is_no_tensor(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return node.value is not None
        case ast.Attribute():
            return node.attr in {"shape", "dtype", "device", "ndim"}
        case ast.Call(func=ast.Attribute(value=value, attr=method)):
            return method in {"size", "numel", "item", "tolist", "dim"} and not isinstance(value, ast.Constant)
        case ast.Call(func=ast.Name(id=called)):
            return called in {"len", "int", "float", "str", "bool"}
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.JoinedStr)
