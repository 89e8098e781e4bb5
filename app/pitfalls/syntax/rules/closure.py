"""A rule about tensors that forward uses although they are not its arguments."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.names import assigned_pairs, count_bindings, is_constant, is_name, keyword_value
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.reaching import list_reaching
from app.pitfalls.syntax.source_places import place_of
from app.pitfalls.syntax.written_function import WrittenFunction, read_methods, write_method

_LEAVING = {"detach", "data", "item", "numpy", "tolist", "grad"}
_MOST_METHODS = 20


def find_closure_tensor(program: ProgramTree) -> Iterator[Finding]:
    """Find tensors of the program that need a gradient and that forward uses, although they are not its arguments."""
    outside = {name for name, value in program.top_values.items() if needs_gradient(program, value)}
    enclosing = _enclosing_names(program)
    for function in program.functions:
        if function.backward is None or "forward" not in function.methods:
            continue
        names = outside | enclosing.get(function, set())
        found = _first_use(function, names) if names else None
        if found is not None:
            yield Finding("closure-tensor", place_of(found), {"function": function.name, "name": found.id})


def _first_use(function: WrittenFunction, names: set[str]) -> ast.Name | None:
    """Return where forward, or a method of the class that it calls, computes its result with one of these names."""
    every = read_methods(function.node.body)
    waiting, seen = ["forward"], set[str]()
    while waiting and len(seen) < _MOST_METHODS:
        name = waiting.pop()
        if name in seen or name not in every:
            continue
        seen.add(name)
        method = function.methods.get(name) or write_method(every[name], has_context=False)
        local = set(count_bindings(ast.walk(method.node)))
        reaching = list_reaching(method)
        kept = {id(node.value) for node in ast.walk(method.node) if isinstance(node, ast.Attribute) and node.attr in _LEAVING}
        # what is only the argument of one of these is used as a number
        calls = [call for call in method.calls if isinstance(call.func, ast.Name) and call.func.id in {"float", "int", "len", "bool"}]
        kept |= {id(argument) for call in calls for argument in call.args}
        for node in reaching:
            if isinstance(node, ast.Name) and node.id in names - local and id(node) not in kept:
                return node
        called = [node.func for node in reaching if isinstance(node, ast.Call)]
        waiting += [node.attr for node in called if isinstance(node, ast.Attribute) and is_name(node.value, function.name)]
    return None


def needs_gradient(program: ProgramTree, value: ast.expr) -> bool:
    """Return whether an expression is certainly a leaf that needs a gradient."""
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr == "requires_grad_":
        return (not value.args and not value.keywords) or (bool(value.args) and is_constant(value.args[0], True))
    if program.full_name(value.func) in {"torch.nn.Parameter", "torch.nn.parameter.Parameter"}:
        return not is_constant(keyword_value(value, "requires_grad"), False)
    return is_constant(keyword_value(value, "requires_grad"), True) and program.full_name(value.func).startswith("torch.")


def _enclosing_names(program: ProgramTree) -> dict[WrittenFunction, set[str]]:
    """Return, for Functions that are defined in a method of a module, the local names that are bound to its parameters."""
    by_node = {id(function.node): function for function in program.functions}
    found: dict[WrittenFunction, set[str]] = {}
    for owner in program.nodes:
        if not isinstance(owner, ast.ClassDef) or id(owner) in by_node:
            continue
        attributes = _parameter_attributes(program, owner)
        for method in read_methods(owner.body).values() if attributes else ():
            bindings = count_bindings(ast.walk(method))
            names = {
                target.id
                for statement in method.body
                for target, value in assigned_pairs(statement)
                if isinstance(target, ast.Name) and bindings[target.id] == 1 and ast.dump(value) in attributes
            }
            found |= {by_node[id(node)]: names for node in ast.walk(method) if id(node) in by_node}
    return found


def _parameter_attributes(program: ProgramTree, owner: ast.ClassDef) -> set[str]:
    """Return the attributes to which the class assigns parameters, such as `self.weight`, as `ast.dump` writes them."""
    pairs = [pair for node in ast.walk(owner) for pair in assigned_pairs(node)]
    targets = [target for target, value in pairs if isinstance(target, ast.Attribute) and needs_gradient(program, value)]
    return {ast.dump(ast.Attribute(each.value, each.attr, ast.Load())) for each in targets if isinstance(each.value, ast.Name)}
