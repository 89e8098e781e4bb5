"""Rules about what backward runs: recomputation without a graph, random numbers, gradients that may be None."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding, Value
from app.pitfalls.syntax.names import is_constant, keyword_value, loaded_names, walk_own
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.reaching import list_reaching
from app.pitfalls.syntax.source_places import place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod

_RECORDING = {"enable_grad", "set_grad_enabled", "inference_mode", "vjp", "functional_call"}
_RANDOM_FUNCTIONS = {
    "rand",
    "randn",
    "rand_like",
    "randn_like",
    "randint",
    "randint_like",
    "randperm",
    "bernoulli",
    "normal",
    "multinomial",
}
_RANDOM_METHODS = {"bernoulli", "bernoulli_", "normal_", "uniform_", "random_", "exponential_"}
_SEEDING = {"fork_rng", "set_rng_state", "manual_seed", "generator", "Generator", "set_state", "seed"}


def find_grad_inside_backward(program: ProgramTree) -> Iterator[Finding]:
    """Find `autograd.grad` or `.backward()` in backward without `enable_grad`, if it differentiates with respect to a leaf made there."""
    outside = {_last_part(node) for node in program.nodes_outside}
    for function in program.functions:
        method = function.own_backward
        mentioned = set().union(*(each.mentioned for each in function.methods.values()))
        if method is None or _RECORDING & (mentioned | outside | method.decorators) or "requires_grad_" not in method.mentioned:
            continue
        leaves = _leaves(method)
        for call in method.calls:
            differentiated = _differentiated(program, call)
            if differentiated is not None and loaded_names(differentiated) & _derived(method, leaves):
                yield Finding("grad-inside-backward", place_of(call), {"function": function.name})
                break


def _last_part(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _differentiated(program: ProgramTree, call: ast.Call) -> ast.expr | None:
    """Return the expression whose gradient a call computes; None if the call computes none."""
    if program.full_name(call.func) in {"torch.autograd.grad", "autograd.grad"} and call.args:
        return call.args[0]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and len(call.args) < 2:
        return call.func.value
    return None


def _leaves(method: WrittenMethod) -> set[str]:
    """Return the names that are bound to tensors that `requires_grad_` makes leaves."""
    names = set()
    for node in method.own_nodes:
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Attribute) and each.attr == "requires_grad_" for each in ast.walk(node.value)
        ):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _derived(method: WrittenMethod, leaves: set[str]) -> set[str]:
    """Return the names that are computed from the leaves, in the order of the source."""
    names: set[str] = set()
    for node in method.own_nodes:
        if isinstance(node, ast.Assign) and loaded_names(node.value) & (leaves | names):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)} - leaves
    return names


def find_random_backward(program: ProgramTree) -> Iterator[Finding]:
    """Find random numbers that backward draws without a seed and uses for its result."""
    for function in program.functions:
        method = function.own_backward
        if method is None or method.mentioned & _SEEDING or not method.mentioned & (_RANDOM_FUNCTIONS | _RANDOM_METHODS):
            continue
        for node in list_reaching(method, also_conditions=True):
            if isinstance(node, ast.Call) and _is_random(program, node):
                yield Finding("not-deterministic", place_of(node), {"function": function.name})
                break


def _is_random(program: ProgramTree, call: ast.Call) -> bool:
    if keyword_value(call, "generator") is not None:
        return False
    name = program.full_name(call.func)
    if name.startswith("torch.") and name.count(".") == 1:
        return name.removeprefix("torch.") in _RANDOM_FUNCTIONS
    return (
        isinstance(call.func, ast.Attribute) and call.func.attr in _RANDOM_METHODS and not name.startswith(("torch.", "random.", "numpy."))
    )


def find_undefined_gradient(program: ProgramTree) -> Iterator[Finding]:
    """Find an incoming gradient that is used unchecked with `set_materialize_grads(False)`, although a call leaves that output unused."""
    for function in program.functions:
        method = function.own_backward
        if method is None or method.varargs or not _leaves_undefined(function):
            continue
        for index in _unused_outputs(program, function):
            name = method.parameters[index] if index < len(method.parameters) else ""
            use = _unchecked_use(method, name)
            if use is not None:
                values: dict[str, Value] = {"function": function.name, "output": index, "name": name}
                yield Finding("undefined-gradient", place_of(use), values)
                break


def _leaves_undefined(function: WrittenFunction) -> bool:
    calls = [call for method in function.savers for call in method.context_calls("set_materialize_grads")]
    return any(call.args and is_constant(call.args[0], False) for call in calls)


def _unused_outputs(program: ProgramTree, function: WrittenFunction) -> list[int]:
    """Return the indices of the outputs that a call does not use: their names are read nowhere outside of Functions."""
    read = {node.id for node in program.nodes_outside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    unused = set()
    for node in program.nodes:
        if isinstance(node, ast.Assign) and program.called_function(node.value) is function and isinstance(node.targets[0], ast.Tuple):
            for index, target in enumerate(node.targets[0].elts):
                if isinstance(target, ast.Name) and (target.id not in read or target.id == "_"):
                    unused.add(index)
    return sorted(unused) if function.backward is not None else []


def _unchecked_use(method: WrittenMethod, name: str) -> ast.stmt | None:
    """Return the first statement that computes with a gradient; None if anything compares the gradient with None."""
    if not name or any(_checks(node, name) for node in method.own_nodes):
        return None
    for statement in method.node.body:
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
            if name in loaded_names(statement):
                return None
            continue
        for node in walk_own([statement]):
            if isinstance(node, ast.BinOp | ast.UnaryOp) and name in {getattr(each, "id", "") for each in ast.iter_child_nodes(node)}:
                return statement
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                return statement
        if any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in walk_own([statement])):
            return None
    return None


def _checks(node: ast.AST, name: str) -> bool:
    """Return whether a condition mentions the gradient."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return name in loaded_names(node.test)
    if isinstance(node, ast.Compare | ast.BoolOp):
        return name in loaded_names(node)
    return isinstance(node, ast.Call) and any(isinstance(each, ast.Name) and each.id == name for each in node.args)
