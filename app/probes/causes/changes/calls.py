"""Changes of calls: another method or none, other arguments, other dimensions."""

import ast
from collections.abc import Iterator

from app.probes.causes.changes.change import MUTATED, Change, build, change, exchanged, expression
from app.probes.causes.sites import TreeSite

MODULES = ("torch", "F", "math", "np", "numpy", "fft", "linalg", "functional", "special")
TRANSPOSES = ("t", "T", "mT", "H", "mH", "transpose", "permute", "adjoint", "swapaxes")
SIBLINGS = (
    *(("sin", "cos"), ("sinh", "cosh"), ("tanh", "sigmoid"), ("exp", "log"), ("triu", "tril"), ("amax", "amin"), ("max", "min")),
    *(("sqrt", "rsqrt"), ("sqrt", "reciprocal"), ("fft", "ifft"), ("rfft", "irfft"), ("argmax", "argmin"), ("exp", "expm1")),
    *(("ones_like", "zeros_like"), ("log", "log1p"), ("floor", "ceil"), ("softmax", "log_softmax"), ("norm", "square")),
)
ACCUMULATING = {"index_copy": "index_add", "index_copy_": "index_add_", "scatter": "scatter_add", "scatter_": "scatter_add_"}
DIMENSIONS = ("0", "-1", "1", "(0, 1)", "(0, 2)", "(1, 2)", "(0, 2, 3)", "(-2, -1)")
CODES = {"conj": "wrong-gradient", "float": "wrong-dtype", "half": "wrong-dtype", "bfloat16": "wrong-dtype"}
MOST_ARGUMENTS = 6


def call_changes(site: TreeSite, methods: dict[str, int]) -> Iterator[Change]:
    """Yield changes of a call, an index or a transpose. `methods`: the static methods of the class, with the numbers of their arguments."""
    node = site.node
    match node:
        case ast.Attribute() if node.attr in TRANSPOSES and not isinstance(site.parent, ast.Call):
            yield change(site, node.value, "transposed-gradient", 1)
        case ast.Subscript():
            yield from subscripts(site, node)
        case ast.Call(func=ast.Attribute() as method):
            yield from methods_changed(site, node, method, methods)
    if isinstance(node, ast.Call):
        for arguments in exchanged(node.args) if len(node.args) <= MOST_ARGUMENTS else ():
            yield change(site, ast.Call(node.func, arguments, node.keywords), "wrong-gradient", 3)


def subscripts(site: TreeSite, node: ast.Subscript) -> Iterator[Change]:
    match node.slice:
        case ast.Constant(value=int()):
            yield change(site, build("_x.sum(_i)", _x=node.value, _i=node.slice), "missing-sum", 1)
        case ast.Tuple(elts=items):
            fixed = [place for place, each in enumerate(items) if isinstance(each, ast.Constant) and isinstance(each.value, int)]
            if fixed and all(isinstance(each, ast.Slice) for place, each in enumerate(items) if place not in fixed):
                yield change(site, build(f"_x.sum({tuple(fixed)})", _x=node.value), "missing-sum", 1)
        case ast.Name():
            yield change(site, build("_x[_i + 1]", _x=node.value, _i=node.slice), "wrong-gradient", 3)
            yield change(site, build("_x[_i - 1]", _x=node.value, _i=node.slice), "wrong-gradient", 3)


def is_module(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in MODULES) or (isinstance(node, ast.Attribute) and node.attr in MODULES)


def methods_changed(site: TreeSite, node: ast.Call, method: ast.Attribute, methods: dict[str, int]) -> Iterator[Change]:
    name, on = method.attr, method.value
    for other, code, order in other_names(name, len(node.args), methods):
        yield change(site, ast.Call(ast.Attribute(on, other, ast.Load()), node.args, node.keywords), code, order)
    if name in ("sum", "mean", "amax", "cumsum", "softmax", "norm", "prod", "std", "var", "logsumexp", "log_softmax", "flip"):
        yield from dimensions(site, node, method)
    if name in ACCUMULATING:
        yield change(site, ast.Call(ast.Attribute(on, ACCUMULATING[name], ast.Load()), node.args, node.keywords), "accumulation-lost", 1)
    if name in ("index_put", "index_put_") and not any(each.arg == "accumulate" for each in node.keywords):
        keywords = [*node.keywords, ast.keyword("accumulate", ast.Constant(True))]
        yield change(site, ast.Call(method, node.args[:2], keywords), "accumulation-lost", 1)
    if not is_module(on) and name not in methods:
        code = "transposed-gradient" if name in TRANSPOSES else CODES.get(name, "wrong-gradient")
        yield change(site, on, code, 1 if name in TRANSPOSES or name in CODES else 4)
    elif is_module(on) and node.args:
        yield change(site, node.args[0], "transposed-gradient" if name in TRANSPOSES else "wrong-gradient", 5)


def other_names(name: str, count: int, methods: dict[str, int]) -> Iterator[tuple[str, str, int]]:
    if name == "mean":
        yield "sum", "mean-for-sum", 0
    elif name == "sum":
        yield "mean", "wrong-factor", 1
    if name.endswith("_") and not name.endswith("__"):
        yield name[:-1], MUTATED, 1
    for pair in SIBLINGS:
        if name in pair:
            yield pair[1 - pair.index(name)], "wrong-gradient", 3
    if name in methods:
        yield from ((other, "wrong-gradient", 3) for other, takes in methods.items() if takes == count and other != name)


def dimensions(site: TreeSite, node: ast.Call, method: ast.Attribute) -> Iterator[Change]:
    """Yield other dimensions of a reduction."""
    first = 1 if is_module(method.value) else 0
    kept = [each for each in node.keywords if each.arg not in ("dim", "axis", "keepdim")]
    before = node.args[:first]
    has_dimensions = len(node.args) > first or any(each.arg in ("dim", "axis") for each in node.keywords)
    code = "missing-sum" if method.attr in ("sum", "mean") and has_dimensions else "wrong-gradient"
    for dims in DIMENSIONS:
        for keepdim in ("True", "False"):
            keywords = [*kept, ast.keyword("dim", expression(dims))]
            if method.attr not in ("cumsum", "softmax", "log_softmax", "flip"):
                keywords.append(ast.keyword("keepdim", expression(keepdim)))
            yield change(site, ast.Call(method, before, keywords), code, 2)
    if has_dimensions:
        yield change(site, ast.Call(method, before, kept), code, 2)
