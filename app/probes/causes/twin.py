"""A copy of a Function in which functions can be replaced by changed ones, while the learner's class stays unchanged."""

import ast
import contextlib
import types
from collections.abc import Iterator
from typing import Any

from torch.autograd import Function

from app.probes.causes.sources import SourcePart


class Twin:
    """A copy of a Function. `namespace`: the globals of all its functions, a copy of the learner's. `kind`: the copy of the class."""

    def __init__(self, function: type[Function], parts: list[SourcePart]) -> None:
        self.original = function
        self.parts = parts
        self.namespace: dict[str, Any] = dict(parts[0].function.__globals__)
        self.kind: Any = types.new_class(function.__name__, (function,))
        for name, value in list(self.namespace.items()):
            if value is function:
                self.namespace[name] = self.kind
        for part in parts:
            self._put(part, self._rebuilt(part.function, part.function.__code__))

    def _put(self, part: SourcePart, function: types.FunctionType) -> None:
        if part.owner is None:
            self.namespace[part.name] = function
        else:
            setattr(self.kind, part.name, staticmethod(function))

    def _rebuilt(self, function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
        """Return the function with this code.

        Raises KeyError if the code uses a name of an enclosing function that the original did not use.
        """
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        closure = tuple(self._own_cell(cells[name]) for name in code.co_freevars)
        rebuilt = types.FunctionType(code, self.namespace, function.__name__, function.__defaults__, closure)
        rebuilt.__kwdefaults__ = function.__kwdefaults__
        return rebuilt

    def _own_cell(self, cell: types.CellType) -> types.CellType:
        try:
            return types.CellType(self.kind) if cell.cell_contents is self.original else types.CellType(cell.cell_contents)
        except ValueError:  # the cell is empty
            return cell

    def compiled(self, part: SourcePart, tree: ast.FunctionDef | None = None) -> types.FunctionType:
        """Compile the part with its present tree. Raises what `compile` raises, and KeyError."""
        code = compile_function(tree or part.tree, part.function.__code__)
        return self._rebuilt(part.function, code)

    @contextlib.contextmanager
    def replaced(self, part: SourcePart, function: types.FunctionType) -> Iterator[None]:
        before = self.namespace[part.name] if part.owner is None else vars(self.kind)[part.name].__func__
        self._put(part, function)
        try:
            yield
        finally:
            self._put(part, before)


def compile_function(tree: ast.FunctionDef, like: types.CodeType) -> types.CodeType:
    """Compile a function that may use names of enclosing functions. It is compiled inside of an outer function that defines these names."""
    module = ast.parse(f"def outer({', '.join(like.co_freevars)}): pass")
    outer = module.body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [tree]
    code = compile(module, like.co_filename, "exec", dont_inherit=True)
    return _inner(_inner(code, "outer"), tree.name)


def _inner(code: types.CodeType, name: str) -> types.CodeType:
    return next(each for each in code.co_consts if isinstance(each, types.CodeType) and each.co_name == name)
