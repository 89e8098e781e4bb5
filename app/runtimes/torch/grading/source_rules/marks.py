"""Marks lines of a source that make it unclear how the program computes its results. Runs in the grader's child.

A marked program is graded like any other. The mark shows an instructor which line to read. What an exercise's own solution does is not
marked. See docs/grading.md.
"""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType
from typing import NamedTuple

from app.runtimes.torch.grading.source_rules.source_tree import Names


class Mark(NamedTuple):
    line: int
    name: str  # the marked expression, as it is written


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Modules of which everything may be used: none executes text, starts threads or looks objects up by name.
_MODULES = _words(
    "__future__ abc argparse array bisect builtins cmath collections contextlib copy dataclasses datetime decimal enum fractions "
    "functools gc gradroom graphlib graphviz heapq inspect itertools json logging math matplotlib numbers numpy operator os pathlib pprint "
    "random re statistics string sys textwrap time torch torchviz tqdm traceback types typing typing_extensions unittest warnings "
    "weakref"
)
# Submodules of torch, numpy and others that may be used. Names there that are not modules may be used as well.
_INNER = _words(
    "torch torch.amp torch.autograd torch.autograd.forward_ad torch.autograd.function torch.autograd.functional torch.autograd.gradcheck "
    "torch.autograd.graph torch.cuda torch.fft torch.func torch.linalg torch.nn torch.nn.functional torch.nn.init torch.nn.modules "
    "torch.nn.modules.module torch.nn.parameter torch.nn.utils torch.optim torch.random torch.special torch.testing torch.types "
    "torch.utils torch.utils.checkpoint torch.utils.data torch.version numpy numpy.fft numpy.linalg numpy.random numpy.testing "
    "numpy.typing matplotlib matplotlib.pyplot collections.abc torchviz.dot tqdm.auto"
)
_WITH_ALL_BELOW = ("torch.optim.", "torch.nn.modules.", "torch.compiler")
# Of modules about Python itself, only these names may be used.
_HARMLESS = {
    "inspect": _words("Parameter Signature getdoc getsource isclass isfunction signature"),
    "os": _words("cpu_count environ getpid linesep path sep"),
    "sys": _words(
        "argv byteorder exit float_info getrecursionlimit getrefcount getsizeof maxsize platform setrecursionlimit stderr stdout "
        "version version_info"
    ),
    "gc": _words("collect get_count"),
    "types": _words("ModuleType NoneType SimpleNamespace"),
    "unittest": _words("TestCase main"),
}
_FOUND_IN_OTHERS = _words("builtins functools importlib inspect os sys torch types")  # some modules have them as attributes: torch.sys
_BUILTINS = _words("compile delattr eval exec getattr globals locals open setattr vars")
# Marked as names, as attributes and in imports: with them a program computes names at run time or reads the inside of objects.
_ANYWHERE = _words(
    "CheckpointFunction Formatter TorchDispatchMode TorchFunctionMode all_weights attrgetter backend_registry decorate_methods fget "
    "get_device_module get_field get_type_hints make_dataclass methodcaller ops overloadpacket rcParams rename_privateuse1_backend "
    "runstring singledispatch singledispatchmethod swap_tensors update_wrapper wrapattr measure "
    "redispatch contrib __signature__ __bases__ __builtins__ __closure__ __code__ __defaults__ __dict__ __getattribute__ __globals__ "
    "__import__ __kwdefaults__ __loader__ __mro__ __self__ __spec__ __subclasses__ __wrapped__"
) | {
    name
    for kind in (AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType)
    for name in dir(kind)
    if "_" in name and not name.startswith("_")
}
# Methods that Python or PyTorch call without their name being written.
_METHODS = _words(
    "__array_function__ __array_ufunc__ __class_getitem__ __getattr__ __getattribute__ __getstate__ __init_subclass__ __instancecheck__ "
    "__mro_entries__ __prepare__ __reduce__ __reduce_ex__ __set_name__ __setattr__ __setstate__ __subclasscheck__ __torch_dispatch__ "
    "__torch_function__"
)
_OF_FUNCTIONS = _words("forward backward apply setup_context vjp jvp vmap __class__")  # marked where something else is assigned to them


def find_marks(trees: list[ast.Module], solution: list[ast.Module]) -> list[Mark]:
    """Return the marks in the order of their lines. Names that are marked in the solution too are left out."""
    needed = {mark.name for mark in _find(solution)}
    return sorted(mark for mark in set(_find(trees)) if mark.name not in needed)


