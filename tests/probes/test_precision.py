"""Real Functions that look as if they had a mistake and have none, and such in which something hides a mistake."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import Function

from app.probes.causes.size_limit import OutsizedTensor, SizeLimit
from tests.probes.programs import codes, examined, leaf

pytestmark = pytest.mark.usefixtures("_seeded")


@pytest.fixture
def _seeded() -> None:
    torch.manual_seed(0)


def made(forward: Any, backward: Any) -> type[Function]:
    return type("Made", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


def test_indices_outside_of_a_sparse_tensor_do_not_end_the_process() -> None:
    def forward(ctx: Any, index: torch.Tensor, values: torch.Tensor, size: int) -> torch.Tensor:
        ctx.index = index
        return torch.sparse_coo_tensor(index, values, (size, size)).to_dense()

    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return None, grad[ctx.index[0], ctx.index[1]], None

    index = torch.tensor([[0, 4, 2], [4, 1, 4]])

    assert codes(made(forward, backward), index, leaf(3), 5) == set()
    assert not torch._C._check_sparse_tensor_invariants()


def test_a_leaf_that_forward_makes_is_not_from_outside() -> None:
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return 3 * x + torch.zeros(4, requires_grad=True)

    assert codes(made(forward, lambda ctx, grad: 3 * grad), leaf(4)) == set()


def test_an_argument_that_does_not_fit_to_another_option_is_no_ignored_option() -> None:
    def forward(ctx: Any, x: torch.Tensor, order: torch.Tensor, back: torch.Tensor, dim: int) -> torch.Tensor:
        ctx.back, ctx.dim = back, dim
        return x.gather(dim, order)

    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad.gather(ctx.dim, ctx.back), None, None, None

    x = leaf(3, 3)
    order = x.detach().argsort(1)
    assert codes(made(forward, backward), x, order, order.argsort(1), 1) == set()


def test_the_gradient_of_a_sampler_is_not_judged() -> None:
    def forward(ctx: Any, shape: torch.Tensor) -> Any:
        ctx.shape, ctx.drawn = shape, torch._standard_gamma(shape)
        return ctx.drawn

    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad * torch._standard_gamma_grad(ctx.shape, ctx.drawn)

    assert codes(made(forward, backward), (torch.rand(5) + 0.3).requires_grad_()) == set()


def inverse_root(ctx: Any, x: torch.Tensor) -> Any:
    values, vectors = np.linalg.eigh(x.detach().numpy())
    ctx.root, ctx.vectors = torch.from_numpy(values).sqrt(), torch.from_numpy(vectors)
    return (ctx.vectors / ctx.root) @ ctx.vectors.T


def of_inverse_root(ctx: Any, grad: torch.Tensor, factor: float = -1) -> Any:
    root, vectors = ctx.root, ctx.vectors
    pairs = root[:, None] * root * (root[:, None] + root)
    return vectors @ (factor * (vectors.T @ grad @ vectors) / pairs) @ vectors.T


def test_a_triangle_that_is_read_for_a_symmetric_matrix() -> None:
    factor = torch.randn(12, 4)
    x = (factor.T @ factor).requires_grad_()

    assert codes(made(inverse_root, of_inverse_root), x) == set()
    assert codes(made(inverse_root, lambda ctx, grad: of_inverse_root(ctx, grad, -2)), x)


def test_a_gradient_of_an_input_that_is_not_used_is_a_hint() -> None:
    def forward(ctx: Any, x: torch.Tensor, penalty: torch.Tensor) -> torch.Tensor:
        return x * 2

    right = made(forward, lambda ctx, grad: (2 * grad, torch.ones((), dtype=grad.dtype)))
    swapped = made(forward, lambda ctx, grad: (grad * 3, torch.ones((), dtype=grad.dtype)))

    penalty = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)

    assert codes(right, leaf(3), penalty) == {"gradient-of-unused"}
    assert codes(swapped, leaf(3), penalty) - {"gradient-of-unused"}


def quantised(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    scale = x.abs().max() / 15
    return torch.round(x / scale) * scale


def test_a_quantiser_with_a_scale_is_a_hint() -> None:
    assert codes(made(quantised, lambda ctx, grad: grad.clone()), leaf(4, 5)) == {"surrogate-gradient"}
    assert codes(made(quantised, lambda ctx, grad: 2 * grad), leaf(4, 5)) - {"surrogate-gradient"}


def test_a_clipped_gradient_of_a_step_is_a_hint() -> None:
    step = made(lambda ctx, x: (x >= 0).float(), lambda ctx, grad: grad.clamp(-0.5, 0.5))
    smooth = made(lambda ctx, x: 2 * x, lambda ctx, grad: 2 * grad.clamp(-0.5, 0.5))

    assert codes(step, leaf(3, 4, dtype=torch.float32)) == {"clipped-gradient"}
    assert "nonlinear-in-grad-output" in codes(smooth, leaf(3, 4, dtype=torch.float32))


def test_a_product_with_ones_is_no_identity() -> None:
    product = made(lambda ctx, a, b: a * b, lambda ctx, grad: (4 * grad, 5 * grad))
    a, b = torch.ones(2, 2).requires_grad_(), torch.full((2, 2), 3.0).requires_grad_()

    found = examined(product, a, b).observations

    assert found
    assert all(each.code not in {"scaled-gradient", "surrogate-gradient"} for each in found)


def test_a_saved_tensor_that_is_changed_in_single_precision_only() -> None:
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(weight)
        return x * weight

    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        weight = ctx.saved_tensors[0].float()
        weight.neg_()
        return -grad * weight, None

    assert codes(made(forward, backward), leaf(3, dtype=torch.float32), torch.randn(3)) == {"saved-tensor-mutated"}


def of_angle(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return torch.stack([-grad[..., 0], torch.zeros_like(grad[..., 0])], -1)


def test_a_motion_on_a_group_is_not_judged() -> None:
    function = made(lambda ctx, z: torch.stack([z[..., 0], -z[..., 1]], -1), of_angle)
    angles = torch.randn(3)

    assert codes(function, torch.stack([angles.cos(), angles.sin()], -1).requires_grad_()) == set()
    assert codes(function, leaf(3, 2))


def test_no_gradient_at_all_is_no_motion_on_a_group() -> None:
    angles = torch.randn(3)
    function = made(lambda ctx, z: 2 * z, lambda ctx, grad: torch.zeros_like(grad))

    assert codes(function, torch.stack([angles.cos(), angles.sin()], -1).requires_grad_())


def test_a_changed_program_that_asks_for_much_more_memory_is_stopped() -> None:
    with SizeLimit([torch.zeros(10)]), pytest.raises(OutsizedTensor):
        torch.zeros((1000,) * 4)
    with SizeLimit([torch.zeros(10)]), pytest.raises(OutsizedTensor):
        torch.ones(10).repeat(10_000, 10_000)
    with SizeLimit([torch.zeros(10)]):
        assert torch.zeros(3, 5).numel() == 15
        assert torch.full((2,), 1e30).numel() == 2
        assert torch.arange(0, 1000).numel() == 1000
