"""Finds in a Function's source what a probe or the trace has found: a gradient, what is saved, and where it is used."""

import ast
from collections.abc import Callable
from typing import NamedTuple, Self

from app.pitfalls.finding import Place
from app.pitfalls.syntax.aliases import list_unpacked
from app.pitfalls.syntax.names import assigned_pairs, is_constant, is_name, loaded_names
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.saved_items import SavedItem, list_saved
from app.pitfalls.syntax.source_places import heading_place, place_of
from app.pitfalls.syntax.source_rules import read_program
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, is_context_attribute


class GradientPlace(NamedTuple):
    """The place of a gradient. `returned`: the expression in the last `return` that gives it.

    `assigned`: the last assignment to its name, if that expression is a name.
    """

    returned: Place
    assigned: Place | None


class FunctionPlaces:
    """The places in the Functions of one program. A method returns None, or nothing, for what it does not find."""

    def __init__(self, program: ProgramTree) -> None:
        self._program = program
        self._functions = {function.name: function for function in program.functions}

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the places of a program; None if it is too long or not valid."""
        program = read_program(text)
        return None if program is None else cls(program)

    def method_place(self, function_name: str, method: str) -> Place | None:
        found = self._find(function_name, method)
        return heading_place(found.node) if found else None

    def parameter_names(self, function_name: str) -> list[str]:
        """Return the names of forward's inputs, without ctx; for `*inputs`, the name with its star comes last."""
        function = self._functions.get(function_name)
        if function is None or function.forward is None:
            return []
        return [*function.forward.parameters, *([f"*{function.forward.varargs}"] if function.forward.varargs else [])]

    def incoming_names(self, function_name: str) -> list[str]:
        """Return the names of the gradients that backward takes."""
        backward = self._find(function_name, "backward", "vjp")
        return list(backward.parameters) if backward else []

    def naming_place(self, function_name: str, method: str, name: str) -> Place | None:
        """Return the first statement of a method that mentions a name, apart from the statements inside of it."""
        return _first_statement(self._find(function_name, method), lambda node: is_name(node, name))

    def gradient_place(self, function_name: str, index: int) -> GradientPlace | None:
        """Return where backward gives the gradient of the input with this index."""
        backward = self._find(function_name, "backward", "vjp")
        if backward is None:
            return None
        for each in reversed(backward.returns):
            gradient = _returned(each.value, index)
            if gradient is not None and not is_constant(gradient, None):
                statement = _last_assignment(backward, gradient.id, each) if isinstance(gradient, ast.Name) else None
                return GradientPlace(place_of(gradient), place_of(statement) if statement else None)
        return None

    def saved_expression(self, function_name: str, index: int) -> str:
        """Return the text of the argument of save_for_backward with this index; "" if it is not certain which argument that is."""
        item = self._saved_item(function_name, index)
        return ast.unparse(item.expression) if item else ""

    def saved_place(self, function_name: str, index: int) -> Place | None:
        """Return the place of the argument of save_for_backward with this index."""
        item = self._saved_item(function_name, index)
        return place_of(item.expression) if item else None

    def saved_use_place(self, function_name: str, index: int) -> Place | None:
        """Return the first statement of backward that uses the saved tensor with this index after unpacking it."""
        backward = self._find(function_name, "backward", "vjp")
        unpacked = [name for name, origin in list_unpacked(backward).items() if origin.index == index] if backward else []
        return self.use_place(function_name, unpacked[0]) if unpacked else None

    def _find(self, function_name: str, *names: str) -> WrittenMethod | None:
        """Return the first of these methods that a Function has."""
        function = self._functions.get(function_name)
        return function.find(*names) if function else None

    def _saved_item(self, function_name: str, index: int) -> SavedItem | None:
        function = self._functions.get(function_name)
        saved = list_saved(function) if function else []
        return saved[index] if index < len(saved) else None

    def output_place(self, function_name: str, index: object) -> Place | None:
        """Return the output with this index in the last `return` of forward."""
        function = self._functions.get(function_name)
        returns = function.forward.returns if function and function.forward else []
        output = _returned(returns[-1].value, index) if returns and isinstance(index, int) else None
        return place_of(output) if output is not None else None

    def use_place(self, function_name: str, name: str) -> Place | None:
        """Return the first statement of backward that reads what was saved as `name`, by `ctx.name` or after unpacking it."""
        function = self._functions.get(function_name)
        if function is None or function.backward is None:
            return None
        backward, names = function.backward, _names_in_backward(function, function.backward, name)
        return _first_statement(backward, lambda node: _reads(node, names, backward, name))

    def guard_place(self, function_name: str, index: int) -> Place | None:
        """Return the test of the innermost `if needs_input_grad…` of backward around the gradient of the input with this index."""
        backward, gradient = self._find(function_name, "backward", "vjp"), self.gradient_place(function_name, index)
        line = (gradient.assigned or gradient.returned).line if gradient else 0
        tests = [node for node in backward.own_nodes if isinstance(node, ast.If)] if backward else []
        around = [node for node in tests if any(each.lineno <= line <= (each.end_lineno or 0) for each in node.body)]
        asking = [node for node in around if backward and _asks_for_needs(node.test, backward)]
        return place_of(asking[-1].test) if asking else None

    def strided_place(self, function_name: str) -> Place | None:
        """Return the first statement of backward that depends on strides: `as_strided`, `view`, `stride`, `data_ptr`, `storage`."""
        backward = self._find(function_name, "backward", "vjp")
        return _first_statement(backward, lambda node: isinstance(node, ast.Attribute) and node.attr in _ABOUT_STRIDES)