def _find(trees: list[ast.Module]) -> Iterator[Mark]:
    names = Names(trees)
    nodes = [node for tree in trees for node in ast.walk(tree)]
    passed_over = {inner for node in nodes for inner in _exempt(node)}
    for node in nodes:
        if node not in passed_over:
            for name in _unusual(node, names):
                yield Mark(getattr(node, "lineno", 1), name)


def _exempt(node: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes that are not marked by themselves: what is only printed, and `getattr` in a call, which is checked as a whole."""
    match node:
        case ast.Call(func=ast.Name(id="print" | "len" | "list" | "repr" | "sorted" | "str"), args=shown):
            pass
        case ast.FormattedValue(value=value):
            shown = [value]
        case ast.Call(func=ast.Name(id="getattr" | "setattr" | "delattr")):
            yield node.func
            return
        case _:
            return
    for one in shown:
        match one:
            case ast.Call(func=ast.Name(id="vars")):
                yield one.func
            case ast.Attribute():
                yield one


def _unusual(node: ast.AST, names: Names) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names if not _is_usual(alias.name))
        case ast.ImportFrom():
            module = f"{'.' * node.level}{node.module or ''}"
            imported = [alias.name for alias in node.names]
            yield from (f"{module}.{name}" for name in imported if not _is_usual(f"{module}.{name}") or _is_inner(name, names))
            yield from (name for name in imported if name in _ANYWHERE)
        case ast.Name(id=name, ctx=ast.Load()):
            yield from [name] if name in _BUILTINS or (name in _ANYWHERE and name.startswith("__")) else []
        case ast.Attribute():
            yield from _unusual_attribute(node, names)
        case ast.Call(func=ast.Name(id="getattr" | "setattr" | "delattr" as name), args=[base, *rest]):
            yield from _unusual_access(name, base, rest[0] if rest else None, names)
        case ast.Call(func=ast.Name(id="type") | ast.Attribute(attr="__class__"), args=[_, _, *_]):
            yield "type"
        case ast.FunctionDef(name=name) if name in _METHODS:
            yield name
        case ast.ClassDef():
            stored = {
                inner.id
                for item in node.body
                for inner in ast.walk(item)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            }
            yield from sorted(stored & _METHODS)
            yield from ("metaclass" for one in node.keywords if one.arg == "metaclass" and names.meanings(one.value) != {"abc.ABCMeta"})


def _unusual_access(function: str, base: ast.expr, name: ast.expr | None, names: Names) -> Iterator[str]:
    """Yield marks for getattr, setattr and delattr. A literal name counts as an attribute; a computed name is marked, except on `self`."""
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        context = ast.Load() if function == "getattr" else ast.Store()
        yield from _unusual_attribute(ast.Attribute(base, name.value, context), names)
    elif not (isinstance(base, ast.Name) and base.id == "self"):
        yield function


def _unusual_attribute(node: ast.Attribute, names: Names) -> Iterator[str]:
    meanings = names.meanings(node.value)
    is_stored = not isinstance(node.ctx, ast.Load)
    if node.attr in _ANYWHERE and (node.attr not in names.own or node.attr.startswith("__")):
        yield node.attr
    elif is_stored and (node.attr in _OF_FUNCTIONS or meanings):  # it replaces a method of a class, or a name of a module
        yield ast.unparse(node)
    elif _is_inner(node.attr, names):
        yield node.attr
    elif any(not _is_usual(f"{meaning}.{node.attr}") for meaning in meanings):
        yield ast.unparse(node)


def _is_inner(name: str, names: Names) -> bool:
    """Return whether a name is private, such as `_name`, and not defined by the source itself."""
    return name.startswith("_") and not name.startswith("__") and name != "_" and name not in names.own


def _is_usual(name: str) -> bool:
    """Return whether a dotted name is that of a module that may be used, or of something in such a module."""
    root, *rest = name.split(".")
    if rest and root in _HARMLESS:
        return rest[0] in _HARMLESS[root]
    if not _FOUND_IN_OTHERS.isdisjoint(rest):
        return False
    if root not in ("torch", "numpy", "matplotlib"):
        return root in _MODULES
    prefixes = [name[: len(root)], *(name[: match.start()] for match in re.finditer(r"\.", name)), name]
    return all(prefix in _INNER or prefix.startswith(_WITH_ALL_BELOW) or not _is_module(prefix) for prefix in prefixes)


def _is_module(name: str) -> bool:
    """Return whether `name` is that of a module. The module need not be imported, but the package around it must be."""
    if name in sys.modules:
        return True
    parent = sys.modules.get(name.rpartition(".")[0])
    return parent is not None and hasattr(parent, "__path__") and importlib.util.find_spec(name) is not None
