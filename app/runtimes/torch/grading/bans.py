"""Whether a source uses a name that its exercise forbids, read from the source. Runs in the grader's child.

A ban is of a name: by import, alias, attribute, getattr, torch.ops or as a method of tensors. To compute the same by other means is a
solution. What reaches names in ways that cannot be read in a source is refused as a whole in such an exercise, and only modules are
imported of which it is known that they do nothing of the kind.
"""

import ast
from collections.abc import Iterator

import torch

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_tree import Names


def _words(text: str) -> set[str]:
    return set(text.split())


_MODULES = _words(
    "__future__ abc cmath collections contextlib copy dataclasses decimal fractions functools graphviz itertools json math matplotlib "
    "numpy operator pprint random statistics textwrap time torch torchviz tqdm typing warnings"
)
_NAMES = _words(
    "__builtins__ __import__ __loader__ __spec__ breakpoint compile delattr eval exec globals locals setattr vars "
    "attrgetter methodcaller get_type_hints singledispatch singledispatchmethod update_wrapper wraps make_dataclass"
)
# As attributes of anything: they lead to modules, to code made of text, to objects by computed names.
_ATTRIBUTES = _NAMES - {"eval"} | _words(
    "Formatter ForwardRef NpzFile Timer _convert_ _evaluate benchmark builtins classes codecs codeop copyreg cpp_extension ctypes "
    "ctypeslib enum export f2py fx gc get_field getattr_static hub importlib inspect jit library load marshal measure "
    "multiprocessing npyio ops overrides package parametrize pickle pkgutil prune pydoc read_array resolve_name rundocs runpy runstring "
    "serialization sys types"
)
# Methods with which a class is handed functions, or names and values of others.
_HOOKS = _words(
    "__array_function__ __array_ufunc__ __class_getitem__ __dict__ __getattr__ __getattribute__ __prepare__ __set_name__ __setattr__ "
    "__torch_dispatch__ __torch_function__"
)
_DUNDERS = _words(
    "__init__ __name__ __doc__ __version__ __len__ __call__ __enter__ __exit__ __post_init__ __file__ __slots__ __all__ __debug__"
)
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


def check_bans(trees: list[ast.Module], bans: list[str]) -> None:
    """Raises NotPassed at the first use. A ban is a dotted name of a function, "torch.exp", or an operator, "**"."""
    rules = _Bans(Names(trees), bans)
    for tree in trees:
        for node in ast.walk(tree):
            rules.check(node)


