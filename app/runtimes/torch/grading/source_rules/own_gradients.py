"""Whether a Function has autograd compute its gradient, read from the source. Runs in the grader's child.

A backward that runs forward once more and calls torch.autograd.grad has no formula of its own. That is right where an exercise is about
computing again, and then its solution does the same.
"""

import ast
from collections.abc import Iterator

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.free_names import free_names
from app.runtimes.torch.grading.source_rules.source_tree import Names, assigned, module_nodes

_AUTOGRAD = ("torch.autograd.grad", "torch.autograd.backward", "torch.autograd.functional", "torch.autograd.forward_ad", "torch.func")
_Definition = ast.ClassDef | ast.FunctionDef | ast.expr


def check_own_gradients(trees: list[ast.Module], functions: list[str]) -> None:
    """Raises NotPassed at the first use of autograd in one of the Functions, or in what they call."""
    for node in _find_uses(trees, functions):
        raise NotPassed("function-autograd", line=node.lineno, written=ast.unparse(node))


def uses_autograd(trees: list[ast.Module], functions: list[str]) -> bool:
    return next(_find_uses(trees, functions), None) is not None


def _find_uses(trees: list[ast.Module], functions: list[str]) -> Iterator[ast.expr]:
    names = Names(trees)
    classes = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for definition in _reached(trees, functions):
        free = set(free_names(definition))
        for node in ast.walk(definition):
            if isinstance(node, (ast.Name, ast.Attribute)) and not _is_own(node, free) and _is_autograd(node, names):
                yield node
            elif isinstance(node, ast.Call) and _is_of_a_tensor(node.func, classes):
                yield node.func


def _reached(trees: list[ast.Module], functions: list[str]) -> list[_Definition]:
    """The classes, functions and values of the source that these names stand for, and those whose names are used in them, and so on."""
    defined: dict[str, list[_Definition]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                defined.setdefault(node.name, []).append(node)
            for name, value in assigned(node):
                if isinstance(value, ast.Lambda):
                    defined.setdefault(name, []).append(value)
        for outside in module_nodes(tree.body):
            for name, value in (*assigned(outside), *_put_into(outside)):
                if value is not None:
                    defined.setdefault(name, []).append(value)
    found: list[_Definition] = []
    waiting = list(functions)
    while waiting:
        for definition in defined.pop(waiting.pop(), []):
            found.append(definition)
            waiting += [node.id for node in free_names(definition)]
    return found


def _is_own(node: ast.expr, free: set[ast.Name]) -> bool:
    """Whether what a dotted name begins with is a variable of the definition."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node not in free


def _is_autograd(node: ast.expr, names: Names) -> bool:
    return any(f"{meaning}.".startswith(f"{known}.") for meaning in names.meanings(node) for known in _AUTOGRAD)


def _is_of_a_tensor(called: ast.expr, classes: set[str]) -> bool:
    """Whether this is the `backward` of something other than a class, as in `out.backward()`."""
    match called:
        case ast.Attribute(attr="backward", value=ast.Name(id=name)):
            return name not in classes
        case ast.Attribute(attr="backward", value=ast.Call(func=ast.Name(id="super"))):
            return False
        case ast.Attribute(attr="backward"):
            return True
        case _:
            return False


def _put_into(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What is made an attribute or entry of something, by that one's name."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            holder = target
            while isinstance(holder, (ast.Attribute, ast.Subscript)):
                holder = holder.value
            if isinstance(holder, ast.Name) and holder is not target:
                yield holder.id, node.value
