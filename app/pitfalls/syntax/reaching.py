"""Finds the values of a method on which what it returns depends differentiably.

The order of the statements does not count: if a name is returned, everything that is ever assigned to it counts.
"""

import ast
from collections.abc import Iterator

from app.pitfalls.syntax.names import last_name
from app.pitfalls.syntax.written_function import WrittenMethod

# What has no derivative, or a derivative of zero: nothing is lost if it is computed from detached numbers.
_WITHOUT_DERIVATIVE = {
    *("shape", "dtype", "device", "ndim", "size", "numel", "dim", "stride", "len", "range", "is_contiguous", "element_size", "itemsize"),
    *("sign", "sgn", "round", "floor", "ceil", "trunc", "heaviside", "signbit", "argmax", "argmin", "argsort", "nonzero", "searchsorted"),
    *(
        "bucketize",
        "isnan",
        "isinf",
        "isfinite",
        "long",
        "int",
        "bool",
        "short",
        "byte",
        "any",
        "all",
        "one_hot",
        "count_nonzero",
        "bincount",
    ),
    *("zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "new_zeros", "new_ones", "new_empty", "new_full"),
    *("gt", "lt", "ge", "le", "eq", "ne", "logical_and", "logical_or", "logical_not", "isinstance", "type", "print", "requires_grad"),
}


def list_reaching(method: WrittenMethod, also_conditions: bool = False) -> list[ast.expr]:
    """Return every expression in the method on whose value the result depends, in the order of the source.

    `also_conditions`: whether dependences without a derivative count, too: comparisons, rounding and shapes.
    """
    return _Reaching(method, also_conditions).expressions


def own_expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield those parts of an expression with respect to which the expression can be differentiated."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.expr):
            yield each
        waiting.extend(_parts(each))


def _parts(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare | ast.Lambda | ast.JoinedStr) or _is_without_derivative(node):
        return []
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        return []
    if isinstance(node, ast.Call) and last_name(node.func) == "where":
        return [*ast.iter_child_nodes(node.func), *node.args[1:], *node.keywords]
    return list(ast.iter_child_nodes(node))


def _is_without_derivative(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in _WITHOUT_DERIVATIVE
    return isinstance(node, ast.Attribute) and node.attr in _WITHOUT_DERIVATIVE


class _Reaching:
    def __init__(self, method: WrittenMethod, also_conditions: bool) -> None:
        self._also_conditions = also_conditions
        self._values: dict[str, list[ast.expr]] = {}
        for name, value in _assigned_values(method):
            self._values.setdefault(name, []).append(value)
        self._waiting: list[ast.expr] = [each.value for each in method.returns if each.value is not None]
        self._names: set[str] = set()
        self._seen: set[int] = set()
        self.expressions: list[ast.expr] = []
        while self._waiting:
            self._add(self._waiting.pop())
        self.expressions.sort(key=lambda node: (node.lineno, node.col_offset))

    def _add(self, value: ast.expr) -> None:
        """Add an expression on which the result depends, and what is assigned to the names in it."""
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        for each in ast.walk(value) if self._also_conditions else own_expressions(value):
            if isinstance(each, ast.expr):
                self.expressions.append(each)
            if isinstance(each, ast.Name) and each.id not in self._names:
                self._names.add(each.id)
                self._waiting.extend(self._values.get(each.id, []))


def _assigned_values(method: WrittenMethod) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name with each expression whose value it gets, whole or in part: by assignment, in a loop, or by an in-place method."""
    for node in method.own_nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _target_values(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            yield from _target_values(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _target_values(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield from _target_values(node.optional_vars, node.context_expr)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and (node.func.attr.endswith("_") or node.func.attr in {"append", "extend"})
        ):
            for argument in node.args:
                yield from _target_values(node.func.value, argument)


def _target_values(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Tuple | ast.List):
        values = (
            value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) else [value] * len(target.elts)
        )
        for each, part in zip(target.elts, values, strict=True):
            yield from _target_values(each, part)
    while isinstance(target, ast.Subscript | ast.Attribute | ast.Starred | ast.Call):
        target = target.func if isinstance(target, ast.Call) else target.value
    if isinstance(target, ast.Name):
        yield target.id, value
