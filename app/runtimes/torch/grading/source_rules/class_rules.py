"""Whether a source says of its classes what they are made of. Runs in the grader's child.

A class has all that its bases have, and a data class reads from them what its fields are called. So both are written out: bases by names
of the source or of modules, and fields as annotations in the body, which only a decorator next to the class is sure to see.
"""

import ast
import builtins
from collections.abc import Iterator

from app.runtimes.torch.grading.source_rules.source_tree import Names, assigned, bound_names

_DATACLASS = {"dataclasses.dataclass"}
_MADE_OF_FIELDS = {"collections.namedtuple", "typing.NamedTuple"}  # calls of these
_KEEP_THE_CLASS = _DATACLASS | {"functools.total_ordering", "typing.final", "typing.runtime_checkable"}
_METACLASSES = {"abc.ABCMeta"}


class ClassRules:
    def __init__(self, trees: list[ast.Module], names: Names) -> None:
        self._names = names
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self._nodes = nodes
        self._classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        rebound = {name for node in nodes if not isinstance(node, ast.ClassDef) for name in bound_names(node)}
        changed = {node.name for node in self._classes if not all(self._is(one, _KEEP_THE_CLASS) for one in node.decorator_list)}
        values: dict[str, list[ast.expr | None]] = {}
        for node in nodes:
            for name, value in assigned(node):
                values.setdefault(name, []).append(value)
        self._rebound = rebound | {node.name for node in self._classes}
        self._known = {node.name for node in self._classes} - rebound - changed
        self._known |= {name for name, given in values.items() if all(self._is_made_of_fields(value) for value in given)}

    def _is(self, node: ast.expr, wanted: set[str]) -> bool:
        """Whether an expression, or the function of a call, stands for one of these and for nothing else."""
        named = node.func if isinstance(node, ast.Call) else node
        meanings = self._names.meanings(named)
        return bool(meanings) and meanings <= wanted and not self._names.is_tainted(named)

    def _is_made_of_fields(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.Call) and self._is(node, _MADE_OF_FIELDS)

    def find_unknown_bases(self) -> Iterator[ast.expr]:
        for node in self._classes:
            yield from (base for base in node.bases if not self._is_known(base))

    def _is_known(self, base: ast.expr) -> bool:
        match base:
            case ast.Subscript():
                return self._is_known(base.value)
            case ast.Name(id=name) if name in self._known:
                return True
            case ast.Name(id=name) if name not in self._rebound and isinstance(getattr(builtins, name, None), type):
                return True
            case ast.Name() | ast.Attribute():
                return bool(self._names.meanings(base)) and not self._names.is_tainted(base)
            case _:
                return self._is_made_of_fields(base)

    def find_misplaced(self, nodes: list[ast.AST]) -> Iterator[ast.expr]:
        """Uses of `dataclass` that are not next to a class."""
        innermost = {node.decorator_list[-1] for node in self._classes if node.decorator_list}
        beside = innermost | {one.func for one in innermost if isinstance(one, ast.Call)}
        for node in nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and node not in beside and self._names.meanings(node) & _DATACLASS:
                yield node

    def find_renamed(self) -> Iterator[ast.Attribute]:
        """Where an attribute `name` is set in a source that has data classes: that of a field is a part of what they execute."""
        modules = {node.module for node in self._nodes if isinstance(node, ast.ImportFrom)}
        modules |= {one.name for node in self._nodes if isinstance(node, ast.Import) for one in node.names}
        for node in self._nodes if "dataclasses" in modules else []:
            if isinstance(node, ast.Attribute) and node.attr == "name" and not isinstance(node.ctx, ast.Load):
                yield node

    def find_metaclasses(self) -> Iterator[ast.expr]:
        """Others than ABCMeta."""
        for made in self._classes:
            yield from (one.value for one in made.keywords if one.arg == "metaclass" and not self._is(one.value, _METACLASSES))
