"""Reads a learner's source without executing it: its syntax trees, and what its names stand for. Runs in the grader's child."""

import ast
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator

from app.runtimes.torch.grading.not_passed import NotPassed

_MEANINGS = 32  # the most meanings of one name that are followed
_ROUNDS = 4  # the longest chain of assignments from name to name that is followed


def parse_sources(sources: list[str]) -> list[ast.Module]:
    """Return the syntax tree of each source. Raises NotPassed for a source with a syntax error."""
    trees = []
    for source in sources:
        try:
            with warnings.catch_warnings(action="ignore"):
                trees.append(ast.parse(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise NotPassed("syntax", line=getattr(error, "lineno", None) or "?") from None
    return trees


class Names:
    """What each name of a program may stand for: dotted names of modules, and of what modules contain.

    Order and scopes are ignored: an assignment anywhere in the program counts everywhere. `own` has the names of methods and attributes
    that the source itself defines.
    """

    def __init__(self, trees: list[ast.Module]) -> None:
        self._meanings: dict[str, set[str]] = defaultdict(set)
        nodes = [node for tree in trees for node in ast.walk(tree)]
        for node in nodes:
            self._import(node)
        self.own = {name for node in nodes for name in _own_names(node)}
        pairs = [pair for node in nodes for pair in assigned(node)]
        for _ in range(_ROUNDS):
            for name, value in pairs:
                if len(self._meanings[name]) <= _MEANINGS:
                    self._meanings[name] |= self.meanings(value)

    def _import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                self._meanings[name].add(alias.name if alias.asname else name)
        elif isinstance(node, ast.ImportFrom):
            module = f"{'.' * node.level}{node.module or ''}"
            for alias in node.names:
                for name in _public_names(module) if alias.name == "*" else [alias.name]:
                    self._meanings[alias.asname or name].add(f"{module}.{name}")

    def meanings(self, node: ast.AST | None) -> set[str]:
        """Return the dotted names that an expression may stand for; an empty set if it is something else."""
        match node:
            case ast.Name():
                return set(self._meanings.get(node.id, ()))
            case ast.Attribute():
                return {f"{base}.{node.attr}" for base in self.meanings(node.value)}
            case ast.Call(func=ast.Name(id="getattr"), args=[base, ast.Constant(value=str(name)), *_]):
                return {f"{found}.{name}" for found in self.meanings(base)}
            case ast.NamedExpr():
                return self.meanings(node.value)
            case ast.IfExp():
                return self.meanings(node.body) | self.meanings(node.orelse)
            case ast.BoolOp():
                return set().union(*map(self.meanings, node.values))
            case _:
                return set()


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds, each with the expression that it then stands for."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _bound(target, node.value)
        case ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
            yield from _bound(node.target, value)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(), _:
            yield target.id, value
        case ((ast.Tuple() | ast.List()), (ast.Tuple() | ast.List())) if len(target.elts) == len(value.elts):
            for inner, given in zip(target.elts, value.elts, strict=True):
                yield from _bound(inner, given)


def _own_names(node: ast.AST) -> Iterator[str]:
    """Yield the names assigned as `self.name = …`, and those that the body of a class defines, `__slots__` included."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            yield name
        case ast.ClassDef(body=body):
            for item in body:
                if isinstance(item, ast.FunctionDef):
                    yield item.name
                elif isinstance(item, (ast.Assign, ast.AnnAssign)):
                    inner = list(ast.walk(item))
                    yield from (one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
                    yield from (one.value for one in inner if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _public_names(module: str) -> list[str]:
    """Return the names that `from module import *` binds; none if this process has not imported the module."""
    found = sys.modules.get(module)
    return [] if found is None else list(getattr(found, "__all__", [name for name in vars(found) if not name.startswith("_")]))
