"""Finds pitfalls in the source of a program. It runs in a confined child, after a run and while somebody types."""

import ast
import warnings
from collections.abc import Callable, Iterator

from app.pitfalls.finding import Finding
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.rules import calling, changing, checking, closure, leaving, returning, running, saving, transforming
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod

MOST_BYTES = 65_536  # a longer program is not searched
_MOST_FINDINGS = 100

# Each rule with the codes of its findings, by what it takes besides the program: nothing, a Function, or a Function and its own backward.
OF_PROGRAMS: dict[Callable[[ProgramTree], Iterator[Finding]], tuple[str, ...]] = {
    calling.find_instantiated: ("instantiated",),
    calling.find_forward_called_directly: ("forward-called-directly",),
    calling.find_create_graph: ("create-graph-backward",),
    calling.find_tensors_in_container: ("tensors-in-container",),
    changing.find_result_changed: ("data-mutated", "returned-input-mutated"),
    closure.find_closure_tensor: ("closure-tensor",),
    checking.find_float32_gradcheck: ("float32-gradcheck",),
    checking.find_overlapping_memory: ("overlapping-memory",),
    transforming.find_no_functorch: ("no-functorch",),
    transforming.find_compiled_gradient: ("compile-drops-backward",),
    transforming.find_custom_op: ("custom-op-no-autograd",),
}
OF_FUNCTIONS: dict[Callable[[ProgramTree, WrittenFunction], Iterator[Finding]], tuple[str, ...]] = {
    calling.find_keyword_only: ("keyword-arguments",),
    saving.find_saved_variables: ("saved-variables",),
    saving.find_saved_twice: ("saved-twice",),
    saving.find_saved_non_tensor: ("saved-non-tensor",),
    returning.find_forward_returns_container: ("forward-returns-container",),
    changing.find_changes_in_forward: ("missing-mark-dirty", "numpy-in-place", "data-mutated"),
}
OF_BACKWARDS: dict[Callable[[ProgramTree, WrittenFunction, WrittenMethod], Iterator[Finding]], tuple[str, ...]] = {
    saving.find_not_unpacked: ("saved-tensors-not-unpacked",),
    returning.find_backward_returns_nothing: ("backward-returns-nothing",),
    returning.find_wrong_gradient_count: ("wrong-gradient-count", "keyword-arguments"),
    returning.find_gradient_for_non_tensor: ("gradient-for-non-tensor",),
    changing.find_changes_in_backward: ("grad-output-mutated", "saved-tensor-mutated"),
    leaving.find_numpy_in_backward: ("numpy-in-backward",),
    leaving.find_detached_backward: ("detached-backward", "detached-saved"),
    running.find_grad_inside_backward: ("grad-inside-backward",),
    running.find_random_backward: ("not-deterministic",),
    running.find_undefined_gradient: ("undefined-gradient",),
}


def find_in_source(text: str) -> list[Finding]:
    """Return what is certainly wrong, in the order of the source. Returns nothing for a text that is too long or no valid program."""
    program = read_program(text)
    try:
        found = list(_apply_rules(program)) if program else []
    except (RecursionError, MemoryError):
        return []
    return sorted(found, key=lambda finding: (finding.place, finding.code))[:_MOST_FINDINGS]


def _apply_rules(program: ProgramTree) -> Iterator[Finding]:
    for of_program in OF_PROGRAMS:
        yield from of_program(program)
    for function in program.functions:
        for of_function in OF_FUNCTIONS:
            yield from of_function(program, function)
        backward = function.own_backward
        if backward is not None:
            yield from (finding for of_backward in OF_BACKWARDS for finding in of_backward(program, function, backward))


def read_program(text: str) -> ProgramTree | None:
    """Return a program as the rules read it; None if it is too long or too deep, or if Python's parser rejects it."""
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            return ProgramTree(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
