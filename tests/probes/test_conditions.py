"""Each probe finds a Function that breaks its condition, and accepts one that only looks as if it did."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from tests.probes.programs import codes, examined, leaf


def function_of(forward: Any, backward: Any, name: str = "Made") -> type[Function]:
    """Return a Function with these methods."""
    return type(name, (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


def square(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.save_for_backward(x)
    return x**2


def of_square(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return 2 * ctx.saved_tensors[0] * grad


def doubled_in_place(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    grad *= 2
    return ctx.saved_tensors[0] * grad


def doubled_copy(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    grad = grad.clone()
    grad *= 2
    return ctx.saved_tensors[0] * grad


def test_a_changed_grad_output() -> None:
    assert codes(function_of(square, doubled_in_place), leaf(2, 3)) == {"grad-output-mutated"}
    assert not codes(function_of(square, doubled_copy), leaf(2, 3))


def saved_in_place(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    (x,) = ctx.saved_tensors
    return x.mul_(2) * grad


def test_a_changed_saved_tensor() -> None:
    assert "saved-tensor-mutated" in codes(function_of(square, saved_in_place), leaf(3))


def cached(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.save_for_backward(x)
    ctx.cache = torch.zeros_like(x)
    return x**2


def fills_cache(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    ctx.cache.copy_(2 * ctx.saved_tensors[0].detach())
    return ctx.cache.clone() * grad


def test_a_buffer_of_its_own_may_be_filled() -> None:
    assert "saved-tensor-mutated" not in codes(function_of(cached, once_differentiable(fills_cache)), leaf(3))


def in_place(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.save_for_backward(x)
    x.mul_(2)
    return x + 1


def marked(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.mark_dirty(x)
    return x.mul_(2)


def through_numpy(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    array = x.detach().numpy()
    np.multiply(array, 2, out=array)
    return torch.from_numpy(array.copy())


def through_data(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    x.data.mul_(2)
    return x.clone()


def twice(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return 2 * grad


@pytest.mark.parametrize(
    ("forward", "code"), [(in_place, "missing-mark-dirty"), (through_numpy, "numpy-in-place"), (through_data, "data-mutated")]
)
def test_an_input_that_is_changed_in_place(forward: Any, code: str) -> None:
    found = examined(function_of(forward, twice), leaf(3))

    assert [each.code for each in found.observations] == [code]
    assert found.observations[0].values["input"] == "x"
    assert "unchanged" not in found.held


def test_a_marked_input_may_be_changed() -> None:
    assert not codes(function_of(marked, twice), leaf(3))


def running(ctx: Any, x: torch.Tensor, mean: torch.Tensor) -> torch.Tensor:
    mean.mul_(0.9).add_(0.1 * x.detach().mean(0))
    return 2 * x


def test_running_statistics_may_be_updated() -> None:
    assert not codes(function_of(running, lambda ctx, grad: (2 * grad, None)), leaf(4, 3), torch.zeros(3, dtype=torch.float64))


def test_gradients_that_are_not_linear() -> None:
    assert codes(function_of(square, lambda ctx, grad: 2 * ctx.saved_tensors[0] * grad.abs()), leaf(3)) == {"nonlinear-in-grad-output"}
    assert codes(function_of(square, lambda ctx, grad: 2 * ctx.saved_tensors[0] * grad.clamp(-50, 50)), leaf(3)) == {
        "nonlinear-in-grad-output"
    }


def test_gradients_that_ignore_what_comes_in() -> None:
    assert codes(function_of(square, lambda ctx, grad: 2 * ctx.saved_tensors[0]), leaf(3)) == {"ignores-grad-output"}


def raw(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    flat = torch.as_strided(grad, (grad.numel(),), (1,))
    return 2 * ctx.saved_tensors[0] * flat.reshape(grad.shape)


def viewed(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return 2 * ctx.saved_tensors[0] * grad.view(-1).view(grad.shape)


def reshaped(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return 2 * ctx.saved_tensors[0] * grad.reshape(-1).reshape(grad.shape)


def test_strides_that_are_assumed() -> None:
    assert codes(function_of(square, viewed), leaf(2, 3)) == {"assumes-contiguous"}
    assert "assumes-contiguous" in codes(function_of(square, raw), leaf(2, 3))
    assert not codes(function_of(square, reshaped), leaf(2, 3))


def test_a_gradient_of_less_precision() -> None:
    single = function_of(square, lambda ctx, grad: (2 * ctx.saved_tensors[0] * grad).float())
    (found,) = [each for each in examined(single, leaf(3)).observations if each.code == "wrong-dtype"]

    assert (found.values["dtype"], found.values["other_dtype"]) == ("float64", "float32")
    assert "wrong-dtype" not in codes(single, leaf(3, dtype=torch.float32))


GAIN = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
WINDOW = torch.tensor(1.5, dtype=torch.float64)


def test_a_tensor_from_outside() -> None:
    learnt = function_of(lambda ctx, x: GAIN * x, lambda ctx, grad: GAIN.detach() * grad)
    (found,) = examined(learnt, leaf(3)).observations

    assert (found.code, found.values["name"]) == ("closure-tensor", "GAIN")
    assert not codes(function_of(lambda ctx, x: WINDOW * x, lambda ctx, grad: WINDOW * grad), leaf(3))


class OwnBackward(Function):
    """Accumulates the gradient of the module's parameters itself, as reentrant checkpoints do."""

    @staticmethod
    def forward(ctx: Any, module: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.module = module
        ctx.save_for_backward(x)
        with torch.no_grad():
            return module(x)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            ctx.module(x).backward(grad)
        return None, x.grad


def test_parameters_of_a_checkpoint_are_not_forgotten_and_their_gradients_stay() -> None:
    module = torch.nn.Linear(3, 2)
    module.weight.grad = torch.ones(2, 3)

    assert "closure-tensor" not in codes(OwnBackward, module, leaf(4, 3, dtype=torch.float32))
    assert torch.equal(module.weight.grad, torch.ones(2, 3))
    assert module.bias.grad is None
    assert module.weight.dtype is torch.float32


def scaled(ctx: Any, x: torch.Tensor, scale: float = 1.0, flip: bool = False) -> torch.Tensor:
    ctx.scale, ctx.flip = scale, flip
    return -scale * x if flip else scale * x


def test_an_option_that_backward_ignores() -> None:
    found = examined(function_of(scaled, lambda ctx, grad: (ctx.scale * grad, None, None)), leaf(3), 1.0, False)

    assert [(each.code, each.values["option"]) for each in found.observations] == [("option-ignored-in-backward", "flip")]
    assert "options" not in found.held
    right = function_of(scaled, lambda ctx, grad: (-ctx.scale * grad if ctx.flip else ctx.scale * grad, None, None))
    assert not codes(right, leaf(3), 1.0, False)


def test_an_option_that_was_left_out() -> None:
    assert codes(function_of(scaled, lambda ctx, grad: (grad, None, None)), leaf(3)) == {"option-ignored-in-backward"}


def two(ctx: Any, x: torch.Tensor) -> Any:
    ctx.set_materialize_grads(False)
    return 2 * x, 3 * x


def test_a_gradient_that_is_undefined() -> None:
    assert codes(function_of(two, lambda ctx, a, b: 2 * a + 3 * b), leaf(3)) == {"undefined-gradient"}
    assert not codes(function_of(two, lambda ctx, a, b: (0 if a is None else 2 * a) + (0 if b is None else 3 * b)), leaf(3))


def test_a_backward_that_draws_anew() -> None:
    assert codes(function_of(square, lambda ctx, grad: 2 * ctx.saved_tensors[0] * grad * torch.rand_like(grad)), leaf(3)) == {
        "not-deterministic"
    }


def keeps_exponential(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    grown = x.exp()
    ctx.save_for_backward(grown)
    return grown - 1


def returns_exponential(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    grown = x.exp()
    ctx.save_for_backward(grown)
    return grown


def of_exponential(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return grad * ctx.saved_tensors[0]


def test_a_saved_intermediate_ends_the_second_order() -> None:
    (found,) = examined(function_of(keeps_exponential, of_exponential), leaf(3)).observations

    assert (found.code, found.values["input"], found.values["got"]) == ("intermediate-saved", "x", 0.0)
    assert not codes(function_of(returns_exponential, of_exponential), leaf(3))
    assert not codes(function_of(keeps_exponential, once_differentiable(of_exponential)), leaf(3))


def saves_detached(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.save_for_backward(x.detach())
    return x**2


def test_what_is_detached_ends_the_second_order() -> None:
    assert codes(function_of(saves_detached, of_square), leaf(3)) == {"detached-saved"}
    assert codes(function_of(square, lambda ctx, grad: 2 * ctx.saved_tensors[0].detach() * grad), leaf(3)) == {"detached-backward"}
    assert not codes(function_of(square, of_square), leaf(3))


def saves_detached_and_sparse(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.other = torch.eye(3).to_sparse()  # has no address, by which the tensors on ctx are compared
    return saves_detached(ctx, x)


def test_without_a_cause_the_second_order_is_not_judged() -> None:
    found = examined(function_of(saves_detached_and_sparse, of_square), leaf(3))

    assert found.observations == []
    assert any(each.startswith("second: ") for each in found.not_judged)


def root(ctx: Any, x: torch.Tensor, alpha: float) -> torch.Tensor:
    ctx.save_for_backward(x)
    ctx.alpha = alpha
    return x.abs() ** (alpha if alpha > 1 else 7.0)


def of_root(ctx: Any, grad: torch.Tensor) -> Any:
    (x,) = ctx.saved_tensors
    return grad * ctx.alpha * x.abs() ** (ctx.alpha - 1) * x.sign(), None


def test_a_value_outside_of_what_an_option_may_be_is_not_held_against_it() -> None:
    assert not codes(function_of(root, of_root), leaf(3), 1.2)


class Recompute(Function):
    """Gets a module and its parameters."""

    @staticmethod
    def forward(ctx: Any, module: Any, x: torch.Tensor, *parameters: torch.Tensor) -> torch.Tensor:
        ctx.module, ctx.inputs = module, (x, *parameters)
        with torch.no_grad():
            return module(x)  # type: ignore[no-any-return]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x = ctx.inputs[0].detach().requires_grad_()
        with torch.enable_grad():
            output = ctx.module(x)
        return None, *torch.autograd.grad(output, [x, *ctx.module.parameters()], grad)


def test_parameters_that_are_passed_beside_their_module() -> None:
    module = torch.nn.Linear(3, 2)

    assert not codes(Recompute, module, leaf(4, 3, dtype=torch.float32), *module.parameters())


def shifted(ctx: Any, x: torch.Tensor, flip: bool) -> torch.Tensor:
    ctx.save_for_backward(x)
    return x.flip(0).cumsum(0).flip(0) if flip else x.cumsum(0)


def of_shifted(ctx: Any, grad: torch.Tensor) -> Any:
    return grad.flip(0).cumsum(0).flip(0), None


def test_an_option_that_backward_ignores_at_the_value_given() -> None:
    (found,) = examined(function_of(shifted, of_shifted), leaf(3), True).observations

    assert (found.code, found.values["option"]) == ("option-ignored-in-backward", "flip")
