"""The line that loses a gradient, if the gradient depends on which inputs need one or on which outputs are used."""

import linecache
from typing import Any

import pytest
import torch
from torch.autograd import Function

from app.probes.calls.prepared_call import ApplyCall
from app.probes.examine import examine
from tests.probes.causes.test_find_fault import line_of

VALUES = torch.linspace(0.5, 2.0, 6, dtype=torch.float64)


class OtherFlag(Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        a, b = ctx.saved_tensors
        grad_a = g * b
        grad_b = None
        if ctx.needs_input_grad[0]:
            grad_b = g * a
        return grad_a, grad_b


class SecondIgnored(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> Any:
        ctx.save_for_backward(x)
        return x.sin(), x * 3

    @staticmethod
    def backward(ctx: Any, grad_sine: torch.Tensor, grad_triple: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        grad = grad_sine * x.cos()
        return grad * 1.0


@pytest.mark.parametrize("needs", [(True, True), (False, True)])
def test_the_flag_of_another_input_is_shown(needs: tuple[bool, bool]) -> None:
    call = ApplyCall(OtherFlag, tuple(VALUES.clone().requires_grad_(each) for each in needs))
    found = examine(call, lambda name: "".join(linecache.getlines(name)), 10.0)

    assert [(each.code, each.place and each.place.line) for each in found.observations] == [
        ("needs-input-grad-ignored", line_of(OtherFlag, "needs_input_grad[0]"))
    ]


def test_an_output_whose_gradient_is_ignored_is_shown_in_backward() -> None:
    found = examine(ApplyCall(SecondIgnored, (VALUES.clone().requires_grad_(),)), lambda name: "".join(linecache.getlines(name)), 10.0)

    first = found.observations[0]
    assert first.code == "auxiliary-output-unmarked" and first.place is not None
    assert first.place.line >= line_of(SecondIgnored, "def backward")
