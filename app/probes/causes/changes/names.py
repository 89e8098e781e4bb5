"""Changes of a name to another name, and of a number to another number."""

import ast
from collections.abc import Iterator
from typing import Any

import torch

from app.probes.causes.at_hand import AtHand, is_number
from app.probes.causes.changes.change import Change, build, change, expression
from app.probes.causes.sites import TreeSite
from app.probes.observation import Value

NUMERIC = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)


def name_changes(site: TreeSite, at_hand: AtHand) -> Iterator[Change]:
    values, node = at_hand.locals_at(site.statement), site.node
    mine = values.get(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(mine, torch.Tensor | bool):
        yield from numbers(site, values, at_hand)
        return
    for name, value in values.items():
        if name != node.id and is_alike(value, mine):
            order = 1 if isinstance(mine, bool) else 2
            yield change(site, ast.Name(name, ast.Load()), "wrong-gradient", order, cause="wrong-name", name=node.id, other=name)


def is_alike(value: Any, mine: torch.Tensor | bool) -> bool:
    """Return whether both are bool, or tensors of the same shape and dtype."""
    if isinstance(mine, bool):
        return isinstance(value, bool)
    return isinstance(value, torch.Tensor) and value.shape == mine.shape and value.dtype == mine.dtype


def numbers(site: TreeSite, values: dict[str, Any], at_hand: AtHand) -> Iterator[Change]:
    """Yield the changes that replace an expression that is a number by another number that is known there."""
    value = number_of(site.node, values)
    if value is None:
        return
    is_index = isinstance(site.parent, ast.Subscript | ast.Slice)
    if not isinstance(site.node, ast.Constant):
        for template, step in (("_x - 1", -1), ("_x + 1", 1)):
            yield change(site, build(template, _x=site.node), "wrong-gradient", 2)._replace(
                values=told_numbers(is_index, value + step, value)
            )
    for scalar in at_hand.scalars_at(site.statement):
        if scalar.value == value:
            continue
        if scalar.option is not None and not is_index:
            yield change(site, expression(scalar.source), "option-ignored-in-backward", 0, option=scalar.option)
        else:
            told = told_numbers(is_index, scalar.value, value)
            yield change(site, expression(scalar.source), "wrong-gradient" if is_index else "wrong-factor", 1)._replace(values=told)
    if not is_index and not isinstance(site.node, ast.Constant):
        yield from counts(site, at_hand)


def told_numbers(is_index: bool, number: Any, other: Any) -> dict[str, Value]:
    """Return the values for a message that the source has the number `other`, but `number` would be right."""
    if isinstance(number, complex) or isinstance(other, complex):
        return {}
    return {"cause": "wrong-index" if is_index else "wrong-constant", "number": number, "other_number": other}


def counts(site: TreeSite, at_hand: AtHand) -> Iterator[Change]:
    """Yield, in place of a number, the sums of tensors of zeros and ones: how many ones there are in each row."""
    for name, value in at_hand.tensors_at(site.statement).items():
        if value.dim() and not value.is_complex() and bool(((value == 0) | (value == 1)).all()):
            for dimension in range(value.dim()):
                source = f"{name}.sum({dimension}, keepdim=True).clamp(min=1)"
                yield change(site, expression(source), "wrong-factor", 4)


def number_of(node: ast.AST, values: dict[str, Any]) -> complex | None:
    """Return the value of an expression of names and constants; None if it is not a number."""
    nodes = list(ast.walk(node))
    if not isinstance(node, NUMERIC) or not all(
        isinstance(each, (*NUMERIC, ast.operator, ast.unaryop, ast.expr_context)) for each in nodes
    ):
        return None
    if any(isinstance(each, ast.Pow) for each in nodes) and len(ast.unparse(node)) > 60:
        return None
    try:
        found = eval(compile(ast.fix_missing_locations(ast.Expression(node)), "<number>", "eval"), {"__builtins__": {}}, values)
    except Exception:  # the learner's expression may raise anything, and a name may not be known
        return None
    return found if is_number(found) else None
