"""Changes of statements: accumulate in an assignment, or assign a new tensor; targets in another order; one statement less."""

import ast
from collections.abc import Iterator
from itertools import combinations

from app.probes.causes.changes.change import MUTATED, Change, build, build_statement, change
from app.probes.causes.sites import TreeSite

MOST_TARGETS = 6


def statement_changes(site: TreeSite) -> Iterator[Change]:
    statement = site.node
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from assignments(site, statement, statement.targets[0])
    elif isinstance(statement, ast.AugAssign):
        yield from augmented(site, statement)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from expressions(site, statement.value)
    if isinstance(statement, ast.Expr | ast.AugAssign) or is_index_assignment(statement):
        yield change(site, ast.Pass(), "wrong-gradient", 5)


def is_index_assignment(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript)


def assignments(site: TreeSite, statement: ast.Assign, target: ast.expr) -> Iterator[Change]:
    value = statement.value
    if isinstance(target, ast.Subscript):
        base, index = target.value, target.slice
        parts = {"_x": base, "_i": index, "_v": value}
        yield change(site, build_statement("_x.index_put_((_i,), _v, accumulate=True)", **parts), "accumulation-lost", 1)
        yield change(site, ast.AugAssign(target, ast.Add(), value), "accumulation-lost", 1)
        yield change(site, copied_first(base, statement), MUTATED, 1)
    elif isinstance(target, ast.Name):
        loaded = ast.Name(target.id, ast.Load())
        yield change(site, ast.Assign([target], build("_x + _v", _x=loaded, _v=value)), "accumulation-lost", 2)
        if isinstance(value, ast.Name | ast.Attribute):
            yield change(site, ast.Assign([target], build("_v.clone()", _v=value)), MUTATED, 2)


def unpacked_otherwise(site: TreeSite) -> Iterator[Change]:
    """Yield an unpacking such as `a, b = …` with two of its names swapped."""
    statement = site.node
    if (
        not isinstance(statement, ast.Assign)
        or not isinstance(target := statement.targets[0], ast.Tuple)
        or len(target.elts) > MOST_TARGETS
    ):
        return
    for first, second in combinations(range(len(target.elts)), 2):
        elements = list(target.elts)
        elements[first], elements[second] = elements[second], elements[first]
        yield change(site, ast.Assign([ast.Tuple(elements, ast.Store())], statement.value), "wrong-gradient", 3)


def augmented(site: TreeSite, statement: ast.AugAssign) -> Iterator[Change]:
    target = statement.target
    twin = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}.get(type(statement.op))
    if twin is not None:
        yield change(
            site, ast.AugAssign(target, twin(), statement.value), "wrong-sign" if twin in (ast.Add, ast.Sub) else "wrong-gradient", 0
        )
    yield change(site, ast.Assign([target], statement.value), "wrong-gradient", 4)
    if isinstance(target, ast.Name):
        value = ast.BinOp(ast.Name(target.id, ast.Load()), statement.op, statement.value)
        yield change(site, ast.Assign([target], value), MUTATED, 1)
    else:
        yield change(site, copied_first(target, statement), MUTATED, 1)


def expressions(site: TreeSite, call: ast.Call) -> Iterator[Change]:
    method = call.func
    if isinstance(method, ast.Attribute) and method.attr.endswith("_"):
        base = method.value
        while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
            base = base.func.value
        yield change(site, copied_first(base, site.node), MUTATED, 1)


def copied_first(base: ast.expr, statement: ast.stmt) -> ast.stmt:
    """Return the statement with another before it that copies the tensor which it changes."""
    while isinstance(base, ast.Subscript | ast.Attribute):
        base = base.value
    if not isinstance(base, ast.Name):
        return statement
    copy = ast.Assign([ast.Name(base.id, ast.Store())], build("_x.clone()", _x=ast.Name(base.id, ast.Load())))
    return ast.If(ast.Constant(True), [copy, statement], [])
