"""Finds which names in a method certainly are a tensor that it was given, or a view of it, and where that tensor is changed in place.

The statements are followed in their order. If two branches disagree about a name, nothing is known about it.
"""

import ast
from dataclasses import dataclass, replace
from functools import reduce

from app.pitfalls.syntax.in_place import changed_by_call, is_in_place, root_name
from app.pitfalls.syntax.names import stored_names
from app.pitfalls.syntax.origin import Origin, element, is_view_index
from app.pitfalls.syntax.written_function import WrittenMethod, is_context_attribute

_VIEW_METHODS = {
    *("view", "view_as", "t", "transpose", "permute", "unsqueeze", "squeeze", "expand", "expand_as", "narrow", "select", "diagonal"),
    *("detach", "swapaxes", "swapdims", "movedim", "unflatten", "as_strided"),
}
_VIEW_ATTRIBUTES = {"T", "mT", "H", "mH", "data"}
_PIECES = {"chunk", "split", "unbind", "tensor_split"}
_ARRAY_METHODS = {"fill", "sort", "partition", "put"}  # NumPy's in-place methods; the methods of the same names do not change a tensor
_ENDINGS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@dataclass(frozen=True)
class InPlaceChange:
    """A statement that changes a tensor in place. `name`: how the statement calls it."""

    statement: ast.stmt
    node: ast.AST
    origin: Origin
    name: str


Known = dict[str, Origin]  # by name; a name that is missing is unknown


def list_changes(method: WrittenMethod) -> list[InPlaceChange]:
    """Return the changes of what a method was given, or unpacked from `ctx.saved_tensors`, in the order of the source."""
    reader = _Reader(method)
    reader.read_block(method.node.body, reader.known_at_start())
    return reader.changes


def list_unpacked(method: WrittenMethod) -> dict[str, Origin]:
    """Return the names that are bound to one of the saved tensors itself, by a statement at the top level of the method."""
    reader, found = _Reader(method), dict[str, Origin]()
    known = reader.known_at_start()
    for statement in method.node.body:
        known = reader.read_block([statement], known) or {}
        for name in stored_names([statement]) & known.keys():
            origin = known[name]
            if origin.kind == "saved" and not origin.container and not origin.through:
                found.setdefault(name, origin)
    return found


