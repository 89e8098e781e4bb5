"""Each saved tensor is reported once, and no hook is called for that."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.utils.checkpoint import checkpoint

from app.runtimes.torch.calls.saved_tensors import saved_by

ROW = torch.ones(128, dtype=torch.float64)
_called: list[int] = []


def layers(h: torch.Tensor) -> torch.Tensor:
    _called.append(1)
    for _ in range(8):
        h = torch.sin(h)
    return h


def in_parts(h: torch.Tensor) -> torch.Tensor:
    for _ in range(4):
        h = checkpoint(layers, h, use_reentrant=False)
    return h


def whole(h: torch.Tensor) -> torch.Tensor:
    for _ in range(80):
        h = torch.sin(h)
    return h


def elsewhere(h: torch.Tensor) -> torch.Tensor:
    with torch.autograd.graph.save_on_cpu():
        return torch.sin(torch.sin(h))


def nested(h: torch.Tensor) -> torch.Tensor:
    for _ in range(4):
        h = checkpoint(in_parts, h, use_reentrant=False)
    return h


class OnCtx(torch.autograd.Function):
    """Saves a tuple of tensors as an attribute."""

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor) -> torch.Tensor:
        ctx.ends = h + 1, h + 2
        return h.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad


def on_ctx(h: torch.Tensor) -> torch.Tensor:
    return OnCtx.apply(h)  # type: ignore[no-any-return, no-untyped-call]


@pytest.mark.parametrize(("function", "count"), [(in_parts, 4), (nested, 4), (whole, 80), (elsewhere, 2), (on_ctx, 2)])
def test_each_tensor_that_is_kept_is_told_of_once(function: Callable[[torch.Tensor], torch.Tensor], count: int) -> None:
    output = function(ROW.clone().requires_grad_())
    called = len(_called)
    saved = saved_by([output])
    assert [one.bytes for one in saved] == count * [1024]
    assert len(_called) == called, "a checkpoint was computed again"
