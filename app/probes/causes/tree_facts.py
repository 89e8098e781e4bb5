"""Facts about a function's syntax tree that guide the search for a repair."""

import ast

from app.probes.causes.sites import TreeSite
from app.probes.causes.slices import written
from app.probes.causes.sources import METHODS, SourcePart, called_by

MAKING = {
    *("zeros", "ones", "empty", "new_zeros", "new_ones", "new_empty", "arange", "rand", "randn", "randint", "randperm", "eye"),
}
RESHAPING = {"expand", "reshape", "view", "repeat", "repeat_interleave", "tile", "broadcast_to", "unflatten"}


def is_whole(site: TreeSite) -> bool:
    """Return whether the site is the whole value that the statement assigns, or returns for one input."""
    return site.parent is site.statement or (isinstance(site.statement, ast.Return) and site.owner == id(site.node))


def used_by_forward(parts: list[SourcePart]) -> set[int]:
    """Return the ids of `forward`, `setup_context` and what they call, directly or through others."""
    found = {id(part) for part in parts if part.owner is not None and part.name in METHODS[:2]}
    waiting = [part for part in parts if id(part) in found]
    while waiting:
        names = {name for _, name in called_by(waiting.pop().tree)}
        called = [part for part in parts[1:] if part.name in names and id(part) not in found]
        found |= {id(part) for part in called}
        waiting += called
    return found


def assigned_name(statement: ast.stmt) -> str | None:
    """Return the name if the statement assigns to a single name, else None."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None


def loop_statements(tree: ast.FunctionDef) -> set[int]:
    """Return the statements that must not be changed, because a loop might not end.

    These are the statements in a `while`, and those that change a name in its condition.
    """
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    looked_at = {each.id for loop in loops for each in ast.walk(loop.test) if isinstance(each, ast.Name)}
    inside = {id(node) for loop in loops for node in ast.walk(loop)}
    return inside | {id(node) for node in ast.walk(tree) if isinstance(node, ast.stmt) and written(node)[0] & looked_at}


def unused_names(tree: ast.FunctionDef) -> set[str]:
    names = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
    assigned = {each.id for each in names if isinstance(each.ctx, ast.Store)} | {each.arg for each in tree.args.args}
    return assigned - {each.id for each in names if isinstance(each.ctx, ast.Load)}


def size_nodes(tree: ast.AST) -> set[int]:
    """Return the ids of all nodes in arguments that give a tensor's shape. If they were changed, memory might run out."""
    sizes = [size for node in ast.walk(tree) if isinstance(node, ast.Call) for size in sizes_of(node)]
    return {id(each) for size in sizes for each in ast.walk(size)}


def sizes_of(call: ast.Call) -> list[ast.expr]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    if name in ("full", "new_full"):
        return call.args[:1]
    if name in MAKING:
        return [*call.args, *(each.value for each in call.keywords if each.arg == "size")]
    if name not in RESHAPING:
        return []
    is_function = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id in ("torch", "np")
    return call.args[1:] if is_function else call.args
