"""The names in a definition that are not variables of its own functions, by Python's rules of scope. Runs in the grader's child.

What a parameter is called says nothing of what is imported by the same name.
"""

import ast
from collections.abc import Iterator

from app.runtimes.torch.grading.source_rules.source_tree import assigned, bound_names, module_nodes

_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def free_names(definition: ast.AST) -> Iterator[ast.Name]:
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(definition, frozenset())]
    while waiting:
        node, own = waiting.pop()
        if isinstance(node, ast.Name):
            if node.id not in own:
                yield node
        else:
            waiting += _children(node, own)


def _children(node: ast.AST, own: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """Each with the names that stand for variables there."""
    if isinstance(node, _Comprehension):
        inside = own | {name for made in node.generators for name, _ in assigned(made)}
        first = node.generators[0].iter  # evaluated outside
        parts = [part for child in ast.iter_child_nodes(node) for part in _parts(child)]
        yield from ((part, own if part is first else inside) for part in parts)
    else:
        body = set(_body(node))
        inside = own | _variables(node) if body else own
        yield from ((child, inside if child in body else own) for child in ast.iter_child_nodes(node))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.comprehension):
        yield from ast.iter_child_nodes(node)
    else:
        yield node


def _body(node: ast.AST) -> list[ast.AST]:
    """What is executed when a function is called; its defaults and decorators are not."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    return [*node.body] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []


def _variables(function: ast.AST) -> frozenset[str]:
    """Without what the function imports or declares global: that is what it is called."""
    arguments = {node.arg for child in ast.iter_child_nodes(function) for node in ast.iter_child_nodes(child) if isinstance(node, ast.arg)}
    nodes = [node for node in module_nodes(_body(function)) if not isinstance(node, ast.comprehension)]
    found = arguments | {name for node in nodes for name, _ in assigned(node)}
    imported = {name for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for name in bound_names(node)}
    return frozenset(found - imported - {name for node in nodes if isinstance(node, ast.Global) for name in node.names})
