"""Finds names in a source that its exercise forbids. Runs in the grader's child.

This tells learners who mean to keep the rule in which line they break it. A program that means to break the rule can compute any name at
run time. app.runtimes.torch.grading.use_rules checks what such a program uses, and `marks` marks lines that compute names.
"""

import ast

import torch

from app.runtimes.torch.grading.not_passed import NotPassed
from app.runtimes.torch.grading.source_rules.source_tree import Names

_OPERATORS: dict[str, type[ast.operator]] = {"**": ast.Pow, "@": ast.MatMult, "*": ast.Mult, "/": ast.Div, "+": ast.Add, "-": ast.Sub}
_FUNCTIONS = (torch, torch.special, torch.nn.functional)
_SPELLINGS = ("{}", "{}_", "special_{}", "{}_loss")  # how the operator behind a function may be called
# Names that PyTorch documents as aliases of one function.
_ALIASES = [
    set(names.split())
    for names in (
        "abs absolute", "acos arccos", "acosh arccosh", "asin arcsin", "asinh arcsinh", "atan arctan", "atan2 arctan2", "atanh arctanh",
        "cat concat concatenate", "clamp clip", "digamma psi", "div divide true_divide", "lgamma gammaln", "mul multiply", "neg negative",
        "sigmoid expit", "sub subtract", "transpose swapaxes swapdims", "trunc fix",
    )
]  # fmt: skip


def check_bans(trees: list[ast.Module], bans: list[str]) -> None:
    """Raise NotPassed for the first use of something that is banned.

    A ban is a dotted name or an operator such as "**". A banned name also forbids all names below it.
    """
    names = Names(trees)
    for tree in trees:
        for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):  # within a line, outer expressions first
            for ban, written in _used(node, names, bans):
                raise NotPassed("ban-used", name=ban, line=getattr(node, "lineno", "?"), written=written)


def banned_operators(bans: list[str]) -> dict[str, str]:
    """Return a mapping from PyTorch's operators, such as "aten::exp", to the bans that forbid them."""
    names = [(name, ban) for ban in bans if ban not in _OPERATORS for name in _last_names(ban)]
    return {f"aten::{spelling.format(name)}": ban for name, ban in names for spelling in _SPELLINGS}


def _used(node: ast.AST, names: Names, bans: list[str]) -> list[tuple[str, str]]:
    """Return each ban that the node violates, with the text that violates it. The ban that covers most comes first."""
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
    """Return whether `ban` forbids the name `meaning`: the same name, a name below it, or the same function elsewhere in PyTorch."""
    name = meaning.rpartition(".")[2]
    is_same = meaning.startswith("torch.") and name in _last_names(ban) and _is_function(name)
    return is_same or f"{meaning}.".startswith(f"{ban}.")


def _of_tensor(node: ast.Attribute | ast.Call, names: Names, bans: list[str]) -> list[tuple[str, str]]:
    """Return the bans that a node violates as an attribute of a tensor.

    The attribute of a module does not count, nor does a name that the source itself defines.
    """
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
