"""Rules about how a Function is called."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.names import assigned_pairs, is_constant, is_name, keyword_value, loaded_names, walk_own
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.rules.closure import needs_gradient
from app.pitfalls.syntax.source_places import heading_place, place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod


def find_instantiated(program: ProgramTree) -> Iterator[Finding]:
    """Find `F(x)` and `F()(x)`."""
    for call in program.calls:
        if isinstance(call.func, ast.Name) and (function := program.find(call.func.id)) and not _makes_objects(function):
            callee = call.func if call.args or call.keywords else call
            yield Finding("instantiated", place_of(call), {"function": function.name}, {"callee": place_of(callee)})


def _makes_objects(function: WrittenFunction) -> bool:
    """Return whether the class itself defines what a call of it does."""
    return bool(function.node.keywords) or any(function.has(name) for name in ("__init__", "__new__", "__call__"))


def find_forward_called_directly(program: ProgramTree) -> Iterator[Finding]:
    """Find `F.forward(x)` outside of Functions. Without its ctx the call fails; with setup_context, backward is bypassed.

    A Function that is also applied may be called directly on purpose, as for a comparison.
    """
    applied = {each.function.name for each in program.applied_calls} | {function.name for function in program.aliases.values()}
    passed = {function.name for node in program.nodes if (function := program.applied_function(node))}
    bypassing = (
        {function.name for function in program.functions if function.setup_context and program.asks_for_gradients} - applied - passed
    )
    for node in program.nodes_outside:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="forward") as called):
                function = program.find(name)
                forward = function.forward if function else None
                if function is None or forward is None or "classmethod" in forward.decorators:
                    continue
                is_wrong = name in bypassing if forward.ctx is None else _lacks_context(forward, node)
                if is_wrong:
                    places = {} if _gives_none(node) else {"callee": place_of(called)}
                    yield Finding("forward-called-directly", place_of(node), {"function": name}, places)


def _lacks_context(forward: WrittenMethod, call: ast.Call) -> bool:
    """Return whether the call certainly fails: an argument is missing, or None is given for a ctx that forward uses."""
    if forward.varargs or any(isinstance(each, ast.Starred) for each in call.args):
        return False
    if any(each.arg is None or each.arg == forward.ctx for each in call.keywords):
        return False
    if _gives_none(call):
        return any(isinstance(node, ast.Attribute) and is_name(node.value, forward.ctx) for node in forward.own_nodes)
    required = len(forward.parameters) - len(forward.node.args.defaults) + 1
    return 0 < len(call.args) + len(call.keywords) < required


def _gives_none(call: ast.Call) -> bool:
    return bool(call.args) and is_constant(call.args[0], None)


def find_keyword_only(program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find keyword-only parameters of forward that a call of `apply` gives, although `apply` does not pass keywords on."""
    forward = function.methods.get("forward")
    if forward is None:
        return
    arguments = forward.node.args
    only = {each.arg for each in arguments.kwonlyargs}
    required = {each.arg for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None}
    given = {word.arg for each in program.applied_calls if each.function is function for word in each.call.keywords}
    if named := sorted(required or (only & given)):
        yield Finding("keyword-arguments", heading_place(forward.node), {"function": function.name, "option": named[0]})


def find_create_graph(program: ProgramTree) -> Iterator[Finding]:
    """Find `.backward(create_graph=True)`."""
    for call in program.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and is_constant(keyword_value(call, "create_graph"), True):
            yield Finding("create-graph-backward", place_of(call))


def find_tensors_in_container(program: ProgramTree) -> Iterator[Finding]:
    """Find a list or dictionary of tensors that need gradients, given to `apply` at the top level.

    It is no mistake if the tensors are given by themselves, too.
    """
    top = {id(node) for node in program.top_nodes}
    for each in program.applied_calls:
        if id(each.call) not in top or any(isinstance(argument, ast.Starred) for argument in each.call.args):
            continue
        for argument in each.call.args:
            found = _bound_before(program, argument, each.call) if isinstance(argument, ast.Name) else argument
            if isinstance(found, ast.List | ast.ListComp | ast.Dict) and _asks_for_gradient(program, found):
                others = set().union(*(loaded_names(other) for other in each.call.args if other is not argument))
                if not loaded_names(found) & others:
                    name = argument.id if isinstance(argument, ast.Name) else each.function.parameter_name(each.call.args.index(argument))
                    forward = each.function.forward
                    place = place_of(each.call) if forward is None else heading_place(forward.node)
                    yield Finding("tensors-in-container", place, {"function": each.function.name, "name": name})


def _bound_before(program: ProgramTree, name: ast.Name, call: ast.Call) -> ast.expr | None:
    """Return the value that a name has at a call by the last assignment at the top level before it; None if there is none."""
    before = [node for node in program.top_nodes if isinstance(node, ast.Name) and node.id == name.id and node.lineno < call.lineno]
    last = max((node for node in before if isinstance(node.ctx, ast.Store)), key=lambda node: node.lineno, default=None)
    pairs = [pair for statement in program.tree.body for pair in assigned_pairs(statement)]
    return next((value for target, value in pairs if target is last), None)


def _asks_for_gradient(program: ProgramTree, container: ast.expr) -> bool:
    """Return whether something in the container is a call with `requires_grad=True`, or the name of such a tensor."""
    listed = [container.elt] if isinstance(container, ast.ListComp) else list(ast.iter_child_nodes(container))
    names = [program.top_values.get(each.id) for each in listed if isinstance(each, ast.Name)]
    if any(value is not None and needs_gradient(program, value) for value in names):
        return True
    calls = (node for node in walk_own(listed) if isinstance(node, ast.Call))
    return any(is_constant(keyword_value(call, "requires_grad"), True) for call in calls)
