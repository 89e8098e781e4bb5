"""Changes that insert a missing operation: a sign, a factor, a transpose, the incoming gradient, a term."""

import ast
from collections.abc import Iterable, Iterator

import torch

from app.probes.causes.at_hand import AtHand
from app.probes.causes.changes.calls import CODES
from app.probes.causes.changes.change import Change, build, change, expression
from app.probes.causes.sites import TreeSite, expression_sites

UNARY = (
    ("-(_x)", "wrong-sign", 0),
    ("_x.conj()", "conjugate-missing", 1),
    ("_x.mT", "transposed-gradient", 2),
    ("_x.t()", "transposed-gradient", 2),
)
SYMMETRIC = "(_x + _x.mT) / 2"
SUMS = ("_x.sum(0)", "_x.sum(0, keepdim=True)", "_x.sum(-1)", "_x.sum(-1, keepdim=True)")
PRODUCTS = ("_a * _b", "(_a * _b).sum(0)", "_a.t() @ _b", "_a @ _b.t()", "_a @ _b")
SHAPED = ("_y", "_y.reshape(*_y.shape, 1)", "_y.reshape(*_y.shape, 1, 1)", "_y.reshape(*_y.shape, 1, 1, 1)")
REDUCED = ("_y", "_y.mean(0)", "_y.mean(-1, keepdim=True)", "_y.sum(0)", "_y.sum(-1, keepdim=True)")


def unused_changes(site: TreeSite, at_hand: AtHand, incoming: list[str], unused: set[str]) -> Iterator[Change]:
    """Yield insertions of a factor or a term that was computed, or came in, and is not used. `unused`: names that are never read."""
    if not can_be_wrapped(site):
        return
    yield from with_incoming(site, at_hand, [name for name in incoming if name in unused])
    if not is_settled(site, incoming):
        several = len(incoming) > 1
        for name in sorted(unused & at_hand.tensors_at(site.statement).keys()):
            code = "auxiliary-output-unmarked" if name in incoming and several else "missing-term"
            yield from with_term(site, name, code, 1, REDUCED)
            for other in at_hand.tensors_at(site.statement):
                for sign in "+-":
                    yield change(site, build(f"_x {sign} {other} * {name}", _x=site.node), code, 2, late=True)


def insertion_changes(site: TreeSite, at_hand: AtHand, incoming: list[str]) -> Iterator[Change]:
    """Yield insertions at a site. `incoming`: the parameters of `backward` without ctx."""
    node = site.node
    if not can_be_wrapped(site):
        return
    yield from with_incoming(site, at_hand, incoming)
    for template in SUMS:
        yield change(site, build(template, _x=node), "missing-sum", 5, late=True)
    if is_settled(site, incoming):
        return
    for template, code, order in UNARY:
        yield change(site, build(template, _x=node), code, order, late=True)
    if isinstance(node, ast.BinOp | ast.Call):
        yield change(site, build(SYMMETRIC, _x=node), "transposed-gradient", 5, late=True)
    yield from scaled(site, at_hand)
    if is_operand(site):
        yield from with_tensors(site, at_hand)


def with_tensors(site: TreeSite, at_hand: AtHand) -> Iterator[Change]:
    """Yield insertions of another tensor as a term or as a factor."""
    near = {each.id for each in ast.walk(site.statement) if isinstance(each, ast.Name)}
    for name, tensor in at_hand.tensors_at(site.statement).items():
        if tensor.is_floating_point() or tensor.is_complex():
            yield from with_term(site, name, "missing-term", 6, REDUCED[:1])
            if name in near and tensor.dim():
                yield from with_term(site, name, "missing-term", 8, REDUCED[1:])
            for template in ("_x * _y", "_x / _y"):
                yield change(site, build(template, _x=site.node, _y=ast.Name(name, ast.Load())), "wrong-gradient", 7, late=True)


