"""A function of another process behaves like a local one, to any order, and torch's checks give the same verdict."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from app.runtimes.positions import Sources
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.calls.proxy import remote_function
from app.runtimes.torch.calls.remote_graph import Asker, RaisedThere

PROGRAM = """
import torch


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2 + grad_up * up - grad_down * down


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = torch.exp(x), torch.exp(-x)
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * (ctx.up + ctx.down) / 2


class CubeBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, x):
        ctx.save_for_backward(grad_output, x)
        return torch.from_numpy(3 * x.numpy() ** 2 * grad_output.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        grad_output, x = ctx.saved_tensors
        return 3 * x**2 * grad_grad_x, 6 * x * grad_output * grad_grad_x


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return CubeBackward.apply(grad_output, x)


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None, scale=1):
        ctx.save_for_backward(x, weight)
        ctx.has_bias, ctx.scale = bias is not None, scale
        return scale * (x @ weight.t()) + (0 if bias is None else bias)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return ctx.scale * grad @ weight, ctx.scale * grad.t() @ x, grad.sum(0) if ctx.has_bias else None, None


class WrongWeight(Linear):
    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad @ weight, 2 * grad.t() @ x, None, None


class NoneForUndefined(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, one, other):
        return one * 2 + other * 3


class Parts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        positive = x > 0
        ctx.save_for_backward(positive)
        ctx.mark_non_differentiable(positive)
        return x * positive, positive

    @staticmethod
    def backward(ctx, grad, _):
        (positive,) = ctx.saved_tensors
        return grad * positive


class Detached(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x.detach() ** 2 * grad


class Changing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x += 1
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Surplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


def stacked(tensors, factor=1):
    return torch.stack(tensors) * factor
"""


@pytest.fixture(scope="module")
def local() -> dict[str, Any]:
    sources: dict[str, Any] = {"__name__": "__main__"}
    exec(PROGRAM, sources)
    return sources


@pytest.fixture
def remote(local: dict[str, Any]) -> Callable[[str], Callable[..., Any]]:
    server = CallServer(local, Sources())
    return lambda name: remote_function(Asker(server.answer), name)


def drawn(*shapes: tuple[int, ...]) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for shape in shapes)


X, W = drawn((2, 2), (3, 2))
CASES = [
    ("Sinh", (drawn((3,))[0],)),
    ("SinhBad", (drawn((3,))[0],)),
    ("Cube", (drawn((3,))[0],)),
    ("Linear", (X, W)),
    ("Linear", (X, W, drawn((3,))[0], 2)),
    ("Linear", (X.detach(), W, None)),
    ("WrongWeight", (X, W)),
    ("WrongWeight", (X, W.detach())),
    ("NoneForUndefined", (drawn((2,))[0],)),
    ("Parts", (drawn((3,))[0],)),
    ("Detached", (drawn((2,))[0],)),
    ("Surplus", (drawn((2,))[0],)),
]


@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
@pytest.mark.parametrize(("name", "args"), CASES)
def test_torchs_own_checks_come_to_the_same_verdict(
    local: dict[str, Any], remote: Callable[[str], Any], check: Callable[..., bool], name: str, args: tuple[Any, ...]
) -> None:
    assert verdict(check, remote(name), args) == verdict(check, local[name].apply, args)


def verdict(check: Callable[..., bool], function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    torch.manual_seed(3)  # gradgradcheck draws the incoming gradients
    try:
        return str(check(function, args))
    except (RuntimeError, TypeError) as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize("name", ["Sinh", "Cube"])
def test_gradients_of_any_order_are_those_of_the_function(local: dict[str, Any], remote: Callable[[str], Any], name: str) -> None:
    (x,) = drawn((3,))
    assert_same_orders(remote(name), local[name].apply, x)


def assert_same_orders(one: Callable[..., Any], other: Callable[..., Any], x: torch.Tensor) -> None:
    results = []
    for function in (one, other):
        y = function(x)
        results.append([y[0] if isinstance(y, tuple) else y])
        for _ in range(3):
            results[-1].append(torch.autograd.grad(results[-1][-1].sum(), x, create_graph=True)[0])
    for got, expected in zip(*results, strict=True):
        torch.testing.assert_close(got, expected)
        assert got.requires_grad == expected.requires_grad


def test_a_gradient_that_is_cut_off_there_is_cut_off_here(remote: Callable[[str], Any]) -> None:
    (x,) = drawn((3,))
    (gradient,) = torch.autograd.grad(remote("SinhBad")(x).sum(), x, create_graph=True)
    assert not gradient.requires_grad


def test_tensors_in_lists_and_named_arguments_travel(remote: Callable[[str], Any]) -> None:
    one, two = drawn((2,), (2,))
    result = remote("stacked")([one, two.detach()], factor=3)
    (gradient,) = torch.autograd.grad(result.sum(), one)
    torch.testing.assert_close(result, torch.stack([one, two]) * 3)
    assert gradient.tolist() == [3, 3]


def test_an_argument_that_is_changed_there_is_changed_here(remote: Callable[[str], Any]) -> None:
    x = torch.zeros(2)
    remote("Changing")(x)
    assert x.tolist() == [1, 1]


def test_what_is_raised_there_is_raised_here_with_its_line(remote: Callable[[str], Any]) -> None:
    with pytest.raises(RaisedThere, match="incorrect number of gradients"):
        remote("Surplus")(drawn((2,))[0]).sum().backward()
    with pytest.raises(RaisedThere, match="name 'Nothing' is not defined"):
        remote("Nothing")(1)
