"""Rules about the tensors that are given to gradcheck."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.names import is_constant, keyword_value
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.source_places import place_of

_CHECKS = {
    "torch.autograd.gradcheck",
    "torch.autograd.gradgradcheck",
    "torch.autograd.gradcheck.gradcheck",
    "torch.autograd.gradcheck.gradgradcheck",
}
_FLOAT_MAKERS = {f"torch.{name}" for name in ("rand", "randn", "zeros", "ones", "linspace", "eye", "logspace", "empty")}
_LARGE_STEP = 1e-4  # a program with a step this large was written for single precision
_KEEPING_PRECISION = {"requires_grad_", "view", "reshape", "t", "transpose", "unsqueeze", "contiguous", "clone", "detach", "expand", "abs"}


def find_float32_gradcheck(program: ProgramTree) -> Iterator[Finding]:
    """Find tensors that need a gradient, are made in the default precision and are given to gradcheck."""
    if any(program.full_name(call.func).rpartition(".")[2].startswith("set_default") for call in program.calls):
        return  # the default precision may be another one
    for call, given in _checked(program):
        step = keyword_value(call, "eps")
        if isinstance(step, ast.Constant) and isinstance(step.value, float) and step.value >= _LARGE_STEP:
            continue
        name = next((name for name, value in given if _is_single(program, value) and _asks_for_gradient(value)), None)
        if name is not None:
            yield Finding("float32-gradcheck", place_of(call), {"name": name})


def find_overlapping_memory(program: ProgramTree) -> Iterator[Finding]:
    """Find tensors that were made by `expand` and are given to gradcheck."""
    for call, given in _checked(program):
        name = next((name for name, value in given if _is_expanded(value)), None)
        if name is not None:
            yield Finding("overlapping-memory", place_of(call), {"name": name})


def _checked(program: ProgramTree) -> Iterator[tuple[ast.Call, list[tuple[str, ast.expr]]]]:
    """Yield each call of gradcheck at the top level with the names and values of its inputs."""
    for call in program.top_nodes:
        if isinstance(call, ast.Call) and program.full_name(call.func) in _CHECKS and len(call.args) >= 2:
            inputs = call.args[1]
            if isinstance(inputs, ast.Name) and isinstance(program.top_values.get(inputs.id), ast.Tuple | ast.List):
                inputs = program.top_values[inputs.id]
            listed = inputs.elts if isinstance(inputs, ast.Tuple | ast.List) else [inputs]
            named = [(each.id, program.top_values.get(each.id)) if isinstance(each, ast.Name) else ("", each) for each in listed]
            yield call, [(name, value) for name, value in named if value is not None]


def _is_single(program: ProgramTree, value: ast.expr) -> bool:
    """Return whether a tensor is certainly made in the default precision."""
    if not isinstance(value, ast.Call):
        return False
    if (
        isinstance(value.func, ast.Attribute)
        and value.func.attr in _KEEPING_PRECISION
        and not program.full_name(value.func).startswith("torch.")
    ):
        return _is_single(program, value.func.value)
    if keyword_value(value, "dtype") is not None or any(word.arg is None for word in value.keywords):
        return False
    name = program.full_name(value.func)
    return name in _FLOAT_MAKERS or (name == "torch.tensor" and _has_float(value))


def _has_float(call: ast.Call) -> bool:
    """Return whether the arguments of `torch.tensor` are only written numbers, one of them a float."""
    numbers = [node for argument in call.args for node in ast.walk(argument)]
    plain = ast.Constant | ast.List | ast.Tuple | ast.UnaryOp | ast.USub | ast.Load
    return all(isinstance(node, plain) for node in numbers) and any(
        isinstance(node, ast.Constant) and isinstance(node.value, float) for node in numbers
    )


def _asks_for_gradient(value: ast.expr) -> bool:
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    asked = any(is_constant(keyword_value(call, "requires_grad"), True) for call in calls)
    return asked or any(isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_" and not call.args for call in calls)


def _is_expanded(value: ast.expr) -> bool:
    """Return whether the last thing done to a tensor, apart from `requires_grad_` and `detach`, is to expand it."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in {"requires_grad_", "detach"}:
        value = value.func.value
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in {"expand", "expand_as"}
