"""A program that uses what its exercise rules out fails, unless the solution uses it too."""

import pytest
import torch

from app.protocol.grading import Rubric
from tests.runtimes.torch.grading.loopback import codes, grade

HEAD = """import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
"""
BACKWARD = "\n    @staticmethod\n    def backward(ctx, g):\n        (x,) = ctx.saved_tensors\n        return {}\n"
FORMULA = HEAD + BACKWARD.format("2 * x * g")
BY_AUTOGRAD = HEAD + BACKWARD.format("pull(x, g)")
BY_AUTOGRAD += """

def pull(x, g):
    with torch.enable_grad():
        z = x.detach().requires_grad_()
        return torch.autograd.grad(z * z, z, g)[0]
"""
BY_FORWARD_MODE = HEAD + BACKWARD.format("g * torch.func.jvp(lambda z: z * z, (x,), (torch.ones_like(x),))[1]")
CHECKS = """
from gradroom import Subject, check, draw

square = Subject("Square", lambda: [draw.tensor()])


@check
def gradients():
    square.gradients()
"""


def asked(solution: str = FORMULA, functions: tuple[str, ...] = ("Square",), bans: tuple[str, ...] = ()) -> Rubric:
    return Rubric(checks=CHECKS, solution=solution, functions=[*functions], bans=[*bans])


@pytest.mark.parametrize(("program", "code"), [(FORMULA, None), (BY_AUTOGRAD, "autograd-run"), (BY_FORWARD_MODE, "autograd-means")])
def test_a_function_computes_its_gradient_itself(program: str, code: str | None) -> None:
    assert codes(grade(program, asked())) == {"functions": None, "gradients": code}


def test_it_may_use_autograd_where_the_solution_does() -> None:
    assert grade(BY_AUTOGRAD, asked(solution=BY_AUTOGRAD)).passed


def test_a_program_may_try_its_function_with_autograd() -> None:
    trial = (
        "\n\nx = torch.ones(2, requires_grad=True)\nSquare.apply(x).sum().backward()\ntorch.autograd.gradcheck(Square.apply, x.double())\n"
    )
    verdict = grade(FORMULA + trial, asked(solution=FORMULA + trial))
    assert verdict.passed
    assert codes(grade(BY_AUTOGRAD, asked(solution=FORMULA + trial)))["gradients"] == "autograd-run"


def test_an_operator_is_ruled_out_however_it_is_reached() -> None:
    program = "import torch\n\n\ndef Square(x):\n    return getattr(torch, 'squ' + 'are')(x)\n"
    verdict = grade(program, asked(solution="def Square(x):\n    return x * x", functions=(), bans=("torch.square",)))
    assert codes(verdict) == {"bans": None, "gradients": "ban-called", "marks": None}


@pytest.mark.parametrize("program", ["Square = Square.apply\n", "Square.apply = torch.square\n", "del Square\n"])
def test_what_is_called_so_in_the_end_counts(program: str) -> None:
    assert codes(grade(FORMULA + program, asked()))["functions"] in ("function-base", "function-apply", "function-missing")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Square.apply = torch.square", "function-changed"),
        ("torch.autograd.graph.saved_tensors_hooks(abs, abs).__enter__()", "unseen"),
    ],
)
def test_what_is_changed_in_the_first_call_is_told_as_that(line: str, code: str) -> None:
    program = FORMULA.replace("        return x * x\n", f"        {line}\n        return x * x\n")
    try:
        assert codes(grade(program, asked()))["gradients"] == code
    finally:
        while torch._C._autograd._top_saved_tensors_default_hooks(True) is not None:  # type: ignore[attr-defined]
            torch._C._autograd._pop_saved_tensors_default_hooks()  # type: ignore[attr-defined]


def test_an_author_may_ask_how_often_autograd_ran() -> None:
    checks = """
from gradroom import Subject, check, draw, expect

square = Subject("Square", lambda: [draw.tensor()])
slope = Subject("slope", lambda: [draw.tensor(grad=False)])


@check
def runs():
    expect([square.runs(square.drawn(), back=True), slope.runs(slope.drawn())] == [0, 1])
"""
    slope = "\n\ndef slope(x):\n    x = x.detach().requires_grad_()\n    return torch.autograd.grad(Square.apply(x).sum(), x)[0]\n"
    assert grade(FORMULA + slope, Rubric(checks=checks, solution=FORMULA + slope)).passed
    assert not grade(BY_AUTOGRAD + slope, Rubric(checks=checks, solution=FORMULA + slope)).passed


def test_what_leaves_open_how_it_computes_is_marked_and_passes() -> None:
    verdict = grade(f"exec('1')\n{FORMULA}\nopen\n", asked())
    assert verdict.passed
    (marked,) = [check for check in verdict.checks if check.id == "marks"]
    assert marked.reported
    assert marked.message is not None
    assert marked.message.code == "marked-again"
    assert marked.message.values == {"line": "1", "name": "exec", "others": "16"}
    assert [check.id for check in grade(FORMULA, asked()).checks] == ["functions", "gradients"]


def test_what_derives_a_backward_is_refused() -> None:
    program = "from torch.fx.experimental.proxy_tensor import make_fx\n" + FORMULA
    assert codes(grade(program, asked()))["functions"] == "ban-used"
