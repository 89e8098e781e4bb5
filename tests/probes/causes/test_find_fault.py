"""The cause and the line of a wrong gradient."""

import inspect
import linecache
from typing import Any

import pytest
import torch
from torch.autograd import Function

from app.probes.calls.copies import has_gradient
from app.probes.calls.prepared_call import ApplyCall
from app.probes.causes.changed_tensors import find_changed_tensor
from app.probes.causes.find_fault import find_fault, find_faults
from app.probes.causes.sources import find_parts
from app.probes.causes.tree_facts import loop_statements
from app.probes.causes.trials import GradientTrial, Replay
from app.probes.causes.twin import Twin
from app.probes.conditions.types import find_lower_precision
from tests.doctor.causes_table import Row, ShadowReference, find_wrong
from tests.probes.causes.faulty_functions import CASES, Angle, GatherRows, Hypot, LinearLayer, MeanSquare, leaf
from tests.probes.causes.own_table import row_of_class

# What is wrong with them has more than one name.
NAMED_OTHERWISE = {"Normalise": "wrong-gradient", "Outer": "wrong-gradient"}
X = torch.linspace(0.5, 2.0, 6, dtype=torch.float64).reshape(2, 3)


def read(name: str) -> str | None:
    return "".join(linecache.getlines(name)) if "/tests/" in name else None


def line_of(function: type[Function], text: str) -> int:
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, line in enumerate(lines) if text in line)


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_cause_and_line_are_found(function: type[Function]) -> None:
    row: Row = row_of_class(function)

    assert row.found is not None and row.found.place is not None
    assert row.found.place.line == row.line
    assert row.found.code == NAMED_OTHERWISE.get(row.name, row.fault)


def test_values_show_the_entry_and_the_factor() -> None:
    call = ApplyCall(MeanSquare, CASES[MeanSquare])
    wrong = find_wrong(call, read)[0]
    found = find_fault(call, wrong, ShadowReference(MeanSquare), read, 5.0)

    assert found is not None
    assert found.values["function"] == "MeanSquare"
    assert found.values["input"] == "prediction"
    assert found.values["factor"] == pytest.approx(3.0)
    assert found.values["index"] == wrong.worst.index
    assert found.values["got"] == pytest.approx(3 * float(str(found.values["expected"])))


def test_swapped_gradients_name_the_other_input_and_are_found_once() -> None:
    call = ApplyCall(Hypot, CASES[Hypot])
    found = find_faults(call, find_wrong(call, read), ShadowReference(Hypot), read, 5.0)

    assert [(each.code, each.values["input"], each.values["other"]) for each in found] == [("gradients-swapped", "x", "y")]


