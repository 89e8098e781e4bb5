"""Whether a source uses a name that its exercise forbids, read from the source. Runs in the grader's child.

This is a rule for those who follow it, and tells them the line. A program that means to break it can make any name at run time: what it
then does while it is asked is seen by app.runtimes.torch.grading.means, and what makes names at run time is marked by marks.
"""

import ast

import torch

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.source_tree import Names

_OPERATORS: dict[str, type[ast.operator]] = {"**": ast.Pow, "@": ast.MatMult, "*": ast.Mult, "/": ast.Div, "+": ast.Add, "-": ast.Sub}
_FUNCTIONS = (torch, torch.special, torch.nn.functional)
_SPELLINGS = ("{}", "{}_", "special_{}", "{}_loss")  # of the operator behind a function's name
# Other names of the same function, which PyTorch documents as such.
_ALIASES = [
    set(names.split())
    for names in (
        "abs absolute", "acos arccos", "acosh arccosh", "asin arcsin", "asinh arcsinh", "atan arctan", "atan2 arctan2", "atanh arctanh",
        "cat concat concatenate", "clamp clip", "digamma psi", "div divide true_divide", "lgamma gammaln", "mul multiply", "neg negative",
        "sigmoid expit", "sub subtract", "transpose swapaxes swapdims", "trunc fix",
    )
]  # fmt: skip


def check_bans(trees: list[ast.Module], bans: list[str]) -> None:
    """Raises NotPassed at the first use. A ban is a dotted name, of which it forbids all that is below, or an operator, "**"."""
    names = Names(trees)
    for tree in trees:
        for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):  # what is outside first, within a line
            for ban, written in _used(node, names, bans):
                raise NotPassed("ban-used", name=ban, line=getattr(node, "lineno", "?"), written=written)


def banned_operators(bans: list[str]) -> dict[str, str]:
    """PyTorch's operators that the bans name, "aten::exp", by each the ban."""
    names = [(name, ban) for ban in bans if ban not in _OPERATORS for name in _last_names(ban)]
    return {f"aten::{spelling.format(name)}": ban for name, ban in names for spelling in _SPELLINGS}


def _used(node: ast.AST, names: Names, bans: list[str]) -> list[tuple[str, str]]:
    """The bans under which a node falls, the widest first, each with what is written there."""
    match node:
        case ast.BinOp() | ast.AugAssign():
            return [(ban, ban) for ban in bans if isinstance(node.op, _OPERATORS.get(ban, ()))]
        case ast.Import():
            return _covering({alias.name for alias in node.names}, bans)
        case ast.ImportFrom():
            return _covering({f"{node.module}.{alias.name}" for alias in node.names}, bans)
        case ast.Name(ctx=ast.Load()):
            return _covering(names.meanings(node), bans, node.id)
        case ast.MatchClass(kwd_attrs=attributes):
            return [(ban, name) for name in attributes for ban in bans if _is_of_tensors(name, ban) and name not in names.own]
        case ast.Attribute() | ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str()), *_]):
            return _covering(names.meanings(node), bans, ast.unparse(node)) or _of_tensor(node, names, bans)
        case _:
            return []


def _covering(meanings: set[str], bans: list[str], written: str | None = None) -> list[tuple[str, str]]:
    found = sorted((ban, meaning) for meaning in meanings for ban in bans if _covers(ban, meaning))
    return [(ban, meaning if written in (None, meaning) else f"{meaning} (as {written})") for ban, meaning in found]


def _covers(ban: str, meaning: str) -> bool:
    """Whether a name is the banned one, one below it, or a function that PyTorch calls the same elsewhere, as torch.special.exp2."""
    name = meaning.rpartition(".")[2]
    is_same = meaning.startswith("torch.") and name in _last_names(ban) and _is_function(name)
    return is_same or f"{meaning}.".startswith(f"{ban}.")


def _of_tensor(node: ast.Attribute | ast.Call, names: Names, bans: list[str]) -> list[tuple[str, str]]:
    """An attribute that tensors have, of something that may be one: neither a module's nor called so by the source itself."""
    base, name = (node.value, node.attr) if isinstance(node, ast.Attribute) else (node.args[0], node.args[1].value)  # type: ignore[attr-defined]
    if names.meanings(base) or name in names.own:
        return []
    return [(ban, ast.unparse(node)) for ban in sorted(bans) if _is_of_tensors(name, ban)]


def _is_of_tensors(name: str, ban: str) -> bool:
    of_this = ban.startswith("torch.Tensor.") or _is_function(ban.rpartition(".")[2])
    return of_this and name.rstrip("_") in _last_names(ban) and hasattr(torch.Tensor, name)


def _is_function(name: str) -> bool:
    return any(callable(getattr(one, name, None)) for one in _FUNCTIONS)


def _last_names(ban: str) -> set[str]:
    last = ban.rpartition(".")[2]
    return {last}.union(*(group for group in _ALIASES if last in group))
