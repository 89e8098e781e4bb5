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
    values: dict[str, list[ast.expr]] = {}
    for name, value in _assigned_values(method):
        values.setdefault(name, []).append(value)
    waiting = [each.value for each in method.returns if each.value is not None]
    names, seen, found = set[str](), set[int](), list[ast.expr]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        for each in ast.walk(value) if also_conditions else own_expressions(value):
            if isinstance(each, ast.expr):
                found.append(each)
            if isinstance(each, ast.Name) and each.id not in names:
                names.add(each.id)
                waiting.extend(values.get(each.id, []))
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def own_expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield those parts of an expression with respect to which the expression can be differentiated."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.expr):
            yield each
        waiting.extend(_parts(each))


def _parts(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Compare() | ast.Lambda() | ast.JoinedStr() | ast.UnaryOp(op=ast.Not() | ast.Invert()):
            return []
        case ast.Call() | ast.Attribute() if last_name(node) in _WITHOUT_DERIVATIVE:
            return []
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.Subscript():
            return [node.value]
        case ast.Call() if last_name(node) == "where":
            return [*ast.iter_child_nodes(node.func), *node.args[1:], *node.keywords]
    return list(ast.iter_child_nodes(node))


def _assigned_values(method: WrittenMethod) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name with each expression whose value it gets, whole or in part: by assignment, in a loop, or by an in-place method."""
    for node in method.own_nodes:
        match node:
            case ast.Assign():
                for target in node.targets:
                    yield from _target_values(target, node.value)
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr() if node.value is not None:
                yield from _target_values(node.target, node.value)
            case ast.For() | ast.comprehension():
                yield from _target_values(node.target, node.iter)
            case ast.withitem() if node.optional_vars is not None:
                yield from _target_values(node.optional_vars, node.context_expr)
            case ast.Call(func=ast.Attribute(value=changed, attr=name)) if name.endswith("_") or name in {"append", "extend"}:
                for argument in node.args:
                    yield from _target_values(changed, argument)


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