class Halves(Function):
    """backward exchanges two halves, which are parts of one gradient and not the gradients of two inputs."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        return torch.cat((x.exp(), x.sin())) * w

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        x, w = ctx.saved_tensors
        grad_exp, grad_sin = (g * w).chunk(2)
        parts = (grad_sin, grad_exp)
        return parts[0] * x.exp() + parts[1] * x.cos(), (g * torch.cat((x.exp(), x.sin())))


def test_parts_in_the_wrong_order_are_no_swapped_gradients() -> None:
    call = ApplyCall(Halves, (leaf(3), leaf(6)))
    found = find_fault(call, find_wrong(call, read)[0], ShadowReference(Halves), read, 5.0)

    assert found is not None and found.place is not None
    assert found.code == "wrong-gradient" and "other" not in found.values
    assert found.place.line in (line_of(Halves, "parts = ("), line_of(Halves, "grad_exp, grad_sin ="))


class Cast(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        square = (x * x).float()
        return g * 3 * square


def test_a_cast_is_told_with_both_dtypes() -> None:
    call = ApplyCall(Cast, ((X / 3).requires_grad_(),))
    found = find_fault(call, find_wrong(call, read)[0], ShadowReference(Cast), read, 5.0)

    assert found is not None and found.place is not None
    assert (found.code, found.place.line) == ("wrong-dtype", line_of(Cast, "square ="))
    assert (found.values["dtype"], found.values["other_dtype"]) == ("float64", "float32")


def test_without_a_source_the_cause_is_found_and_no_place() -> None:
    call = ApplyCall(MeanSquare, CASES[MeanSquare])
    wrong = find_wrong(call, read)[0]
    found = find_fault(call, wrong, ShadowReference(MeanSquare), lambda _: None, 5.0)

    assert found is not None
    assert (found.code, found.place) == ("wrong-factor", None)


def test_nothing_stays_changed() -> None:
    function = LinearLayer
    call = ApplyCall(function, CASES[function])
    wrong = find_wrong(call, read)[0]
    members, names = dict(vars(function)), dict(function.backward.__globals__)
    values = [each.detach().clone() for each in call.arguments]
    torch.manual_seed(3)
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()

    found = find_fault(call, wrong, ShadowReference(function), read, 5.0)

    assert found is not None and found.code == "missing-sum"
    assert dict(vars(function)) == members
    assert all(function.backward.__globals__[name] is value for name, value in names.items())
    assert function.backward.__globals__.keys() == names.keys()
    assert torch.get_default_dtype() is torch.float32 and torch.get_num_threads() == threads and torch.is_grad_enabled()
    assert torch.equal(torch.random.get_rng_state(), state)
    assert all(torch.equal(each, was) for each, was in zip(call.arguments, values, strict=True))


class Talkative(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        print("backward")
        (x,) = ctx.saved_tensors
        steps = 3
        while steps > 1:
            steps = steps - 1
        return g * x * steps


def test_what_the_function_prints_is_not_shown_and_its_loop_ends(capsys: pytest.CaptureFixture[str]) -> None:
    call = ApplyCall(Talkative, (X.clone().requires_grad_(),))
    wrong = find_wrong(call, read)[0]
    capsys.readouterr()

    found = find_fault(call, wrong, ShadowReference(Talkative), read, 5.0)

    assert capsys.readouterr().out == ""
    assert found is not None and found.place is not None
    assert (found.code, found.place.line) == ("wrong-factor", line_of(Talkative, "return g * x * steps"))


def test_statements_on_which_a_while_depends_are_left_as_they_are() -> None:
    tree = find_parts(Talkative, read)[0].tree
    texts = {inspect.cleandoc(str(type(node).__name__)) for node in tree.body if id(node) in loop_statements(tree)}

    assert texts == {"Assign", "While"}


class Raising(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        assert has_gradient(x)
        return -(g * x.exp())


def test_a_gradient_with_the_wrong_sign_is_found_beside_a_check_that_changes_would_fail() -> None:
    call = ApplyCall(Raising, (X.clone().requires_grad_(),))
    found = find_fault(call, find_wrong(call, read)[0], ShadowReference(Raising), read, 5.0)

    assert found is not None and found.place is not None
    assert (found.code, found.place.line) == ("wrong-sign", line_of(Raising, "return -"))


class Doubling(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def scaled(g: torch.Tensor) -> torch.Tensor:
        g *= 2
        return g

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        return Doubling.scaled(g)


def test_the_statement_that_changes_an_incoming_gradient_is_found_in_a_helper() -> None:
    found = find_changed_tensor(ApplyCall(Doubling, (X.clone().requires_grad_(),)), (torch.ones_like(X),), read)

    assert found is not None and found.place is not None
    assert (found.code, found.values["name"], found.place.line) == ("grad-output-mutated", "g", line_of(Doubling, "g *= 2"))


def test_the_saved_tensor_that_is_changed_is_named() -> None:
    found = find_changed_tensor(ApplyCall(Angle, CASES[Angle]), (torch.ones(5, dtype=torch.float64),), read)

    assert found is not None
    assert (found.code, found.values["name"]) == ("saved-tensor-mutated", "y")


def test_a_backward_that_changes_only_its_own_tensors_is_not_reported() -> None:
    assert find_changed_tensor(ApplyCall(GatherRows, CASES[GatherRows]), (torch.ones(4, 2, dtype=torch.float64),), read) is None


class Rounded(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        slope = x.float().cos()
        return g * slope


def test_the_statement_that_loses_precision_is_found() -> None:
    place = find_lower_precision(ApplyCall(Rounded, (X.clone().requires_grad_(),)), (torch.ones_like(X),), read)

    assert place is not None and place.line == line_of(Rounded, "x.float()")


def test_no_precision_is_lost_in_double() -> None:
    assert find_lower_precision(ApplyCall(Hypot, (leaf(3), leaf(3))), (torch.ones(3, dtype=torch.float64),), read) is None


class Uncopied:
    """Counts the attempts to copy it."""

    def __init__(self) -> None:
        self.attempts = 0

    def __deepcopy__(self, memo: Any) -> Any:
        self.attempts += 1
        raise TypeError


class StoresUncopied(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, uncopied: Uncopied) -> torch.Tensor:
        ctx.uncopied = uncopied
        return 2 * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return 2 * grad, None


def test_a_ctx_that_cannot_be_copied_is_tried_once() -> None:
    uncopied = Uncopied()
    arguments = X.clone().requires_grad_(), uncopied
    replay = Replay(Twin(StoresUncopied, find_parts(StoresUncopied, read)), GradientTrial(arguments, (torch.ones_like(X),), {}))

    replay.backward()

    assert uncopied.attempts == 1
