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
    _check_methods_stay(trees)


def _check_class(node: ast.ClassDef, names: Names, classes: dict[str, ast.ClassDef]) -> None:
    case = {"function": node.name, "line": node.lineno}
    if not _is_function(node, names, classes, set()):
        raise NotPassed("function-base", **case)
    if node.decorator_list or node.keywords:
        raise NotPassed("function-wrapped", **case)
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    for wanted, any_of in (("forward", ("forward",)), ("backward", ("backward", "vjp", "jvp"))):
        if not any(name in methods for name in any_of):
            raise NotPassed("function-method", **case, method=wanted)
    if "apply" in methods:
        raise NotPassed("function-apply", function=node.name, line=methods["apply"].lineno)
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


def _is_function(node: ast.ClassDef, names: Names, classes: dict[str, ast.ClassDef], seen: set[str]) -> bool:
    """By its bases, or by theirs among the classes of the source."""
    for base in node.bases:
        if names.meanings(base) & _FUNCTION:
            return True
        known = classes.get(base.id) if isinstance(base, ast.Name) and base.id not in seen | {node.name} else None
        if known is not None and _is_function(known, names, classes, seen | {node.name}):
            return True
    return False


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


def _check_methods_stay(trees: list[ast.Module]) -> None:
    """No `forward` or `backward` is put onto a class later."""
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=attribute, ctx=ast.Store() | ast.Del()) if attribute in _METHODS:
                    raise NotPassed("function-rebound", function=attribute, line=node.lineno)
                case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, name, *_]):
                    if not isinstance(name, ast.Constant) or name.value in _METHODS:
                        raise NotPassed("function-rebound", function="setattr", line=node.lineno)
