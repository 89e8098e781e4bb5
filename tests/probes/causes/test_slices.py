"""Which statements a gradient is computed by."""

import ast

from app.probes.causes.slices import slice_of

SOURCE = """
def backward(ctx, g):
    x, w = ctx.saved_tensors
    grad_x = g * w
    grad_w = torch.zeros_like(w)
    for row in range(len(g)):
        grad_w[row] = (g[row] * x[row]).sum()
    grad_x.mul_(2)
    unused = g.sum()
    if ctx.needs_input_grad[0]:
        grad_x = grad_x + 1
    return grad_x, grad_w
"""


def lines_of(index: int) -> list[int]:
    tree = ast.parse(SOURCE).body[0]
    assert isinstance(tree, ast.FunctionDef)
    reached = slice_of(tree, index)
    return sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr) and id(node) in reached})


def test_a_gradient_depends_on_assignments_conditions_and_changes_in_place() -> None:
    assert lines_of(0) == [3, 4, 8, 10, 11, 12]


def test_a_gradient_depends_on_what_a_loop_assigns() -> None:
    assert lines_of(1) == [3, 5, 6, 7, 12]