class _Bans:
    def __init__(self, names: Names, bans: list[str]) -> None:
        self._names = names
        self._operators = {_OPERATORS[ban]: ban for ban in bans if ban in _OPERATORS}
        self._banned: dict[str, str] = {}  # the name of the attribute, and which ban it falls under
        self._full = {ban for ban in bans if ban not in _OPERATORS}
        for ban in self._full:
            last = ban.rpartition(".")[2]
            for name in {last}.union(*(group for group in _ALIASES if last in group)):
                self._banned |= dict.fromkeys((name, f"{name}_", f"_{name}", f"_{name}_", f"_foreach_{name}", f"_foreach_{name}_"), ban)
        self._private = set(names.kept)
        self._harmless: set[ast.AST] = set()  # functions of calls that are looked at as a whole
        self._roots = {ban.partition(".")[0] for ban in self._full}

    def check(self, node: ast.AST) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._check_import(node)
            case ast.Name():
                self._check_name(node)
            case ast.Attribute():
                self._check_attribute(node)
            case ast.Call(func=ast.Name(id="getattr")):
                self._harmless.add(node.func)
                self._check_getattr(node)
            case ast.Call(func=ast.Attribute(attr="eval"), args=[], keywords=[]):  # a module's
                self._harmless.add(node.func)
            case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
                self._harmless.add(node.func)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                self._harmless.update(node.args)
            case ast.MatchClass():
                for name in node.kwd_attrs:
                    self._check_attribute(ast.copy_location(ast.Attribute(value=ast.Constant(None), attr=name, ctx=ast.Load()), node))
            case ast.FunctionDef() | ast.ClassDef() if node.name in _HOOKS:
                raise NotPassed("ban-dynamic", name=node.name, line=node.lineno)
            case ast.ClassDef(bases=[_, *_]):
                self._check_fields(node)
            case ast.BinOp() | ast.AugAssign() if type(node.op) in self._operators:
                raise NotPassed("ban-used", name=self._operators[type(node.op)], line=node.lineno, written=self._operators[type(node.op)])

    def _check_fields(self, node: ast.ClassDef) -> None:
        """A field without a value has that of a base where this is a data class."""
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is None:
                self._check_banned(item.target.id, item)

    def _check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for module, name in _imported(node):
            root = module.partition(".")[0]
            if root not in _MODULES:
                raise NotPassed("ban-import", name=module or ".", line=node.lineno)
            if name == "*" and root in self._roots | {"torch"}:
                raise NotPassed("ban-star", name=module, line=node.lineno)
            for part in [*module.split(".")[1:], *([name] if name else [])]:
                self._check_reach(part, node)
                if root == "torch" and part.startswith("_"):
                    raise NotPassed("ban-dynamic", name=part, line=node.lineno)
            if name and (root == "torch" or f"{module}.{name}" in self._full):
                self._check_banned(name, node)

    def _check_name(self, node: ast.Name) -> None:
        if node.id in _NAMES or _is_dunder(node.id) or (node.id in ("getattr", "type") and node not in self._harmless):
            raise NotPassed("ban-dynamic", name=node.id, line=node.lineno)
        for meaning in self._names.meanings(node) & self._full:
            raise NotPassed("ban-used", name=meaning, line=node.lineno, written=node.id)

    def _check_attribute(self, node: ast.Attribute) -> None:
        if _is_dunder(node.attr) or (node.attr == "eval" and node not in self._harmless):
            raise NotPassed("ban-dynamic", name=node.attr, line=node.lineno)
        meanings = self._names.meanings(node.value)
        elsewhere = (
            bool(meanings)
            and not self._names.is_tainted(node.value)
            and all(m.partition(".")[0] not in self._roots | {"torch"} for m in meanings)
        )
        self._check_reach(node.attr, node)
        if {f"{meaning}.{node.attr}" for meaning in meanings} & self._full:
            self._check_banned(node.attr, node)
        if isinstance(node.ctx, ast.Load) and not elsewhere:
            self._check_banned(node.attr, node)
        if self._is_private(node.attr, meanings):
            raise NotPassed("ban-dynamic", name=node.attr, line=node.lineno)

    def _is_private(self, name: str, meanings: set[str]) -> bool:
        """What a module keeps for itself, also where nothing says that this is a module; not what the source itself keeps."""
        return name.startswith("_") and name not in _DUNDERS and (bool(meanings) or name not in self._private or hasattr(torch, name))

    def _check_getattr(self, node: ast.Call) -> None:
        match node.args:
            case [base, ast.Constant(value=str(name)), *_]:
                self._check_attribute(ast.copy_location(ast.Attribute(value=base, attr=name, ctx=ast.Load()), node))
            case _:
                raise NotPassed("ban-dynamic", name="getattr", line=node.lineno)

    def _check_reach(self, name: str, node: ast.stmt | ast.expr) -> None:
        if name.lstrip("_") in _ATTRIBUTES or name in _ATTRIBUTES:
            raise NotPassed("ban-dynamic", name=name, line=node.lineno)

    def _check_banned(self, name: str, node: ast.expr | ast.stmt | ast.pattern) -> None:
        if name in self._banned:
            raise NotPassed("ban-used", name=self._banned[name], line=node.lineno, written=name)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _DUNDERS


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str | None]]:
    """Each module, and the name that is taken from it."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield alias.name, None
        else:
            yield f"{'.' * node.level}{node.module or ''}", alias.name
