"""Whether a source defines a Function of its own by a name, read from the source. Runs in the grader's child."""

import ast

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.free_names import free_names
from app.runtimes.torch.grading.source_rules.shown_tables import TABLES, shown_tables
from app.runtimes.torch.grading.source_rules.source_tree import Names, assigned, bound_names, module_nodes

_FUNCTION = {"torch.autograd.Function", "torch.autograd.function.Function"}
_METHODS = {"forward", "setup_context", "backward", "vjp", "jvp", "apply", "vmap"}
_DECORATORS = {
    "torch.autograd.function.once_differentiable",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd",
    "torch.no_grad",
    "torch.enable_grad",
}
# With these a class, PyTorch's own or what answers for the program's process can become something else, and no name of it is written.
_NAMES = {"__import__", "__loader__", "__builtins__", "eval", "exec", "compile", "globals", "locals", "vars"}
_ATTRIBUTES = {
    *(
        "__bases__",
        "__builtins__",
        "__code__",
        "__delattr__",
        "__dict__",
        "__getattribute__",
        "__globals__",
        "__self__",
        "__setattr__",
        "_getframe",
    ),
    *("f_back", "f_builtins", "f_globals", "f_locals", "get_objects", "get_referents", "get_referrers", "gi_frame", "tb_frame"),
    "update_wrapper",
}
_METHODS_OF_COPIES = {"__reduce__", "__reduce_ex__"}
_MODULES = {"__main__", "app", "builtins", "copyreg", "ctypes", "importlib", "pickle", "runpy", "unittest"}
_PARENTS = {"autograd", "Function", "__class__", "__init_subclass__"}


def check_functions(trees: list[ast.Module], functions: list[str]) -> None:
    """Each name is a class at top level, derived from torch.autograd.Function, with a forward and a backward of its own, and stays it."""
    names, rebound = Names(trees), _rebound_names(trees)
    classes = [node for tree in trees for node in module_nodes(tree.body) if isinstance(node, ast.ClassDef)]
    parents = _Parents(names, rebound, {node.name: node for node in classes})
    for name in functions:
        defined = [node for node in classes if node.name == name]
        if not defined:
            raise NotPassed("function-missing", function=name)
        _check_class(defined[-1], names, parents)
        _check_binding(trees, name, len(defined))
    _check_methods_stay(trees, _METHODS | _PARENTS | set(functions))
    called = {node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)}
    shown = shown_tables(trees)
    for tree in trees:
        free = set(free_names(tree))
        for node in ast.walk(tree):
            if node not in shown and (not isinstance(node, ast.Name) or node in free):
                _check_reach(node, names, called, functions[0])


def _check_class(node: ast.ClassDef, names: Names, parents: "_Parents") -> None:
    lineage = parents.lineage(node, set())
    if not lineage:
        raise NotPassed("function-base", function=node.name, line=node.lineno)
    for one in lineage:
        if one.decorator_list or one.keywords:
            raise NotPassed("function-wrapped", function=one.name, line=one.lineno)
        for inner in module_nodes(one.body):
            if "apply" in bound_names(inner):
                raise NotPassed("function-apply", function=one.name, line=getattr(inner, "lineno", one.lineno))
    methods = {item.name for one in lineage for item in one.body if isinstance(item, ast.FunctionDef)}
    for wanted, any_of in (("forward", ("forward",)), ("backward", ("backward", "vjp", "jvp"))):
        if methods.isdisjoint(any_of):
            raise NotPassed("function-method", function=node.name, line=node.lineno, method=wanted)
    for one in lineage:
        _check_body(one, names)


def _check_body(node: ast.ClassDef, names: Names) -> None:
    """The methods are as they are written."""
    for item in node.body:
        if not isinstance(item, ast.FunctionDef):
            if any(name in _METHODS for inner in ast.walk(item) for name in bound_names(inner)):
                raise NotPassed("function-rebound", function=node.name, line=item.lineno)
        elif item.name in _METHODS:
            for decorator in item.decorator_list:
                is_plain = isinstance(decorator, ast.Name) and decorator.id in ("staticmethod", "classmethod")
                if not is_plain and not _is_known(decorator, names):
                    raise NotPassed("function-wrapped", function=f"{node.name}.{item.name}", line=decorator.lineno)


