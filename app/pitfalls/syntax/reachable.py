"""Finds the definitions of a program that an expression uses, directly or through others."""

import ast
from collections.abc import Callable
from functools import partial

from app.pitfalls.syntax.names import assigned_pairs
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.written_function import WrittenFunction

_MOST_NAMES = 200
_CUTTING = {"detach", "no_grad", "data", "item", "numpy", "inference_mode"}


def applied_in(program: ProgramTree, called: ast.AST) -> list[WrittenFunction]:
    """Return the Functions that a callable applies: an `F.apply` itself, or those that a function, and the functions it calls, apply."""
    found: dict[str, WrittenFunction] = {}
    for node in _follow(called, partial(_definition, program)):
        function = program.aliases.get(node.id) if isinstance(node, ast.Name) else program.applied_function(node)
        if function is not None:
            found[function.name] = function
    return list(found.values())


def names_used(program: ProgramTree, expression: ast.AST) -> set[str]:
    """Return every name that may contribute to a value through assignments, functions and classes, without cutting the graph."""
    assigned: dict[str, list[ast.AST]] = {}
    for node in program.nodes:
        for target, value in assigned_pairs(node):
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    assigned.setdefault(each.id, []).append(value)
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            assigned.setdefault(node.name, []).append(node)
    nodes = _follow(expression, lambda name: assigned.get(name, []))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _definition(program: ProgramTree, name: str) -> list[ast.AST]:
    if name in program.definitions:
        return [program.definitions[name]]
    if program.bindings[name] != 1:
        return []
    return [value for assigned, value in program.top_assignments if assigned == name and isinstance(value, ast.Lambda)]


def _follow(start: ast.AST, define: Callable[[str], list[ast.AST]]) -> list[ast.AST]:
    """Return the nodes of an expression, and of all definitions that it uses directly or through others."""
    waiting, seen, nodes = [start], set[str](), list[ast.AST]()
    while waiting and len(seen) < _MOST_NAMES:
        for node in _uncut(waiting.pop()):
            nodes.append(node)
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting.extend(define(node.id))
    return nodes


def _uncut(start: ast.AST) -> list[ast.AST]:
    """Return the nodes of a piece of source, without those that cut the graph: under `no_grad`, or detached."""
    waiting, found = [start], []
    while waiting:
        node = waiting.pop()
        cut = isinstance(node, ast.Attribute) and node.attr in _CUTTING
        if isinstance(node, ast.With):
            cut = any(
                isinstance(each, ast.Attribute) and each.attr in _CUTTING for item in node.items for each in ast.walk(item.context_expr)
            )
        if not cut:
            found.append(node)
            waiting.extend(ast.iter_child_nodes(node))
    return found
