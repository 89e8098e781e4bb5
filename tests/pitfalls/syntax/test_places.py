"""The places in a Function's source that a probe or the trace asks for."""

from app.pitfalls.finding import Place
from app.pitfalls.syntax.places import FunctionPlaces

PROGRAM = """import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps, *rest):
        rstd = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
        x_hat = x * rstd
        ctx.save_for_backward(x_hat, rstd, weight)
        ctx.eps, ctx.rows = eps, len(x)
        return x_hat * weight

    @staticmethod
    def backward(ctx, grad_output):
        hat, rstd, weight = ctx.saved_tensors
        grad_x = grad_weight = None
        if grad_output is None:
            return None, None, None
        if ctx.needs_input_grad[0]:
            along = (grad_output * weight * hat).mean(-1, keepdim=True)
            grad_x = rstd * (grad_output * weight - hat * along)
            grad_x /= ctx.rows
        return grad_x, (grad_output * hat).sum(0), None
"""


def places() -> FunctionPlaces:
    found = FunctionPlaces.read(PROGRAM)
    assert found
    return found


def source_at(place: Place | None) -> str:
    assert place
    assert place.line == place.end_line
    return PROGRAM.splitlines()[place.line - 1][place.column : place.end_column]


def test_a_gradient_and_what_assigned_it_last() -> None:
    found = places().gradient_place("Norm", 0)
    assert found
    assert (source_at(found.returned), source_at(found.assigned)) == ("grad_x", "grad_x /= ctx.rows")


def test_a_gradient_that_is_no_name_has_no_assignment() -> None:
    found = places().gradient_place("Norm", 1)
    assert found
    assert (source_at(found.returned), found.assigned) == ("(grad_output * hat).sum(0)", None)


def test_a_gradient_that_is_none_or_missing_has_no_place() -> None:
    assert places().gradient_place("Norm", 2) is None
    assert places().gradient_place("Norm", 7) is None
    assert places().gradient_place("Other", 0) is None


def test_what_uses_a_saved_tensor_first_by_the_name_that_backward_gives_it() -> None:
    assert source_at(places().use_place("Norm", "x_hat")).startswith("along = ")
    assert source_at(places().use_place("Norm", "ctx.rows")) == "grad_x /= ctx.rows"
    assert places().use_place("Norm", "ctx.eps") is None


def test_the_names_of_inputs() -> None:
    assert places().parameter_names("Norm") == ["x", "weight", "eps", "*rest"]
    assert places().parameter_names("Other") == []


def test_the_heading_of_a_method() -> None:
    assert source_at(places().method_place("Norm", "backward")) == "def backward"


def test_setup_context_takes_ctx_from_forward() -> None:
    program = """import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(x, n):
        return x * n
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.n = inputs
        ctx.save_for_backward(x)
"""
    found = FunctionPlaces.read(program)
    assert found
    assert found.parameter_names("F") == ["x", "n"]


def test_no_valid_program_has_no_places() -> None:
    assert FunctionPlaces.read("class") is None