def _is_known(decorator: ast.expr, names: Names) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return bool(names.meanings(called) & _DECORATORS)


def _rebound_names(trees: list[ast.Module]) -> set[str]:
    """Names that may stand for something else at module level, where classes are made, than what is imported by them."""
    names = Names(trees)
    pairs = [pair for tree in trees for node in module_nodes(tree.body) for pair in assigned(node)]
    found = {name for name, value in pairs if not names.meanings(value)}
    return found.union(*(node.names for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Global)))


class _Parents:
    """What the classes of a source are derived from."""

    def __init__(self, names: Names, rebound: set[str], classes: dict[str, ast.ClassDef]) -> None:
        self._names, self._rebound, self._classes = names, rebound, classes

    def lineage(self, node: ast.ClassDef, seen: set[str]) -> list[ast.ClassDef]:
        """The class and those of the source that it is derived from; none where one of its bases comes from elsewhere."""
        found = [node]
        for base in node.bases:
            if self._is_function(base):
                continue
            known = self._classes.get(base.id) if isinstance(base, ast.Name) and base.id not in seen | {node.name} else None
            further = [] if known is None else self.lineage(known, seen | {node.name})
            if not further:
                return []
            found += further
        return found if node.bases else []

    def _is_function(self, base: ast.expr) -> bool:
        is_rebound = any(isinstance(inner, ast.Name) and inner.id in self._rebound for inner in ast.walk(base))
        return bool(self._names.meanings(base) & _FUNCTION) and not is_rebound


def _check_binding(trees: list[ast.Module], name: str, classes: int) -> None:
    """Nothing binds the name but its classes: at module level, or in a function that declares it global."""
    found = 0
    for tree in trees:
        for node in module_nodes(tree.body):
            if name in bound_names(node):
                found += 1
                if not isinstance(node, ast.ClassDef):
                    raise NotPassed("function-rebound", function=name, line=getattr(node, "lineno", "?"))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                raise NotPassed("function-rebound", function=name, line=node.lineno)
    if found != classes:
        raise NotPassed("function-rebound", function=name, line="?")


def _check_methods_stay(trees: list[ast.Module], fixed: set[str]) -> None:
    """No `forward` or `backward` is put onto a class later, nor another class in its place."""
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=attribute, ctx=ast.Store() | ast.Del()) if attribute in fixed:
                    raise NotPassed("function-rebound", function=attribute, line=node.lineno)
                case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, ast.Constant(value=name), *_]) if name in fixed:
                    raise NotPassed("function-rebound", function=name, line=node.lineno)


def _check_reach(node: ast.AST, names: Names, called: set[ast.expr], function: str) -> None:
    """Nothing is used with which a class can become another without being named. `called`: functions of calls."""
    used: list[str] = []
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "delattr" as name), args=args):
            is_written = len(args) > 1 and isinstance(args[1], ast.Constant) and not isinstance(args[0], ast.Starred)
            used = [] if is_written else [name]
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            used = [name] if name in _ATTRIBUTES else []
        case ast.Name(id=name):
            used = [name] if name in _NAMES or (name in ("setattr", "delattr") and node not in called) else []
        case ast.Attribute(attr=name):
            is_table = any(meaning.endswith("sys.modules") for meaning in names.meanings(node))
            used = [name] if name in _ATTRIBUTES or is_table else []
        case ast.Call(func=ast.Name(id="wraps") | ast.Attribute(attr="wraps")) if len(node.args) + len(node.keywords) > 1:
            used = ["wraps"]
        case ast.FunctionDef(name=name):
            used = [name] if name in _METHODS_OF_COPIES else []
        case ast.Import():
            used = [alias.name for alias in node.names if alias.name.partition(".")[0] in _MODULES]
        case ast.ImportFrom():
            taken = [f"{node.module or ''}.{alias.name}" for alias in node.names]
            used = [name for name in taken if name.partition(".")[0] in _MODULES or name.endswith(("sys.modules", ".update_wrapper"))]
    if used:
        code = "function-table" if used[0] in {*TABLES, "__dict__"} else "function-reach"
        raise NotPassed(code, function=function, name=used[0], line=getattr(node, "lineno", "?"))
