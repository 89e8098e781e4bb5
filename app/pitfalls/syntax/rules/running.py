"""Rules about what backward runs: recomputation without a graph, random numbers, gradients that may be None."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.names import is_constant, is_name, keyword_value, last_name, loaded_names, walk_own
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


def find_grad_inside_backward(program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find `autograd.grad` or `.backward()` in backward without `enable_grad`, if it differentiates with respect to a leaf made there."""
    if "requires_grad_" not in backward.mentioned:
        return
    mentioned = set().union(*(each.mentioned for each in function.methods.values()))
    outside = {last_name(node) for node in program.nodes_outside if isinstance(node, ast.Attribute | ast.Name)}
    if _RECORDING & (mentioned | outside | backward.decorators):
        return
    derived = _derived(backward, _leaves(backward))
    for call in backward.calls:
        differentiated = _differentiated(program, call)
        if differentiated is not None and loaded_names(differentiated) & derived:
            yield Finding("grad-inside-backward", place_of(call), {"function": function.name})
            return


def _differentiated(program: ProgramTree, call: ast.Call) -> ast.expr | None:
    """Return the expression whose gradient a call computes; None if the call computes none."""
    if program.full_name(call.func) in {"torch.autograd.grad", "autograd.grad"} and call.args:
        return call.args[0]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and len(call.args) < 2:
        return call.func.value
    return None


def _leaves(method: WrittenMethod) -> set[str]:
    """Return the names that are bound to tensors that `requires_grad_` makes leaves."""
    assigned = [node for node in method.own_nodes if isinstance(node, ast.Assign)]
    making = [
        node for node in assigned if any(isinstance(each, ast.Attribute) and each.attr == "requires_grad_" for each in ast.walk(node.value))
    ]
    return {target.id for node in making for target in node.targets if isinstance(target, ast.Name)}


def _derived(method: WrittenMethod, leaves: set[str]) -> set[str]:
    """Return the names that are computed from the leaves, in the order of the source."""
    names: set[str] = set()
    for node in method.own_nodes:
        if isinstance(node, ast.Assign) and loaded_names(node.value) & (leaves | names):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)} - leaves
    return names


def find_random_backward(program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find random numbers that backward draws without a seed and uses for its result."""
    if backward.mentioned & _SEEDING or not backward.mentioned & (_RANDOM_FUNCTIONS | _RANDOM_METHODS):
        return
    for node in list_reaching(backward, also_conditions=True):
        if isinstance(node, ast.Call) and _is_random(program, node):
            yield Finding("not-deterministic", place_of(node), {"function": function.name})
            return


def _is_random(program: ProgramTree, call: ast.Call) -> bool:
    if keyword_value(call, "generator") is not None:
        return False
    name = program.full_name(call.func)
    if name.startswith("torch.") and name.count(".") == 1:
        return name.removeprefix("torch.") in _RANDOM_FUNCTIONS
    return (
        isinstance(call.func, ast.Attribute) and call.func.attr in _RANDOM_METHODS and not name.startswith(("torch.", "random.", "numpy."))
    )


def find_undefined_gradient(program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find an incoming gradient that is used unchecked with `set_materialize_grads(False)`, although a call leaves that output unused."""
    settings = [call.args[:1] for method in function.savers for call in method.context_calls("set_materialize_grads")]
    if backward.varargs or not any(is_constant(value, False) for values in settings for value in values):
        return
    unused = _unused_outputs(program, function)
    for index, name in enumerate(backward.parameters):
        use = _unchecked_use(backward, name) if index in unused else None
        if use is not None:
            yield Finding("undefined-gradient", place_of(use), {"function": function.name, "output": index, "name": name})
            return


def _unused_outputs(program: ProgramTree, function: WrittenFunction) -> set[int]:
    """Return the indices of the outputs that a call does not use: their names are read nowhere outside of Functions."""
    read = {node.id for node in program.nodes_outside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    applied = [node for node in program.nodes if isinstance(node, ast.Assign) and program.called_function(node.value) is function]
    outputs = [output for node in applied if isinstance(node.targets[0], ast.Tuple) for output in enumerate(node.targets[0].elts)]
    return {index for index, each in outputs if isinstance(each, ast.Name) and (each.id not in read or each.id == "_")}


def _unchecked_use(method: WrittenMethod, name: str) -> ast.stmt | None:
    """Return the first statement that computes with a gradient; None if anything compares the gradient with None."""
    if any(_checks(node, name) for node in method.own_nodes):
        return None
    for statement in method.node.body:
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
            if name in loaded_names(statement):
                return None
            continue
        for node in walk_own([statement]):
            is_computed = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Attribute)
            if is_computed and any(is_name(each, name) for each in ast.iter_child_nodes(node)):
                return statement
        if any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in walk_own([statement])):
            return None
    return None


def _checks(node: ast.AST, name: str) -> bool:
    """Return whether a condition mentions the gradient."""
    if isinstance(node, ast.Call):
        return any(is_name(each, name) for each in node.args)
    condition = node if isinstance(node, ast.Compare | ast.BoolOp) else getattr(node, "test", None)
    return condition is not None and name in loaded_names(condition)
