"""First-order gradients: wrong ones are seen, right ones hold, intended ones are hints."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from tests.probes.programs import codes, examined, leaf


class Product(Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        a, b = ctx.saved_tensors
        return grad * b, grad * a


class SwappedProduct(Product):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        a, b = ctx.saved_tensors
        return grad * a, grad * b


def test_all_hold_of_a_right_function() -> None:
    found = examined(Product, leaf(3), leaf(3, seed=1))

    assert found.observations == []
    assert found.held == ["gradient", "second", "linear", "layout", "unchanged", "types", "inputs", "repeatable"]
    assert found.not_judged == ["options: not tried"]


def test_wrong_gradients_are_observed_with_the_entry_that_shows_them() -> None:
    a, b = leaf(3), leaf(3, seed=1)

    found = examined(SwappedProduct, a, b)

    assert {each.values["input"] for each in found.observations} == {"a", "b"}
    values = next(each.values for each in found.observations if each.values["input"] == "a")
    assert isinstance(values["index"], list)
    (entry,) = values["index"]
    assert values["expected"] == pytest.approx(b[entry].item())
    assert values["got"] == pytest.approx(a[entry].item())
    assert "gradient" not in found.held


class CutNorm(Function):
    """The shadow is cut at float(), and agrees with the wrong gradient."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.norm = float(x.norm())
        return x / ctx.norm

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad / ctx.norm


class RightNorm(CutNorm):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x / float(x.norm())

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        norm = x.norm()
        return grad / norm - x * (grad * x).sum() / norm**3


def test_a_shadow_that_was_cut_is_not_believed() -> None:
    assert codes(CutNorm, leaf(4))
    assert not codes(RightNorm, leaf(4))


class Relu(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return grad * (x > 0)


class UnmaskedRelu(Relu):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad


def test_an_entry_at_a_kink_is_not_judged() -> None:
    assert not codes(Relu, torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True))


def test_a_forgotten_mask_is_no_straight_through_estimator() -> None:
    assert "surrogate-gradient" not in codes(UnmaskedRelu, leaf(8))
    assert codes(UnmaskedRelu, leaf(8))


class AbsSquared(Function):
    @staticmethod
    def forward(ctx: Any, z: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(z)
        return z * z

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (z,) = ctx.saved_tensors
        return 2 * z.conj() * grad


class WithoutConjugate(AbsSquared):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (z,) = ctx.saved_tensors
        return 2 * z * grad


def test_complex_gradients_follow_the_convention_of_pytorch() -> None:
    z = leaf(3, dtype=torch.complex128)

    assert not codes(AbsSquared, z)
    assert codes(WithoutConjugate, z)


class Tiny(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return 1e-7 * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return -1e-7 * grad


def test_a_gradient_too_small_for_gradcheck_is_compared_with_itself() -> None:
    assert torch.autograd.gradcheck(Tiny.apply, (leaf(2),))
    assert codes(Tiny, leaf(2)) == {"below-tolerance"}


class Dropped(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, p: float) -> torch.Tensor:
        mask = torch.rand_like(x) > p
        ctx.save_for_backward(mask)
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (mask,) = ctx.saved_tensors
        return grad * mask / (1 - 0.5), None


def test_a_random_forward_draws_the_same_each_time() -> None:
    assert not {each for each in codes(Dropped, leaf(10), 0.5) if each != "option-ignored-in-backward"}
    assert "option-ignored-in-backward" in codes(Dropped, leaf(10), 0.5)
    assert codes(Dropped, leaf(10), 0.3)


def test_single_precision_is_examined_in_double() -> None:
    assert not codes(Product, leaf(3, dtype=torch.float32), leaf(3, dtype=torch.float32, seed=1))
    assert codes(SwappedProduct, leaf(3, dtype=torch.float32), leaf(3, dtype=torch.float32, seed=1))


class Large(Function):
    """Has more entries than are compared one by one, and no shadow."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return torch.from_numpy(x.detach().numpy() ** 2)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad * ctx.saved_tensors[0] * 2


class WrongLarge(Large):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad * ctx.saved_tensors[0]


def test_a_large_input_is_sampled_where_there_is_no_shadow() -> None:
    assert "gradient" in examined(Large, leaf(30, 10)).held
    assert codes(WrongLarge, leaf(30, 10))


class NoPartForOthers(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, w = ctx.saved_tensors
        return grad * w, grad * x if ctx.needs_input_grad[0] else None


def test_the_flag_of_another_input_is_read() -> None:
    frozen = leaf(3).detach()

    assert codes(NoPartForOthers, frozen, leaf(3, seed=1)) == {"needs-input-grad-ignored"}
    assert codes(NoPartForOthers, leaf(3), leaf(3, seed=1)) == {"needs-input-grad-ignored"}
    assert not codes(NoPartForOthers, leaf(3), frozen)


class TwoOutputs(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> Any:
        ctx.save_for_backward(x)
        return x.sin(), x**2

    @staticmethod
    def backward(ctx: Any, of_sine: torch.Tensor, of_square: torch.Tensor) -> Any:
        return of_sine * ctx.saved_tensors[0].cos()


def test_an_output_whose_gradient_is_ignored() -> None:
    found = examined(TwoOutputs, leaf(3)).observations

    assert [(each.code, each.values["output"]) for each in found] == [("auxiliary-output-unmarked", 1)]


class TwoOfTwo(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> Any:
        ctx.save_for_backward(x, y)
        return x + y, x * y

    @staticmethod
    def backward(ctx: Any, of_sum: torch.Tensor, of_product: torch.Tensor) -> Any:
        return of_sum, of_sum


def test_an_ignored_output_is_told_once() -> None:
    assert [each.code for each in examined(TwoOfTwo, leaf(3), leaf(3, seed=1)).observations] == ["auxiliary-output-unmarked"]


class SummedShape(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        return (x * w).sum(0)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, w = ctx.saved_tensors
        return (grad * w).expand_as(x), (grad * x.sum(0)).expand_as(x)


class RightSummedShape(SummedShape):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, w = ctx.saved_tensors
        return (grad * w).expand_as(x), grad * x


def test_a_shape_that_autograd_sums_is_wrong_only_if_the_sum_is() -> None:
    (found,) = examined(SummedShape, leaf(4, 3), leaf(3, seed=1)).observations

    assert (found.code, found.values["shape"], found.values["other_shape"]) == ("wrong-shape", [3], [4, 3])
    assert not codes(RightSummedShape, leaf(4, 3), leaf(3, seed=1))


class Pass(Function):
    """Changes the gradient only."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, change: Any) -> torch.Tensor:
        ctx.change = change
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return ctx.change(grad), None


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("reversed-gradient", lambda grad: -0.3 * grad),
        ("scaled-gradient", lambda grad: 0.3 * grad),
        ("stopped-gradient", lambda grad: torch.zeros_like(grad)),
        ("clipped-gradient", lambda grad: grad.clamp(-1, 1)),
        ("clipped-gradient", lambda grad: grad.clamp(-20, 20)),
        ("clipped-gradient", lambda grad: grad / grad.norm()),
        ("surrogate-gradient", lambda grad: grad + 0.1),
    ],
)
def test_a_changed_gradient_of_an_identity_is_a_hint(code: str, change: Any) -> None:
    assert codes(Pass, leaf(4), change) == {code}


