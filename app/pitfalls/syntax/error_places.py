"""Finds where a program has to be mended, given the line in which PyTorch raised an error."""

import ast

from app.pitfalls.finding import Place
from app.pitfalls.syntax.cut_value import cutting_place
from app.pitfalls.syntax.names import last_name
from app.pitfalls.syntax.places import FunctionPlaces
from app.pitfalls.syntax.source_places import place_of

_PASSES = {"backward", "grad"}


class ErrorPlaces(FunctionPlaces):
    """The places of one program. Lines are those of a traceback. Every method returns None for what it does not find."""

    def is_in_function(self, line: int) -> bool:
        """Return whether a line belongs to a Function's class."""
        return any(each.node.lineno <= line <= (each.node.end_lineno or each.node.lineno) for each in self._program.functions)

    def statement_place(self, line: int) -> Place | None:
        """Return the innermost statement at a line, if it contains no other statements."""
        around = [node for node in self._program.nodes if isinstance(node, ast.stmt) and _spans(node, line) and not hasattr(node, "body")]
        return place_of(around[-1]) if around else None

    def pass_place(self, line: int) -> Place | None:
        """Return the call of `backward` or `grad` at a line."""
        call = self._call_at(line, _PASSES)
        return place_of(call) if call else None

    def cutting_place(self, line: int) -> Place | None:
        """Return the assignment that cut off the tensor with which the call of `backward` or `grad` at a line begins; else the call."""
        call = self._call_at(line, _PASSES)
        if call is None:
            return None
        begun = self._begun_with(call)
        return (cutting_place(self._program, begun) if begun is not None else None) or place_of(call)

    def context_place(self, line: int, method: str) -> Place | None:
        """Return the last `ctx.method(…)` of the Function that a line applies, or of the only Function that has such a call."""
        applied = [each.function for each in self._program.applied_calls if _spans(each.call, line)]
        having = {each.name: each for each in applied or self._program.functions if each.marks(method)}
        if len(having) != 1:
            return None
        (function,) = having.values()
        calls = [call for saver in function.savers for call in saver.context_calls(method)]
        return place_of(calls[-1])

    def returning_place(self, function_name: str, index: int | None) -> Place | None:
        """Return the gradient with this index in the last `return` of backward; the whole `return` if the gradient is not found."""
        gradient = self.gradient_place(function_name, index) if index is not None else None
        if gradient is not None:
            return gradient.returned
        backward = self._find(function_name, "backward", "vjp")
        return place_of(backward.returns[-1]) if backward is not None and backward.returns else None

    def _begun_with(self, call: ast.Call) -> ast.expr | None:
        """Return the tensor with which a pass begins: `loss` in `loss.backward()`, `torch.autograd.grad(loss, x)` and `grad(loss, x)`."""
        if isinstance(call.func, ast.Attribute) and not self._program.full_name(call.func).startswith("torch."):
            return call.func.value
        return call.args[0] if call.args else None

    def _call_at(self, line: int, names: set[str]) -> ast.Call | None:
        """Return the first call at a line whose function has one of these names as the last part of its name."""
        calls = [call for call in self._program.calls if last_name(call.func) in names and _spans(call, line)]
        return min(calls, key=lambda call: (call.lineno, call.col_offset), default=None)


def _spans(node: ast.expr | ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
