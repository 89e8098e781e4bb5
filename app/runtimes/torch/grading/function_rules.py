"""Whether a source defines a Function of its own by a name, read from the source. Runs in the grader's child."""

import ast

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_tree import Names, bound_names, module_nodes

_FUNCTION = {"torch.autograd.Function", "torch.autograd.function.Function"}
_METHODS = {"forward", "setup_context", "backward", "vjp", "jvp", "apply", "vmap"}
_DECORATORS = {
    "torch.autograd.function.once_differentiable",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "torch.no_grad",
    "torch.enable_grad",
}
# With these a class, PyTorch's own or what answers for the program's process can become something else, and no name of it is written.
_NAMES = {"__import__", "__loader__", "__builtins__", "eval", "exec", "compile", "globals", "locals", "vars"}
_ATTRIBUTES = {
    *("__bases__", "__builtins__", "__code__", "__delattr__", "__dict__", "__getattribute__", "__globals__", "__setattr__", "_getframe"),
    *("f_back", "f_builtins", "f_globals", "f_locals", "get_objects", "get_referents", "get_referrers", "gi_frame", "tb_frame"),
    "update_wrapper",
}
_METHODS_OF_COPIES = {"__reduce__", "__reduce_ex__"}
_MODULES = {"__main__", "app", "builtins", "copyreg", "ctypes", "importlib", "pickle", "runpy", "unittest"}
_PARENTS = {"autograd", "Function", "__class__", "__init_subclass__"}


def check_functions(trees: list[ast.Module], functions: list[str]) -> None:
    """Each name is a class at top level, derived from torch.autograd.Function, with a forward and a backward of its own, and stays it."""
    names = Names(trees)
    classes = [node for tree in trees for node in module_nodes(tree.body) if isinstance(node, ast.ClassDef)]
    for name in functions:
        defined = [node for node in classes if node.name == name]
        if not defined:
            raise NotPassed("function-missing", function=name)
        _check_class(defined[-1], names, {node.name: node for node in classes})
        _check_binding(trees, name, len(defined))
    _check_methods_stay(trees, _METHODS | _PARENTS | set(functions))
    called = {node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for tree in trees:
        for node in ast.walk(tree):
            _check_reach(node, names, called, functions[0])


def _check_class(node: ast.ClassDef, names: Names, classes: dict[str, ast.ClassDef]) -> None:
    case = {"function": node.name, "line": node.lineno}
    lineage = _lineage(node, names, classes, set())
    if not lineage:
        raise NotPassed("function-base", **case)
    for one in lineage:
        if one.decorator_list or one.keywords:
            raise NotPassed("function-wrapped", function=one.name, line=one.lineno)
        for item in one.body:
            if any("apply" in bound_names(inner) for inner in ast.walk(item)):
                raise NotPassed("function-apply", function=one.name, line=item.lineno)
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    for wanted, any_of in (("forward", ("forward",)), ("backward", ("backward", "vjp", "jvp"))):
        if not any(name in methods for name in any_of):
            raise NotPassed("function-method", **case, method=wanted)
    for name in _METHODS & methods.keys():
        for decorator in methods[name].decorator_list:
            if not ((isinstance(decorator, ast.Name) and decorator.id == "staticmethod") or _is_known(decorator, names)):
                raise NotPassed("function-wrapped", function=f"{node.name}.{name}", line=decorator.lineno)
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) and any(name in _METHODS for inner in ast.walk(item) for name in bound_names(inner)):
            raise NotPassed("function-rebound", function=node.name, line=item.lineno)


def _is_known(decorator: ast.expr, names: Names) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return bool(names.meanings(called) & _DECORATORS)


def _lineage(node: ast.ClassDef, names: Names, classes: dict[str, ast.ClassDef], seen: set[str]) -> list[ast.ClassDef]:
    """The class and those of the source that it is derived from; none where one of its bases comes from elsewhere."""
    found = [node]
    for base in node.bases:
        if names.meanings(base) & _FUNCTION and not names.is_tainted(base):
            continue
        known = classes.get(base.id) if isinstance(base, ast.Name) and base.id not in seen | {node.name} else None
        further = [] if known is None else _lineage(known, names, classes, seen | {node.name})
        if not further:
            return []
        found += further
    return found if node.bases else []


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
                case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, name, *_]):
                    if not isinstance(name, ast.Constant) or name.value in fixed:
                        raise NotPassed("function-rebound", function=getattr(name, "value", "?"), line=node.lineno)


def _check_reach(node: ast.AST, names: Names, called: set[ast.expr], function: str) -> None:
    """Nothing is used with which a class can become another without being named. `called`: functions of calls."""
    used: list[str] = []
    match node:
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
        raise NotPassed("function-reach", function=function, name=used[0], line=getattr(node, "lineno", "?"))