class Round(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, change: Any) -> torch.Tensor:
        ctx.change = change
        return x.round()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return ctx.change(grad), None


class Clamp(Round):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, change: Any) -> torch.Tensor:
        ctx.change = change
        return x.clamp(-0.5, 0.5)


@pytest.mark.parametrize("function", [Round, Clamp])
def test_a_straight_through_estimator_is_a_hint(function: type[Function]) -> None:
    assert codes(function, leaf(6), lambda grad: grad) == {"surrogate-gradient"}


def test_no_gradient_of_a_step_is_right() -> None:
    assert "gradient" in examined(Round, leaf(6), torch.zeros_like).held
    assert not codes(Round, leaf(6), torch.zeros_like)


class InSingle(Function):
    """Computes in single precision whatever it gets, so differences of its values are noise."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        single = x.float()
        ctx.save_for_backward(single)
        return (single**3).sin().to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return ((x**3).cos() * 3 * x**2).to(grad.dtype) * grad


class InSingleByNumpy(InSingle):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        single = x.float()
        ctx.save_for_backward(single)
        return torch.from_numpy(np.sin(single.detach().numpy() ** 3)).to(x.dtype)


@pytest.mark.parametrize("function", [InSingle, InSingleByNumpy])
@pytest.mark.parametrize("seed", range(12))
def test_noise_is_no_reference(function: type[Function], seed: int) -> None:
    assert not codes(function, leaf(20, seed=seed))


class HalfWay(Function):
    """Ends an iteration early, with the gradient of its limit."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, steps: int) -> torch.Tensor:
        root = torch.ones_like(x)
        for _ in range(steps):
            root = 0.5 * (root + x / root)
        ctx.save_for_backward(root)
        return root

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad / (2 * ctx.saved_tensors[0]), None


def test_an_iteration_that_ends_early_is_no_ignored_option() -> None:
    x = torch.tensor([0.5, 1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)

    assert not codes(HalfWay, x, 5)


class Eigenvalues(Function):
    """The eigenvalues of a symmetric matrix. forward reads only the lower triangle."""

    @staticmethod
    def forward(ctx: Any, matrix: torch.Tensor) -> torch.Tensor:
        values, vectors = torch.linalg.eigh(matrix)
        ctx.save_for_backward(vectors)
        return values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (vectors,) = ctx.saved_tensors
        return vectors @ torch.diag(grad) @ vectors.T


class WrongEigenvalues(Eigenvalues):
    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (vectors,) = ctx.saved_tensors
        return vectors.T @ torch.diag(grad) @ vectors


def test_a_symmetric_input_may_have_a_symmetric_gradient() -> None:
    matrix = leaf(4, 4).detach()
    matrix = (matrix + matrix.T).requires_grad_()

    assert not codes(Eigenvalues, matrix)
    assert codes(WrongEigenvalues, matrix)


class Stopped(Function):
    """Says that the norm is meant to be constant."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        norm = x.detach().norm()
        ctx.save_for_backward(norm)
        return x / norm

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (norm,) = ctx.saved_tensors
        return grad / norm


class StoppedAndWrong(Stopped):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (norm,) = ctx.saved_tensors
        return grad * norm


def test_what_forward_detaches_is_constant_on_purpose() -> None:
    assert codes(Stopped, leaf(4)) == {"stopped-gradient"}
    assert codes(StoppedAndWrong, leaf(4)) - {"stopped-gradient"}


def test_steps_of_which_one_is_near_are_no_noise() -> None:
    x = torch.tensor([-0.5, 0.2, 0.5, 1.3], dtype=torch.float64, requires_grad=True)

    assert codes(Round, x, lambda grad: grad) == {"surrogate-gradient"}
