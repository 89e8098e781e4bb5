"""An operation that is missing: a sign, a factor, a transpose, the incoming gradient, a term."""

import ast
from collections.abc import Iterator

import torch

from app.probes.causes.at_hand import AtHand
from app.probes.causes.changes.calls import CODES
from app.probes.causes.changes.change import Change, build, change, expression
from app.probes.causes.sites import Site, expression_sites

UNARY = (("-(_x)", "wrong-sign", 0), ("_x.conj()", "conjugate-missing", 1), ("_x.mT", "transposed-gradient", 2), ("_x.t()", "transposed-gradient", 2))
SYMMETRIC = "(_x + _x.mT) / 2"
SUMS = ("_x.sum(0)", "_x.sum(0, keepdim=True)", "_x.sum(-1)", "_x.sum(-1, keepdim=True)")
PRODUCTS = ("_a * _b", "(_a * _b).sum(0)", "_a.t() @ _b", "_a @ _b.t()", "_a @ _b")
REDUCED = ("_y", "_y.mean(0)", "_y.mean(-1, keepdim=True)", "_y.sum(0)", "_y.sum(-1, keepdim=True)")


def insertion_changes(site: Site, at_hand: AtHand, incoming: list[str], unused: set[str]) -> Iterator[Change]:
    """`incoming`: the parameters of `backward` without ctx. `unused`: names that are assigned and never read."""
    node = site.node
    if not isinstance(node, ast.BinOp | ast.Call | ast.Name | ast.UnaryOp | ast.Subscript | ast.Attribute) or is_callee(site):
        return
    is_returned_name = isinstance(site.statement, ast.Return) and isinstance(node, ast.Name) and node.id not in incoming
    if not is_returned_name:
        for template, code, order in UNARY:
            yield change(site, build(template, _x=node), code, order, late=True)
        yield change(site, build("_x.contiguous()", _x=node), "assumes-contiguous", 3)
        yield from scaled(site, at_hand)
        yield from with_term(site, at_hand, incoming, unused)
    yield from with_incoming(site, at_hand, incoming)
    for template in SUMS:
        yield change(site, build(template, _x=node), "missing-sum", 5, late=True)
    if isinstance(node, ast.BinOp | ast.Call):
        yield change(site, build(SYMMETRIC, _x=node), "transposed-gradient", 5, late=True)
        for template in ("_x + 1", "_x - 1"):
            yield change(site, build(template, _x=node), "wrong-gradient", 7)
    for name, tensor in at_hand.tensors_at(site.statement).items():
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            for template in ("_x * _y", "_x / _y"):
                yield change(site, build(template, _x=node, _y=ast.Name(name, ast.Load())), "wrong-gradient", 7, late=True)


def is_callee(site: Site) -> bool:
    return isinstance(site.parent, ast.Call) and site.field == "func"


def scaled(site: Site, at_hand: AtHand) -> Iterator[Change]:
    for scalar in at_hand.scalars_at(site.statement):
        code = "wrong-factor" if scalar.option is None else "option-ignored-in-backward"
        values = {} if scalar.option is None else {"option": scalar.option}
        for template in ("_x * _y", "_x / _y"):
            node = build(template, _x=site.node, _y=expression(scalar.source))
            yield change(site, node, code, 3, late=True, **values)


def with_incoming(site: Site, at_hand: AtHand, incoming: list[str]) -> Iterator[Change]:
    for name in incoming:
        value = at_hand.locals_at(site.statement).get(name)
        if not isinstance(value, torch.Tensor):
            continue
        ones = ", 1" * 3
        shapes = ["_y"] + [f"_y.reshape(*_y.shape{ones[: 3 * count]})" for count in (1, 2, 3)] * (0 < value.dim() < 3)
        for template in shapes:
            node = build("_x * _z", _x=site.node, _z=build(template, _y=ast.Name(name, ast.Load())))
            yield change(site, node, "ignores-grad-output", 4, late=True)


def with_term(site: Site, at_hand: AtHand, incoming: list[str], unused: set[str]) -> Iterator[Change]:
    yield from with_unused(site, at_hand, unused)
    for name, value in at_hand.tensors_at(site.statement).items():
        if not (value.dtype.is_floating_point or value.dtype.is_complex):
            continue
        is_unused = name in unused
        code = "auxiliary-output-unmarked" if is_unused and name in incoming and len(incoming) > 1 else "missing-term"
        for template in REDUCED if value.dim() else REDUCED[:1]:
            for sign in "+-":
                term = build(template, _y=ast.Name(name, ast.Load()))
                node = build(f"_x {sign} _z", _x=site.node, _z=term)
                yield change(site, node, code, 4 if is_unused else 6 if template == "_y" else 8, late=True)


def with_unused(site: Site, at_hand: AtHand, unused: set[str]) -> Iterator[Change]:
    """A missing term that is the product of a tensor and one that was computed and is not used."""
    tensors = at_hand.tensors_at(site.statement)
    for spare in sorted(unused & tensors.keys()):
        for name in tensors:
            for sign in "+-":
                node = build(f"_x {sign} {name} * {spare}", _x=site.node)
                yield change(site, node, "missing-term", 4, late=True)


def everywhere_changes(statement: ast.stmt, tree: ast.FunctionDef, at_hand: AtHand) -> Iterator[Change]:
    """A transpose or a conjugate at all uses of a name in one statement; all casts of one statement left out."""
    sites = [site for site in expression_sites(tree) if site.statement is statement]
    for name, value in at_hand.tensors_at(statement).items():
        uses = [site for site in sites if isinstance(site.node, ast.Name) and site.node.id == name]
        if len(uses) > 1 and (value.dim() >= 2 or value.is_complex()):
            for template, code, order in UNARY[1:3]:
                yield Change(tuple((site, build(template, _x=site.node)) for site in uses), code, order, late=True)


def uncast(statement: ast.stmt, tree: ast.FunctionDef) -> Iterator[Change]:
    """All casts to another precision of one statement left out."""
    casts = [
        site
        for site in expression_sites(tree)
        if site.statement is statement and isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
        if CODES.get(site.node.func.attr) == "wrong-dtype"
    ]
    if len(casts) > 1:
        yield Change(tuple((site, site.node.func.value) for site in reversed(casts)), "wrong-dtype", 1)


def product_changes(site: Site, at_hand: AtHand, shape: torch.Size) -> Iterator[Change]:
    """A missing term that is a product of two tensors and has this shape."""
    tensors = {name: each for name, each in at_hand.tensors_at(site.statement).items() if each.is_floating_point() or each.is_complex()}
    for first, a in tensors.items():
        for second, b in tensors.items():
            for template in PRODUCTS[2 * (first > second) :]:
                if product_shape(template, a, b) == shape:
                    parts = {"_a": ast.Name(first, ast.Load()), "_b": ast.Name(second, ast.Load())}
                    for sign in "+-":
                        yield change(site, build(f"_x {sign} {template}", _x=site.node, **parts), "missing-term", 0, late=True)


def product_shape(template: str, a: torch.Tensor, b: torch.Tensor) -> torch.Size | None:
    try:
        product = eval(template, {"__builtins__": {}}, {"_a": a.detach(), "_b": b.detach()})
    except RuntimeError:  # the shapes do not fit
        return None
    return product.shape if isinstance(product, torch.Tensor) else None
