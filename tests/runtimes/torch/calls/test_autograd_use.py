"""Everything that computes a gradient while a request is answered is recorded, except what an honest Function does."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
import torch
from torch.autograd import forward_ad

from app.protocol.calls import Used
from app.runtimes.torch.calls.autograd_use import AutogradUse


def made(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    with torch.enable_grad():
        z = x.detach().requires_grad_()
        return z, torch.tanh(z)


def by_grad(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    z, y = made(x)
    return torch.autograd.grad(y, z, g)[0]


def by_backward(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    z, y = made(x)
    y.backward(g)
    assert z.grad is not None
    return z.grad


def by_vjp(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return torch.func.vjp(torch.tanh, x)[1](g)[0]  # type: ignore[no-any-return]


def in_a_thread(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    found: list[torch.Tensor] = []
    thread = Thread(target=lambda: found.append(by_grad(x, g)))
    thread.start()
    thread.join()
    return found[0]


def by_a_node(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    y = made(x)[1]
    assert y.grad_fn is not None
    y.grad_fn(g)
    return g


def by_a_node_in_a_thread(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    thread = Thread(target=by_a_node, args=(x, g))
    thread.start()
    thread.join()
    return g


def by_a_node_unseen(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    profiler = torch.profiler.profile()
    with suppress(RuntimeError):
        profiler.start()
    with suppress(RuntimeError):
        profiler.stop()
    return by_a_node(x, g)


def by_the_operator(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return torch.ops.aten.tanh_backward(g, torch.tanh(x))  # type: ignore[no-any-return]


def by_the_operator_under_a_name(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    with torch.profiler.record_function("aten::tanh"):
        return by_the_operator(x, g)


def by_dual_numbers(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    with forward_ad.dual_level():
        return g * forward_ad.unpack_dual(torch.tanh(forward_ad.make_dual(x, torch.ones_like(x)))).tangent


def by_jvp(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return g * torch.func.jvp(torch.tanh, (x,), (torch.ones_like(x),))[1]  # type: ignore[no-any-return]


def by_formula(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return g * (1 - torch.tanh(x) ** 2)


def by_another_function(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return g * torch.nn.functional.softmax(x, 0) + tanh(by_formula).apply(x)


Way = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def tanh(way: Way) -> type[torch.autograd.Function]:
    class Tanh(torch.autograd.Function):
        @staticmethod
        def forward(ctx: torch.autograd.function.FunctionCtx, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return torch.tanh(x)

        @staticmethod
        def backward(ctx: torch.autograd.function.BackwardCFunction, g: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
            return way(ctx.saved_tensors[0], g)

    return Tanh


def used(way: Way) -> Used:
    x = torch.ones(3, requires_grad=True)
    y = tanh(way).apply(x)
    with AutogradUse(watched=True) as use:
        y.backward(torch.ones(3))
    found = use.found(pulls=1)
    assert found is not None
    return found


@pytest.mark.parametrize("way", [by_grad, by_backward, by_vjp, in_a_thread])
def test_a_run_of_autograd_in_a_backward_is_counted(way: Way) -> None:
    assert used(way).runs == 1


@pytest.mark.parametrize(
    ("way", "means"),
    [
        (by_a_node, "TanhBackward0"),
        (by_a_node_in_a_thread, "threading.Thread"),
        (by_a_node_unseen, "torch.profiler"),
        (by_the_operator, "aten::tanh_backward"),
        (by_the_operator_under_a_name, "aten::tanh_backward"),
        (by_dual_numbers, "aten::_make_dual"),
        (by_jvp, "aten::_make_dual"),
    ],
)
def test_what_computes_a_gradient_without_a_run_is_named(way: Way, means: str) -> None:
    found = used(way)
    assert found.runs == 0
    assert means in found.means


@pytest.mark.parametrize("way", [by_formula, by_another_function])
def test_a_formula_is_none_of_it(way: Way) -> None:
    found = used(way)
    assert (found.runs, found.means) == (0, [])
    assert "aten::tanh" in found.operators


def test_operators_inside_of_others_are_not_the_programs() -> None:
    x = torch.ones(3)
    with AutogradUse(watched=True) as use:
        torch.nn.functional.cross_entropy(x[None], torch.tensor([1]))
    found = use.found()
    assert found is not None
    assert "aten::cross_entropy_loss" in found.operators
    assert "aten::log_softmax" not in found.operators


@pytest.mark.parametrize(
    ("way", "means"), [(by_a_node, "TanhBackward0"), (by_the_operator, "aten::tanh_backward"), (by_jvp, "aten::_make_dual")]
)
def test_hooks_are_seen_like_the_backward_itself(way: Way, means: str) -> None:
    x = torch.ones(3, requires_grad=True)
    y = tanh(by_formula).apply(x)
    y.grad_fn.register_hook(lambda came, _: (way(x.detach(), came[0]),))
    x.register_hook(lambda g: way(x.detach(), g))
    with AutogradUse(watched=True) as use:
        y.backward(torch.ones(3))
    found = use.found(pulls=1)
    assert found is not None
    assert means in found.means


def test_hooks_on_saved_tensors_that_are_left_on_are_named() -> None:
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x), AutogradUse(watched=True) as use:
        pass
    found = use.found()
    assert found is not None
    assert found.means == ["saved_tensors_hooks"]


def test_functions_may_be_nested_as_deep_as_python_goes() -> None:
    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, depth: int) -> torch.Tensor:
            return Nested.apply(x, depth - 1) if depth else torch.ops.aten.tanh_backward(x, x)

    with AutogradUse(watched=True) as use:
        Nested.apply(torch.ones(1), 150)
    found = use.found()
    assert found is not None
    assert found.means == ["aten::tanh_backward"]


def test_filling_new_memory_is_none_of_it() -> None:
    torch.use_deterministic_algorithms(True)
    try:
        assert used(by_formula).means == []
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_mode_that_is_left_on_is_named() -> None:
    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return function(*args, **(kwargs or {}))

    with Mode():
        use = AutogradUse(watched=True)
        with use:
            pass
    found = use.found()
    assert found is not None
    assert found.means == ["TorchFunctionMode"]


def test_what_was_used_is_known_where_the_program_raises() -> None:
    use = AutogradUse(watched=True)
    with pytest.raises(AttributeError), use:
        by_grad(torch.ones(1), torch.ones(1)).nothing()  # type: ignore[attr-defined]
    found = use.found()
    assert found is not None
    assert found.runs == 1


def test_nothing_is_watched_that_is_not_to_be() -> None:
    with torch.inference_mode(), AutogradUse(watched=False) as use:
        by_formula(torch.ones(1), torch.ones(1))
    assert use.found() is None
