"""Finds what names in a program stand for: imports, bindings, and the names in an expression."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator


def dotted_name(node: ast.AST) -> str | None:
    """Return `a.b.c` as it is written; None for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, or of the name that a call calls; "" for anything else."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def list_imports(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return what each imported name stands for, as a dotted name."""
    found = {}
    for node in nodes:
        match node:
            case ast.Import():
                for alias in node.names:
                    found[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
            case ast.ImportFrom():
                found |= {alias.asname or alias.name: f"{node.module or ''}.{alias.name}" for alias in node.names}
    return found


def count_bindings(nodes: Iterable[ast.AST]) -> Counter[str]:
    """Return how many times each name is bound anywhere in the program."""
    return Counter(name for node in nodes for name in _bound_by(node))


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node.id
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.arg():
            yield node.arg
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name


def loaded_names(node: ast.AST) -> set[str]:
    """Return the names that are read in a piece of source."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def stored_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that pieces of source assign."""
    walked = (each for node in nodes for each in ast.walk(node))
    return {each.id for each in walked if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def walk_own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk through statements in the order of the source, but not into functions and classes that are defined there."""
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(list(ast.iter_child_nodes(node))[::-1])


def is_constant(node: ast.expr | None, value: object) -> bool:
    """Return whether the expression is this constant: None, True or False."""
    return isinstance(node, ast.Constant) and node.value is value


def is_name(node: ast.AST, name: str | None) -> bool:
    """Return whether the expression is this name."""
    return isinstance(node, ast.Name) and node.id == name


def has_star(call: ast.Call) -> bool:
    """Return whether the number of positional arguments is not certain."""
    return any(isinstance(each, ast.Starred) for each in call.args)


def keyword_value(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument in a call; None if it is not given."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def assigned_pairs(statement: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each target of an assignment with its value; `a, b = c, d` gives two pairs."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _pairs(target, statement.value)
    elif isinstance(statement, ast.AnnAssign | ast.NamedExpr) and statement.value is not None:
        yield statement.target, statement.value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    several = ast.Tuple | ast.List
    if not isinstance(target, several) or not isinstance(value, several) or len(target.elts) != len(value.elts):
        yield target, value
        return
    is_starred = any(isinstance(each, ast.Starred) for each in [*target.elts, *value.elts])
    yield from [(target, value)] if is_starred else zip(target.elts, value.elts, strict=True)
