"""Rules about torch.func, torch.compile and custom operators."""

import ast
from collections.abc import Callable, Iterator
from functools import partial

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.names import assigned_pairs, keyword_value
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.source_places import heading_place, place_of
from app.pitfalls.syntax.written_function import WrittenFunction

_DIFFERENTIATING = {"torch.func.grad", "torch.func.grad_and_value", "torch.func.vjp", "torch.func.jacrev", "torch.func.hessian"}
_BATCHING = {"torch.func.vmap", "torch.vmap", "torch.func.jacrev", "torch.func.jacfwd", "torch.func.hessian"}
_FORWARD_MODE = {"torch.func.jvp", "torch.func.jacfwd", "torch.func.hessian", "torch.func.linearize"}
_MOST_NAMES = 200  # the most names whose definitions are followed
_CUTTING = {"detach", "no_grad", "data", "item", "numpy", "inference_mode"}
_WITHOUT_GRADIENT = {"argmax", "argmin", "argsort", "long", "int", "bool", "nonzero", "round", "sign", "floor", "randint", "arange"}


def find_no_functorch(program: ProgramTree) -> Iterator[Finding]:
    """Find Functions that are given to torch.func and lack what it needs: setup_context, a rule for vmap, a jvp."""
    seen: set[str] = set()
    for call in program.calls:
        name = program.full_name(call.func)
        if name not in _DIFFERENTIATING | _BATCHING | _FORWARD_MODE or not call.args:
            continue
        for function in applied_in(program, call.args[0]):
            if (
                function.name not in seen
                and function.forward is not None
                and _lacks_support(function, _transforms(program, name, call.args[0]))
            ):
                seen.add(function.name)
                node = function.node if function.setup_context else function.forward.node
                yield Finding("no-functorch", heading_place(node), {"function": function.name})


def _transforms(program: ProgramTree, name: str, inner: ast.expr) -> set[str]:
    """Return the transforms around a call: `vmap(grad(f))` is two."""
    names = {name}
    while isinstance(inner, ast.Call) and inner.args:
        names.add(program.full_name(inner.func))
        inner = inner.args[0]
    return names


def _lacks_support(function: WrittenFunction, transforms: set[str]) -> bool:
    if function.setup_context is None:
        return True
    batches = function.has("vmap") or function.has("generate_vmap_rule")
    return bool(transforms & _BATCHING and not batches) or bool(transforms & _FORWARD_MODE and not function.has("jvp"))


def find_compiled_gradient(program: ProgramTree) -> Iterator[Finding]:
    """Find `torch.compile(torch.func.grad(f))` if f applies a Function with a backward."""
    for call in program.calls:
        inner = call.args[0] if call.args else None
        if program.full_name(call.func) != "torch.compile" or not isinstance(inner, ast.Call) or not inner.args:
            continue
        if program.full_name(inner.func) in {"torch.func.grad", "torch.func.grad_and_value"}:
            for function in applied_in(program, inner.args[0])[:1]:
                yield Finding("compile-drops-backward", place_of(call), {"function": function.name})


def find_custom_op(program: ProgramTree) -> Iterator[Finding]:
    """Find custom operators without a gradient if `.backward()` is called on something computed from their results."""
    functions = [node for node in program.nodes if isinstance(node, ast.FunctionDef) and program.bindings[node.name] == 1]
    operators = [node for node in functions if _operator_decorators(program, node)]
    if not operators or _registers(program):
        return
    differentiated = [call.func.value for call in program.calls if isinstance(call.func, ast.Attribute) and call.func.attr == "backward"]
    used = set().union(*(names_used(program, each) for each in differentiated))
    for node in operators:
        if node.name in used and not _is_without_gradient(node):
            yield Finding("custom-op-no-autograd", place_of(_operator_decorators(program, node)[0]), {"name": node.name})


def _operator_decorators(program: ProgramTree, node: ast.FunctionDef) -> list[ast.Call]:
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    return [call for call in calls if program.full_name(call.func) == "torch.library.custom_op"]


def _registers(program: ProgramTree) -> bool:
    """Return whether a gradient is registered for any operator, or an implementation that may define one."""
    names = {call.func.attr for call in program.calls if isinstance(call.func, ast.Attribute)}
    keys = (keyword_value(call, "dispatch_key") for call in program.calls)
    return bool(names & {"register_autograd", "impl", "register_kernel"}) or any(key is not None for key in keys)


def _is_without_gradient(node: ast.FunctionDef) -> bool:
    """Return whether the operator may return whole numbers, or nothing."""
    mentioned = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    annotated = ast.unparse(node.returns) if isinstance(node.returns, ast.Name | ast.Attribute) else ""
    return not annotated.endswith("Tensor") or bool(mentioned & _WITHOUT_GRADIENT)


def applied_in(program: ProgramTree, called: ast.AST) -> list[WrittenFunction]:
    """Return the Functions that a callable applies: an `F.apply` itself, or those that a function, and the functions it calls, apply."""
    nodes = _follow(called, partial(_definition, program))
    applied = [program.aliases.get(node.id) if isinstance(node, ast.Name) else program.applied_function(node) for node in nodes]
    return list({function.name: function for function in applied if function is not None}.values())


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
        named = [each for item in node.items for each in ast.walk(item.context_expr)] if isinstance(node, ast.With) else [node]
        if not any(isinstance(each, ast.Attribute) and each.attr in _CUTTING for each in named):
            found.append(node)
            waiting.extend(ast.iter_child_nodes(node))
    return found