class _Reader:
    """Follows the statements of one method."""

    def __init__(self, method: WrittenMethod) -> None:
        self._method = method
        self.changes: list[InPlaceChange] = []

    def known_at_start(self) -> Known:
        known: Known = {name: Origin("parameter", index, name) for index, name in enumerate(self._method.parameters)}
        if self._method.varargs:
            known[self._method.varargs] = Origin("parameter", None, self._method.varargs, container="tensors")
        return known

    def read_block(self, block: list[ast.stmt], known: Known) -> Known | None:
        """Follow the statements. Return what is known after them; None if their end is never reached."""
        for statement in block:
            after = self._read(statement, known)
            if after is None:
                return None
            known = after
        return known

    def _read(self, statement: ast.stmt, known: Known) -> Known | None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return _without(known, {statement.name})
            case ast.If():
                self._read_expression(statement.test, statement, known)
                return _join(self.read_block(statement.body, dict(known)), self.read_block(statement.orelse, dict(known)))
            case ast.For() | ast.While():
                return self._read_loop(statement, known)
            case ast.With():
                for item in statement.items:
                    self._read_expression(item.context_expr, statement, known)
                return self.read_block(statement.body, known)
            case ast.Try():
                return self._read_try(statement, known)
            case ast.Match():
                ends = [self.read_block(case.body, dict(known)) for case in statement.cases]
                return reduce(_join, [known, *ends])
        known = self._read_simple(statement, known)
        return None if isinstance(statement, _ENDINGS) else known

    def _read_loop(self, statement: ast.For | ast.While, known: Known) -> Known:
        """Follow a loop once. Nothing is known about the names that it binds until it has bound them."""
        origin = self._find(statement.iter, known) if isinstance(statement, ast.For) else None
        known = _without(known, _bound_in(statement))
        inside = dict(known)
        if isinstance(statement, ast.For):
            self._bind(statement.target, element(origin, None) if origin is not None and origin.container else None, inside)
        return _join(known, self.read_block(statement.body, inside)) or {}

    def _read_try(self, statement: ast.Try, known: Known) -> Known | None:
        end = self.read_block([*statement.body, *statement.orelse], dict(known))
        for handler in statement.handlers:
            end = _join(end, self.read_block(handler.body, _join(dict(known), end) or dict(known)))
        if end is None:
            self.read_block(statement.finalbody, dict(known))
            return None
        return self.read_block(statement.finalbody, end)

    def _read_simple(self, statement: ast.stmt, known: Known) -> Known:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self._read_expression(child, statement, known)
        known = dict(known)
        match statement:
            case ast.AugAssign():
                self._note_target(statement.target, statement, known, augmented=True)
            case ast.Assign():
                origin = self._find(statement.value, known)
                for target in statement.targets:
                    self._note_target(target, statement, known)
                    if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                        self._bind_each(target.elts, statement.value.elts, known)
                    else:
                        self._bind(target, origin, known)
            case ast.AnnAssign() if statement.value is not None:
                self._bind(statement.target, self._find(statement.value, known), known)
            case ast.Delete():
                return _without(known, {each.id for each in statement.targets if isinstance(each, ast.Name)})
            case ast.Global() | ast.Nonlocal():
                return _without(known, set(statement.names))
        return known

    def _read_expression(self, expression: ast.expr, statement: ast.stmt, known: Known) -> None:
        """Record the changes that are made by calls in an expression, and the names that `:=` binds."""
        waiting: list[ast.AST] = [expression]
        while waiting:
            node = waiting.pop()
            match node:
                case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    continue
                case ast.Call():
                    for changed in changed_by_call(node):
                        self._note(changed, node, statement, known)
                    if isinstance(node.func, ast.Attribute) and node.func.attr in _ARRAY_METHODS:
                        origin = self._find(node.func.value, known)
                        if origin is not None and origin.through == "numpy":
                            self._note(node.func.value, node, statement, known)
                case ast.NamedExpr():
                    self._bind(node.target, self._find(node.value, known), known)
            waiting.extend(ast.iter_child_nodes(node))

    def _note_target(self, target: ast.expr, statement: ast.stmt, known: Known, augmented: bool = False) -> None:
        """Record what an assignment to a piece of a tensor changes, or an augmented assignment to the tensor itself."""
        match target:
            case ast.Tuple() | ast.List():
                for each in target.elts:
                    self._note_target(each, statement, known)
            case ast.Subscript():
                self._note(target.value, target, statement, known)
            case _ if augmented:
                self._note(target, target, statement, known)

    def _note(self, changed: ast.expr, node: ast.AST, statement: ast.stmt, known: Known) -> None:
        origin = self._find(changed, known)
        if origin is not None and not origin.container:
            self.changes.append(InPlaceChange(statement, node, origin, root_name(changed) or origin.name))

    def _bind_each(self, targets: list[ast.expr], values: list[ast.expr], known: Known) -> None:
        is_paired = len(targets) == len(values)
        origins = [self._find(value, known) for value in values] if is_paired else [None] * len(targets)
        for target, origin in zip(targets, origins, strict=True):
            self._bind(target, origin, known)

    def _bind(self, target: ast.expr, origin: Origin | None, known: Known) -> None:
        match target:
            case ast.Name():
                known.pop(target.id, None)
                if origin is not None:
                    known[target.id] = origin
            case ast.Starred():
                self._bind(target.value, None, known)
            case ast.Tuple() | ast.List():
                is_counted = True
                for number, each in enumerate(target.elts):
                    is_counted = is_counted and not isinstance(each, ast.Starred)
                    part = element(origin, number if is_counted else None) if origin is not None and origin.container else None
                    self._bind(each, part, known)

    def _find(self, node: ast.expr, known: Known) -> Origin | None:
        """Return the tensor of which an expression is certainly an alias."""
        match node:
            case ast.Name():
                return known.get(node.id)
            case ast.NamedExpr():
                return self._find(node.value, known)
            case ast.Attribute():
                return self._find_attribute(node, known)
            case ast.Subscript():
                return self._find_subscript(node, known)
            case ast.Call(func=ast.Attribute() as function):
                return self._find_call(function, known)
            case ast.IfExp():
                first = self._find(node.body, known)
                return first if first == self._find(node.orelse, known) else None
        return None

    def _find_attribute(self, node: ast.Attribute, known: Known) -> Origin | None:
        if is_context_attribute(node, self._method.ctx, "saved_tensors") or is_context_attribute(node, self._method.ctx, "saved_variables"):
            return Origin("saved", None, container="tensors")
        if node.attr not in _VIEW_ATTRIBUTES:
            return None
        origin = self._find(node.value, known)
        if origin is None or origin.container:
            return None
        return replace(origin, through="data") if node.attr == "data" else origin

    def _find_subscript(self, node: ast.Subscript, known: Known) -> Origin | None:
        origin = self._find(node.value, known)
        if origin is None:
            return None
        if origin.container:
            number = node.slice.value if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) else None
            return None if isinstance(node.slice, ast.Slice) else element(origin, number if number is None or number >= 0 else None)
        return origin if is_view_index(node.slice) else None

    def _find_call(self, function: ast.Attribute, known: Known) -> Origin | None:
        origin = self._find(function.value, known)
        if origin is None or origin.container:
            return None
        if function.attr == "numpy":
            return replace(origin, through="numpy")
        if function.attr in _PIECES and origin.through != "numpy":
            return replace(origin, container="pieces")
        if function.attr in _VIEW_METHODS or is_in_place(function.attr) or function.attr == "requires_grad_":
            return origin
        return None


def _bound_in(loop: ast.For | ast.While) -> set[str]:
    """Return the names that a loop binds. `x *= 2` does not count, because it changes the tensor that `x` is."""
    stored = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    augmented = {id(node.target) for node in ast.walk(loop) if isinstance(node, ast.AugAssign)}
    return {node.id for node in stored if id(node) not in augmented}


def _without(known: Known, names: set[str]) -> Known:
    return {name: origin for name, origin in known.items() if name not in names}


def _join(first: Known | None, second: Known | None) -> Known | None:
    """Return what is known after two branches. A branch is None if its end is never reached."""
    if first is None or second is None:
        return second if first is None else first
    return {name: origin for name, origin in first.items() if second.get(name) == origin}