def projection_changes(site: TreeSite, at_hand: AtHand, incoming: list[str]) -> Iterator[Change]:
    """Yield insertions of a term that removes the part of a tensor along another one, as in the gradients of norms and of softmax."""
    tensors = {name: each for name, each in at_hand.tensors_at(site.statement).items() if each.dim() and each.is_floating_point()}
    near = {each.id for each in ast.walk(site.statement) if isinstance(each, ast.Name)} | set(incoming)
    for first in sorted(near & tensors.keys()):
        for second, along in tensors.items():
            if along.shape == tensors[first].shape and first != second:
                for reduced in ("mean(-1, keepdim=True)", "sum(-1, keepdim=True)", "mean(0)", "sum(0)"):
                    for template in (f"_x - {second} * ({first} * {second}).{reduced}", f"_x - ({first} * {second}).{reduced}"):
                        yield change(site, build(template, _x=site.node), "missing-term", 0, late=True)


def with_term(site: TreeSite, name: str, code: str, order: int, templates: Iterable[str]) -> Iterator[Change]:
    for template in templates:
        for sign in "+-":
            term = build(template, _y=ast.Name(name, ast.Load()))
            yield change(site, build(f"_x {sign} _z", _x=site.node, _z=term), code, order, late=True)


def can_be_wrapped(site: TreeSite) -> bool:
    is_callee = isinstance(site.parent, ast.Call) and site.field == "func"
    return not is_callee and isinstance(site.node, ast.BinOp | ast.Call | ast.Name | ast.UnaryOp | ast.Subscript | ast.Attribute)


def is_settled(site: TreeSite, incoming: list[str]) -> bool:
    """Return whether the site is a name that is returned unchanged, because its value was computed before."""
    is_returned = isinstance(site.statement, ast.Return) and isinstance(site.parent, ast.Return | ast.Tuple)
    return is_returned and isinstance(site.node, ast.Name) and site.node.id not in incoming


def is_operand(site: TreeSite) -> bool:
    return isinstance(site.parent, ast.BinOp | ast.UnaryOp | ast.stmt | ast.Tuple)


def scaled(site: TreeSite, at_hand: AtHand) -> Iterator[Change]:
    for scalar in at_hand.scalars_at(site.statement):
        code = "wrong-factor" if scalar.option is None else "option-ignored-in-backward"
        values = {} if scalar.option is None else {"option": scalar.option}
        for template in ("_x * _y", "_x / _y"):
            node = build(template, _x=site.node, _y=expression(scalar.source))
            yield change(site, node, code, 3, late=True, **values)


def with_incoming(site: TreeSite, at_hand: AtHand, incoming: list[str]) -> Iterator[Change]:
    for name in incoming:
        value = at_hand.locals_at(site.statement).get(name)
        if not isinstance(value, torch.Tensor):
            continue
        for template in SHAPED if 0 < value.dim() < 3 else SHAPED[:1]:
            node = build("_x * _z", _x=site.node, _z=build(template, _y=ast.Name(name, ast.Load())))
            yield change(site, node, "ignores-grad-output", 4, late=True)


def everywhere_changes(statement: ast.stmt, tree: ast.FunctionDef, at_hand: AtHand) -> Iterator[Change]:
    """Yield a transpose or a conjugate at all uses of a name in one statement, and the removal of all casts of one statement."""
    sites = [site for site in expression_sites(tree) if site.statement is statement]
    for name, value in at_hand.tensors_at(statement).items():
        uses = [site for site in sites if isinstance(site.node, ast.Name) and site.node.id == name]
        if len(uses) > 1 and (value.dim() >= 2 or value.is_complex()):
            for template, code, order in UNARY[1:3]:
                yield Change(tuple((site, build(template, _x=site.node)) for site in uses), code, order, late=True)


def uncast(tree: ast.FunctionDef) -> Iterator[Change]:
    """Yield the removal of all casts to another precision: those of one statement, and all of them."""
    casts = [
        site
        for site in expression_sites(tree)
        if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and CODES.get(site.node.func.attr) == "wrong-dtype"
    ]
    statements = {id(site.statement): site.statement for site in casts}.values()
    of_statements = [[site for site in casts if site.statement is statement] for statement in statements]
    for sites, order in [*((each, 1) for each in of_statements), (casts, 2)]:
        if len(sites) > 1:
            yield Change(tuple((site, site.node.func.value) for site in sites), "wrong-dtype", order)


def product_changes(site: TreeSite, at_hand: AtHand, shape: torch.Size) -> Iterator[Change]:
    """Yield insertions of a term that is a product of two tensors and has this shape."""
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
