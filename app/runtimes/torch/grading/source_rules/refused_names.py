"""Which names a source may not use where its exercise bans some, and why. Runs in the grader's child.

A ban is a dotted name, "torch.exp" or "torch.func", or an operator, "**". Other names are refused beside it: those that reach any name,
and modules of which it is not known that they do not.
"""

import ast

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.reaching_names import ATTRIBUTES, DUNDERS, HOOKS, MODULES, REACHING
from app.runtimes.torch.grading.source_rules.torch_modules import ALLOWED, ALLOWED_ELSEWHERE, OPERATORS, from_torch, is_refused

# Other names of the same function, which PyTorch documents as such.
_ALIASES = [
    set(names.split())
    for names in (
        "abs absolute", "acos arccos", "acosh arccosh", "asin arcsin", "asinh arcsinh", "atan arctan", "atan2 arctan2", "atanh arctanh",
        "cat concat concatenate", "clamp clip", "digamma psi", "div divide true_divide", "lgamma gammaln", "mul multiply", "neg negative",
        "sigmoid expit", "sub subtract", "transpose swapaxes swapdims", "trunc fix",
    )
]  # fmt: skip
_OPERATORS: dict[str, type[ast.operator]] = {"**": ast.Pow, "@": ast.MatMult, "*": ast.Mult, "/": ast.Div, "+": ast.Add, "-": ast.Sub}


class RefusedNames:
    """The checks raise NotPassed, with the line of the node that uses the name.

    `roots`: the first parts of the banned names. `operators`: the bans that are operators, by their types in a syntax tree.
    """

    def __init__(self, bans: list[str]) -> None:
        self.operators = {_OPERATORS[ban]: ban for ban in bans if ban in _OPERATORS}
        self._dotted = {ban for ban in bans if ban not in _OPERATORS}
        self._last: dict[str, str] = {}  # the last part of a name, and which ban it falls under
        for ban in sorted(self._dotted, key=_is_of_tensors):  # of two with the same last part, what is said is that of tensors
            last = ban.rpartition(".")[2]
            for name in {last}.union(*(group for group in _ALIASES if last in group)):
                self._last |= dict.fromkeys((name, f"{name}_", f"_{name}", f"_{name}_", f"_foreach_{name}", f"_foreach_{name}_"), ban)
        self.roots = {ban.partition(".")[0] for ban in self._dotted}

    def check_operator(self, node: ast.BinOp | ast.AugAssign) -> None:
        ban = self.operators.get(type(node.op))
        if ban is not None:
            raise NotPassed("ban-used", name=ban, line=node.lineno, written=ban)

    def check_dotted(self, names: set[str], node: ast.expr | ast.stmt, written: str | None) -> None:
        """Bans hold of the dotted names below theirs, too. The widest is told."""
        covering = [(ban, name) for ban in self._dotted for name in names if _is_below(name, ban)]
        if covering:
            ban, name = min(covering)
            otherwise = "" if written in (None, name) else f" (as {written})"
            raise NotPassed("ban-used", name=ban, line=node.lineno, written=f"{name}{otherwise}")

    def check_last(self, name: str, node: ast.expr | ast.stmt, written: str, code: str = "ban-used") -> None:
        """The name of an attribute, whatever it is an attribute of."""
        if name in self._last:
            raise NotPassed(code, name=self._last[name], line=node.lineno, written=written)

    def has_last(self, name: str) -> bool:
        return name in self._last

    def has_last_of_tensors(self, name: str) -> bool:
        return _is_of_tensors(self._last.get(name, ""))

    def check_modules(self, names: set[str], node: ast.expr | ast.stmt) -> None:
        for name in sorted(names):
            if not is_refused(name):
                continue
            if not from_torch(name).startswith("torch."):
                raise NotPassed("ban-inner-module", name=name, line=node.lineno, allowed=", ".join(sorted({*MODULES, *ALLOWED_ELSEWHERE})))
            if "torch" in self.roots:
                raise self.not_listed(name, node)

    def not_listed(self, name: str, node: ast.expr | ast.stmt) -> NotPassed:
        """Why a module of PyTorch is refused, with those that are listed and not banned."""
        allowed = ", ".join(module for module in ALLOWED if not any(_is_below(module, ban) for ban in self._dotted))
        return NotPassed("ban-module", name=name, line=node.lineno, allowed=allowed)


def check_reach(name: str, node: ast.stmt | ast.expr) -> None:
    """The name of an attribute or of what is imported."""
    if name.lstrip("_") in ATTRIBUTES or name in ATTRIBUTES | OPERATORS:
        raise reaching(name, node)


def reaching(name: str, node: ast.stmt | ast.expr) -> NotPassed:
    """Why a name is refused: it reaches any other, it is an inner one, or more may be done with it than is written."""
    code = "ban-dynamic" if name in REACHING else "ban-private" if is_dunder(name) and name not in HOOKS else "ban-unseen"
    return NotPassed(code, name=name, line=node.lineno)


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in DUNDERS


def _is_below(name: str, ban: str) -> bool:
    """Whether a dotted name is the banned one, or begins with it."""
    return f"{name}.".startswith(f"{ban}.")


def _is_of_tensors(ban: str) -> bool:
    return ban.startswith("torch.Tensor.")
