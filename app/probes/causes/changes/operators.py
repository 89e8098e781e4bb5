"""Changes of operators: another operator, swapped operands, one operand less, another constant."""

import ast
from collections.abc import Iterator

from app.probes.causes.changes.change import TWINS, Change, build, change, exchanged
from app.probes.causes.changes.names import told_numbers
from app.probes.causes.sites import TreeSite

COMPARED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Gt: [ast.Lt, ast.GtE],
    ast.GtE: [ast.LtE, ast.Gt],
    ast.Lt: [ast.Gt, ast.LtE],
    ast.LtE: [ast.GtE, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}
MOST_ELEMENTS = 8


def operator_changes(site: TreeSite) -> Iterator[Change]:
    node = site.node
    match node:
        case ast.BinOp():
            yield from binary(site, node)
        case ast.UnaryOp():
            yield change(site, node.operand, "wrong-sign" if isinstance(node.op, ast.USub) else "wrong-gradient", 0)
        case ast.Compare(ops=[operator]):
            for other in COMPARED.get(type(operator), ()):
                yield change(site, ast.Compare(node.left, [other()], node.comparators), "wrong-gradient", 3)
        case ast.Constant():
            yield from constants(site, node)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()) if len(node.elts) <= MOST_ELEMENTS:
            same = ast.dump(node)
            for elements in exchanged(node.elts):
                swapped = type(node)(elements, node.ctx)
                if ast.dump(swapped) != same:
                    yield change(site, swapped, "gradients-swapped", 1)
        case ast.IfExp():
            yield change(site, node.body, "wrong-gradient", 4)
            yield change(site, node.orelse, "wrong-gradient", 4)


def binary(site: TreeSite, node: ast.BinOp) -> Iterator[Change]:
    kind = type(node.op)
    if kind in TWINS:
        is_sum = kind in (ast.Add, ast.Sub)
        code = "wrong-sign" if is_sum else "wrong-factor" if is_scalar(node.right) else "wrong-gradient"
        yield change(site, ast.BinOp(node.left, TWINS[kind](), node.right), code, 0 if is_sum else 2)
    if kind is ast.Sub:
        yield change(site, ast.BinOp(node.right, ast.Sub(), node.left), "wrong-sign", 0)
    elif kind is ast.MatMult:
        yield change(site, ast.BinOp(node.right, ast.MatMult(), node.left), "wrong-gradient", 2)
    yield change(site, node.left, dropped_code(node, node.right), 3)
    if kind is ast.Sub:
        yield change(site, build("-_x", _x=node.right), dropped_code(node, node.left), 3)
    elif kind is ast.Div:
        yield change(site, build("1 / _x", _x=node.right), dropped_code(node, node.left), 3)
    elif kind is not ast.Pow:
        yield change(site, node.right, dropped_code(node, node.left), 3)


def dropped_code(node: ast.BinOp, dropped: ast.expr) -> str:
    return "wrong-factor" if isinstance(node.op, ast.Mult | ast.Div) and is_scalar(dropped) else "wrong-gradient"


def is_scalar(node: ast.expr) -> bool:
    """Return whether the expression looks like a number: a constant, a size, a count."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp():
            return is_scalar(node.operand)
        case ast.BinOp():
            return is_scalar(node.left) and is_scalar(node.right)
    text = ast.unparse(node)
    return ".shape[" in text or text.endswith((".numel()", ".dim()")) or ".size(" in text or text.startswith(("len(", "math."))


def constants(site: TreeSite, node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield change(site, ast.Constant(not value), "wrong-gradient", 3)
    elif isinstance(value, int | float):
        is_factor = isinstance(site.parent, ast.BinOp) and isinstance(site.parent.op, ast.Mult | ast.Div)
        others = {value * 2, value / 2, value + 1, value - 1} if is_factor else {value + 1, value - 1, value * 2}
        for other in sorted(others - {value}):
            exact = int(other) if isinstance(value, int) and other == int(other) else other
            told = told_numbers(isinstance(site.parent, ast.Subscript | ast.Slice), exact, value)
            yield change(site, ast.Constant(exact), "wrong-factor" if is_factor else "wrong-gradient", 1)._replace(values=told)
        if not isinstance(site.parent, ast.UnaryOp):
            yield change(site, build("-_x", _x=node), "wrong-sign" if is_factor else "wrong-gradient", 2)
