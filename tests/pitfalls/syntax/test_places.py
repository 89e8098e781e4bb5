"""Where in a Function's source something is."""

from app.pitfalls.finding import Place
from app.pitfalls.syntax.places import FunctionPlaces, locate

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
    found = locate(PROGRAM)
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


def test_what_saves_a_tensor() -> None:
    assert source_at(places().saving_place("Norm", "x_hat")) == "ctx.save_for_backward(x_hat, rstd, weight)"
    assert source_at(places().saving_place("Norm", "ctx.rows")) == "ctx.eps, ctx.rows = eps, len(x)"
    assert places().saving_place("Norm", "other") is None


def test_what_uses_a_saved_tensor_first_by_the_name_that_backward_gives_it() -> None:
    assert source_at(places().use_place("Norm", "x_hat")).startswith("along = ")
    assert source_at(places().use_place("Norm", "ctx.rows")) == "grad_x /= ctx.rows"
    assert places().use_place("Norm", "ctx.eps") is None


def test_the_names_of_inputs() -> None:
    assert places().parameter_names("Norm") == ["x", "weight", "eps", "*rest"]
    assert places().parameter_names("Other") == []


def test_the_headings() -> None:
    assert source_at(places().class_place("Norm")) == "class Norm"
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
    found = locate(program)
    assert found
    assert found.parameter_names("F") == ["x", "n"]
    assert found.saving_place("F", "x") == Place(9, 8, 9, 32)
    assert found.saving_place("F", "ctx.n") == Place(8, 8, 8, 25)


KEEPING = """import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.gate = torch.sigmoid(x)
        return x * 2
    @staticmethod
    def backward(ctx, g):
        flat = g.view(-1)
        return flat * ctx.gate * (1 - ctx.gate)
"""


def test_what_turns_an_attribute_into_a_saved_tensor() -> None:
    found = locate(KEEPING)
    assert found
    assert found.attribute_places("F", "ctx.gate") == {
        "statement": Place(5, 8, 5, 35),
        "value": Place(5, 19, 5, 35),
        "uses_1": Place(10, 22, 10, 30),
        "uses_2": Place(10, 38, 10, 46),
    }
    assert found.attribute_places("F", "ctx.other") == {}


def test_a_second_call_of_save_for_backward_is_not_proposed() -> None:
    found = locate(KEEPING.replace("return x * 2", "ctx.save_for_backward(x)"))
    assert found
    assert found.attribute_places("F", "ctx.gate") == {}


def test_the_view_of_an_incoming_gradient() -> None:
    found = locate(KEEPING)
    assert found
    assert (found.view_place("F"), found.view_place("G")) == (Place(9, 17, 9, 21), None)


def test_no_valid_program_has_no_places() -> None:
    assert locate("class") is None
