"""Changes of statements: accumulate in an assignment, or assign a new tensor; targets in another order; one statement less."""

import ast
from collections.abc import Iterator

from app.probes.causes.changes.change import MUTATED, TWINS, Change, build, build_statement, change, exchanged
from app.probes.causes.sites import TreeSite

MOST_TARGETS = 6


def statement_changes(site: TreeSite) -> Iterator[Change]:
    statement = site.node
    match statement:
        case ast.Assign(targets=[ast.Subscript() as target]):
            parts = {"_x": target.value, "_i": target.slice, "_v": statement.value}
            yield change(site, build_statement("_x.index_put_((_i,), _v, accumulate=True)", **parts), "accumulation-lost", 1)
            yield change(site, ast.AugAssign(target, ast.Add(), statement.value), "accumulation-lost", 1)
            yield change(site, copied_first(target.value, statement), MUTATED, 1)
        case ast.Assign(targets=[ast.Name() as name], value=value):
            loaded = ast.Name(name.id, ast.Load())
            yield change(site, ast.Assign([name], build("_x + _v", _x=loaded, _v=value)), "accumulation-lost", 2)
            if isinstance(value, ast.Name | ast.Attribute):
                yield change(site, ast.Assign([name], build("_v.clone()", _v=value)), MUTATED, 2)
        case ast.AugAssign():
            yield from augmented(site, statement)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr=method))) if method.endswith("_"):
            while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
                base = base.func.value
            yield change(site, copied_first(base, statement), MUTATED, 1)
    match statement:
        case ast.Expr() | ast.AugAssign() | ast.Assign(targets=[ast.Subscript(), *_]):
            yield change(site, ast.Pass(), "wrong-gradient", 5)


def unpacked_otherwise(site: TreeSite) -> Iterator[Change]:
    """Yield an unpacking such as `a, b = …` with two of its names swapped."""
    match site.node:
        case ast.Assign(targets=[ast.Tuple(elts=targets), *_], value=value) if len(targets) <= MOST_TARGETS:
            for elements in exchanged(targets):
                yield change(site, ast.Assign([ast.Tuple(elements, ast.Store())], value), "wrong-gradient", 3)


def augmented(site: TreeSite, statement: ast.AugAssign) -> Iterator[Change]:
    target = statement.target
    twin = TWINS.get(type(statement.op))
    if twin is not None:
        code = "wrong-sign" if twin in (ast.Add, ast.Sub) else "wrong-gradient"
        yield change(site, ast.AugAssign(target, twin(), statement.value), code, 0)
    yield change(site, ast.Assign([target], statement.value), "wrong-gradient", 4)
    if isinstance(target, ast.Name):
        value = ast.BinOp(ast.Name(target.id, ast.Load()), statement.op, statement.value)
        yield change(site, ast.Assign([target], value), MUTATED, 1)
    else:
        yield change(site, copied_first(target, statement), MUTATED, 1)


def copied_first(base: ast.expr, statement: ast.stmt) -> ast.stmt:
    """Return the statement with another before it that copies the tensor which it changes."""
    while isinstance(base, ast.Subscript | ast.Attribute):
        base = base.value
    if not isinstance(base, ast.Name):
        return statement
    copy = ast.Assign([ast.Name(base.id, ast.Store())], build("_x.clone()", _x=ast.Name(base.id, ast.Load())))
    return ast.If(ast.Constant(True), [copy, statement], [])
