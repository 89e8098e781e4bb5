"""Finds the statements of `backward` that compute the gradient of each input."""

import ast


def slice_of(tree: ast.FunctionDef, index: int) -> set[int]:
    """Return the statements that the gradient of input `index` may depend on, by their `id`.

    For a `return` of a tuple, its elements are named instead of the statement.
    """
    walk = _Walk(index)
    walk.back(tree.body, set())
    return walk.reached


class _Walk:
    def __init__(self, index: int) -> None:
        self._index = index
        self.reached: set[int] = set()

    def back(self, statements: list[ast.stmt], wanted: set[str]) -> set[str]:
        """Return the names whose values are needed before the statements, given the names that are needed after them."""
        for statement in reversed(statements):
            wanted = self._before(statement, wanted)
        return wanted

    def _before(self, statement: ast.stmt, wanted: set[str]) -> set[str]:
        if isinstance(statement, ast.Return):
            return self._returned(statement)
        bodies = [body for name in ("body", "orelse", "finalbody") if (body := getattr(statement, name, None))]
        bodies += [handler.body for handler in getattr(statement, "handlers", [])]
        if bodies:
            return self._block(statement, bodies, wanted)
        changed, killed = written(statement)
        if not changed & wanted:
            return wanted
        self.reached.add(id(statement))
        return (wanted - killed) | used_for(statement, wanted)

    def _returned(self, statement: ast.Return) -> set[str]:
        value = statement.value
        if isinstance(value, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in value.elts):
            if self._index >= len(value.elts):
                return set()
            value = value.elts[self._index]
        elif value is not None:
            self.reached.add(id(statement))
        if value is None:
            return set()
        self.reached.add(id(value))
        return loaded(value)

    def _block(self, statement: ast.stmt, bodies: list[list[ast.stmt]], wanted: set[str]) -> set[str]:
        before = len(self.reached)
        found = set(wanted)
        for _ in range(3 if isinstance(statement, ast.For | ast.While) else 1):
            for body in bodies:
                found |= self.back(body, set(found))
        if len(self.reached) > before or isinstance(statement, ast.With):
            self.reached.add(id(statement))
            found |= loaded_by_header(statement)
        return found


def used_for(statement: ast.stmt, wanted: set[str]) -> set[str]:
    """Return the names from which the wanted targets are computed. `a, b = f(x), g(y)` counts as two assignments."""
    value, target = getattr(statement, "value", None), statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = zip(target.elts, value.elts, strict=True)
        return set().union(*(loaded(each) for name, each in pairs if names(name) & wanted))
    return loaded(statement)


def written(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Return the names whose values the statement may change, and the names to which it assigns new values."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    found = [node for target in targets if target is not None for node in ast.walk(target) if isinstance(node, ast.Name)]
    changed = {node.id for node in found}
    killed = {node.id for node in found if isinstance(node.ctx, ast.Store)} if not isinstance(statement, ast.AugAssign) else set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_in_place(node.func.attr):
            changed |= base_names(node.func.value)
    return changed, killed - loaded(statement)


def is_in_place(method: str) -> bool:
    return (method.endswith("_") and not method.endswith("__")) or method in ("append", "extend", "insert")


def base_names(node: ast.expr) -> set[str]:
    """Return the name of the object on which `name[…].method(…)` works."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def loaded(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)} | (
        names(node.target) if isinstance(node, ast.AugAssign) else set()
    )


def loaded_by_header(statement: ast.stmt) -> set[str]:
    parts = [getattr(statement, name, None) for name in ("test", "iter")] + [each.context_expr for each in getattr(statement, "items", [])]
    return set().union(*(loaded(part) for part in parts if part is not None))


def names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