_ABOUT_STRIDES = {"as_strided", "view", "stride", "data_ptr", "untyped_storage", "storage_offset"}


def _first_statement(method: WrittenMethod | None, is_wanted: Callable[[ast.AST], bool]) -> Place | None:
    """Return the first statement of a method that has such a node, apart from those of the statements inside of it."""
    for statement in method.own_nodes if method else ():
        if isinstance(statement, ast.stmt) and any(map(is_wanted, _own_expressions(statement))):
            return place_of(statement)
    return None


def _asks_for_needs(test: ast.expr, backward: WrittenMethod) -> bool:
    """Return whether a test reads needs_input_grad, or a name that backward made from it."""
    made = {
        name.id
        for statement in backward.own_nodes
        if isinstance(statement, ast.Assign)
        for target, value in assigned_pairs(statement)
        if _mentions_needs(value)
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    return _mentions_needs(test) or bool(made & loaded_names(test))


def _mentions_needs(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "needs_input_grad" for each in ast.walk(node))


def _returned(value: ast.expr | None, index: int) -> ast.expr | None:
    """Return the item with this index among the returned ones; None if it is not certain."""
    if not isinstance(value, ast.Tuple | ast.List):
        return value if index == 0 else None
    listed = value.elts[: index + 1]
    is_counted = index < len(value.elts) and not any(isinstance(each, ast.Starred) for each in listed)
    return listed[index] if is_counted else None


def _last_assignment(method: WrittenMethod, name: str, before: ast.stmt) -> ast.stmt | None:
    """Return the last statement before another that assigns a name or a piece of it, or changes it in place."""
    earlier = [node for node in method.own_nodes if isinstance(node, ast.stmt) and node.lineno < before.lineno]
    return next((statement for statement in reversed(earlier) if _assigns(statement, name)), None)


def _assigns(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign():
            pairs = list(assigned_pairs(statement))
            is_none = all(is_constant(value, None) for _, value in pairs)
            return not is_none and any(name in _target_names(target) for target, _ in pairs)
        case ast.AugAssign() | ast.AnnAssign():
            return name in _target_names(statement.target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed, attr=method))):
            return method.endswith("_") and name in _target_names(changed)
    return False


def _target_names(target: ast.expr) -> set[str]:
    """Return the names that an assignment to the target binds or changes."""
    if isinstance(target, ast.Tuple | ast.List):
        return set().union(*(_target_names(each) for each in target.elts))
    while isinstance(target, ast.Subscript | ast.Starred | ast.Attribute):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()


def _names_in_backward(function: WrittenFunction, backward: WrittenMethod, name: str) -> set[str]:
    """Return the names that backward gives to the saved tensor that forward calls `name`; the same name if none is certain."""
    saved = list_saved(function)
    indices = {index for index, item in enumerate(saved) if name in loaded_names(item.expression)}
    names = {unpacked for unpacked, origin in list_unpacked(backward).items() if origin.index in indices}
    return names or {name}


def _own_expressions(statement: ast.AST) -> list[ast.AST]:
    """Return the nodes of a statement, without those of the statements inside of it."""
    own = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)]
    return [node for child in own for node in ast.walk(child)]


def _reads(node: ast.AST, names: set[str], method: WrittenMethod, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names and isinstance(node.ctx, ast.Load)
    is_read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    return is_read and is_context_attribute(node, method.ctx, name.rpartition(".")[2])
