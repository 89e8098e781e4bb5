"""Finds the assignment that cut a value off from its graph, if the source shows it for certain."""

import ast
from collections.abc import Iterable

from app.pitfalls.finding import Place
from app.pitfalls.syntax.names import assigned_pairs, keyword_value, stored_names, walk_own
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.source_places import contains, place_of

_CUTTING_METHODS = {"detach", "item", "numpy", "tolist"}
_COPYING = {"torch.tensor", "torch.from_numpy"}
_DEPTH = 20  # how many nested expressions and assignments are followed
_Cut = ast.stmt | bool  # the statement that cuts the value off; True for a value that never had a graph, False for one that may have one


def cutting_place(program: ProgramTree, used: ast.expr) -> Place | None:
    """Return the assignment without which `used` would have a graph; None if it is not certain."""
    found = _CutSearch(program, used).cut_of(used, used, _DEPTH)
    return place_of(found) if isinstance(found, ast.stmt) else None


class _CutSearch:
    """Follows a value back through the assignments of the innermost function in which it is used, or of those outside of functions."""

    def __init__(self, program: ProgramTree, used: ast.expr) -> None:
        self._program = program
        around = [node for node in program.nodes if isinstance(node, ast.FunctionDef) and contains(node, used)]
        scope = walk_own(max(around, key=lambda node: node.lineno).body) if around else program.top_nodes
        self._statements = [node for node in scope if isinstance(node, ast.stmt)]

    def cut_of(self, value: ast.expr, at: ast.expr | ast.stmt, depth: int) -> _Cut:
        """Return the assignment that cut `value` off from its graph. `value` is computed in the statement or expression `at`."""
        if depth == 0:
            return False
        here: _Cut = at if isinstance(at, ast.stmt) else False
        match value:
            case ast.Constant():
                return True
            case ast.Name():
                return self._cut_of_name(value.id, at, depth)
            case ast.Call():
                return self._cut_of_call(value, at, here, depth)
            case ast.Attribute(attr="data"):
                return here
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
                return self.cut_of(inner, at, depth - 1)
            case ast.BinOp():
                return self._all([value.left, value.right], at, depth)
            case ast.Tuple() | ast.List():
                return self._all(value.elts, at, depth)
        return False

    def _cut_of_call(self, call: ast.Call, at: ast.expr | ast.stmt, here: _Cut, depth: int) -> _Cut:
        if keyword_value(call, "requires_grad") is not None or any(word.arg is None for word in call.keywords):
            return False
        arguments = [*call.args, *(word.value for word in call.keywords)]
        name = self._program.full_name(call.func)
        if name in _COPYING:
            return here if not all(isinstance(self.cut_of(each, at, depth - 1), bool) for each in call.args) or _reads(call) else True
        if self._program.called_function(call) is not None or (name.startswith("torch.") and _is_plain(name)):
            return self._all(arguments, at, depth)
        if not isinstance(call.func, ast.Attribute) or name.startswith("torch."):
            return False
        if call.func.attr in _CUTTING_METHODS:
            return here
        return False if call.func.attr in {"requires_grad_", "apply"} else self._all([call.func.value, *arguments], at, depth)

    def _cut_of_name(self, name: str, at: ast.expr | ast.stmt, depth: int) -> _Cut:
        """Return what cut off a variable.

        Its last assignment before `at` decides, or all earlier ones if that is in a branch that may not have run.
        """
        before = [each for each in self._statements if each.lineno < at.lineno and _stores(each, name)]
        if not before:
            return False
        cuts = [self._cut_of_assignment(each, name, depth) for each in before]
        last = before[-1]
        is_certain = any(last in block and any(contains(each, at) for each in block) for block in self._program.blocks)
        if is_certain or len(before) == 1:
            return cuts[-1]
        return False if any(each is False for each in cuts) else cuts[-1]

    def _cut_of_assignment(self, statement: ast.stmt, name: str, depth: int) -> _Cut:
        pairs = [value for target, value in assigned_pairs(statement) if isinstance(target, ast.Name) and target.id == name]
        if len(pairs) != 1:
            return False
        found = self.cut_of(pairs[0], statement, depth - 1)
        return statement if found is False and id(statement) in self._program.unrecorded else found

    def _all(self, values: Iterable[ast.expr], at: ast.expr | ast.stmt, depth: int) -> _Cut:
        """Return what `cut_of` returns for the last of several values; False if any of them may have a graph."""
        found: _Cut = True
        for each in values:
            cut = self.cut_of(each, at, depth - 1)
            if cut is False:
                return False
            found = found if cut is True else cut
        return found


def _stores(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement itself assigns a name, or binds it as a loop, an import or `with` does."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return statement.name == name
    return name in stored_names(each for each in ast.iter_child_nodes(statement) if not isinstance(each, ast.stmt))


def _reads(call: ast.Call) -> bool:
    """Return whether the arguments of `torch.tensor` contain tensors whose numbers are read."""
    inner = [node for argument in call.args for node in ast.walk(argument)]
    return any(isinstance(node, ast.Attribute) and node.attr in _CUTTING_METHODS for node in inner) or any(
        isinstance(node, ast.Name) for node in call.args
    )


def _is_plain(name: str) -> bool:
    """Return whether this is a function of PyTorch whose result has a graph only if an argument has one."""
    is_function = name.startswith("torch.nn.functional.") or name.count(".") == 1
    return is_function and not name.rpartition(".")[2][0].isupper()
