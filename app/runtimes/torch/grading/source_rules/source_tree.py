"""What a learner's source says, read and never executed: its syntax trees, and what its names stand for. Runs in the grader's child."""

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.torch_modules import names_in

_MEANINGS = 32  # of one name; one that has more may stand for anything
_ROUNDS = 8  # of finding what is assigned from what; a longer chain of names is not followed


def parse_sources(sources: list[str]) -> list[ast.Module]:
    """Raises NotPassed for a source that Python would not take."""
    trees = []
    for source in sources:
        try:
            with warnings.catch_warnings(action="ignore"):
                trees.append(ast.parse(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise NotPassed("syntax", line=getattr(error, "lineno", None) or "?") from None
    return trees


def module_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """What is executed at module level: all but the insides of functions and classes, their names included."""
    for statement in body:
        yield from _walk_outside(statement)


def _walk_outside(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk_outside(child)


class Names:
    """Dotted names of modules and what is in them, by the names of the program's that may stand for them.

    In no order and without scopes: a name that stands for something anywhere stands for it everywhere. `tainted`: names that may also
    stand for something else. `kept`: the names that the source itself gives to methods and attributes.
    """

    def __init__(self, trees: list[ast.Module]) -> None:
        self._meanings: dict[str, set[str]] = defaultdict(set)
        self.tainted: set[str] = set()
        self.kept: set[str] = set()
        for tree in trees:
            for node in ast.walk(tree):
                self._import(node)
                self._keep(node)
        pairs = [pair for tree in trees for node in ast.walk(tree) for pair in assigned(node)]
        for _ in range(_ROUNDS):
            for name, value in pairs:
                if value is not None and len(self._meanings[name]) <= _MEANINGS:
                    self._meanings[name] |= self.meanings(value)
        self.tainted |= {name for name, value in pairs if value is None or not self.meanings(value)}
        self.tainted |= {name for name, meanings in self._meanings.items() if len(meanings) > _MEANINGS}

    def _import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                self._meanings[name].add(alias.name if alias.asname else name)
        elif isinstance(node, ast.ImportFrom):
            module = f"{'.' * node.level}{node.module or ''}"
            for alias in node.names:
                for name in names_in(module) if alias.name == "*" else [alias.name]:
                    self._meanings[alias.asname or name].add(f"{module}.{name}")

    def _keep(self, node: ast.AST) -> None:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self.kept.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            self.kept.update(name for item in node.body for name, _ in assigned(item))

    def meanings(self, node: ast.AST | None) -> set[str]:
        """The dotted names that an expression may stand for; none: something else."""
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

    def is_tainted(self, node: ast.AST) -> bool:
        """Whether a name in an expression may also stand for something else."""
        return any(isinstance(inner, ast.Name) and inner.id in self.tainted for inner in ast.walk(node))


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that a node binds, other than by import, each with the expression that it then stands for, if that can be told."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _bound(target, node.value)
        case ast.AnnAssign() | ast.NamedExpr():
            yield from _bound(node.target, node.value)
        case ast.AugAssign() | ast.For() | ast.AsyncFor() | ast.comprehension():
            yield from _bound(node.target, None)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _bound(target, None)
        case ast.arg():
            yield node.arg, None
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, None
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            yield name, None


def _bound(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    match target, value:
        case ast.Name(), _:
            yield target.id, value
        case ast.Starred(), _:
            yield from _bound(target.value, None)
        case ((ast.Tuple() | ast.List()), (ast.Tuple() | ast.List())) if len(target.elts) == len(value.elts):
            for inner, given in zip(target.elts, value.elts, strict=True):
                yield from _bound(inner, given)
        case ((ast.Tuple() | ast.List()), _):
            for inner in target.elts:
                yield from _bound(inner, None)


def bound_names(node: ast.AST) -> Iterator[str]:
    """The names that a node binds or deletes, imports included."""
    for name, _ in assigned(node):
        yield name
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
        yield node.id
