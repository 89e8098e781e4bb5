"""An examination restores what it changes, ends in time, and survives any Function."""

import random
import sys
import time
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import Function

from app.probes.calls.prepared_call import ApplyCall
from app.probes.examine import examine
from tests.probes.programs import codes, examined, leaf


class Square(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, act: Any = None) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.act = act
        if act is not None:
            act("forward")
        return x**2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        if ctx.act is not None:
            ctx.act("backward")
        return 2 * ctx.saved_tensors[0] * grad, None


def test_states_of_the_process_are_restored() -> None:
    def change(method: str) -> None:
        torch.set_default_dtype(torch.float16)
        torch.set_grad_enabled(False)
        torch.manual_seed(5)
        random.random()
        np.random.random()

    torch.manual_seed(1)
    random.seed(1)
    np.random.seed(1)
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index,union-attr]

    examined(Square, leaf(3), change)

    assert torch.equal(torch.get_rng_state(), before[0])
    assert random.getstate() == before[1]
    assert np.random.get_state()[1].tolist() == before[2]  # type: ignore[index,union-attr]
    assert torch.get_default_dtype() is torch.float32
    assert torch.is_grad_enabled()


def test_arguments_and_tensors_from_outside_stay_as_they_are() -> None:
    x, others = leaf(3), [torch.zeros(2)]
    counter = torch.zeros(1)

    class Counting(Square):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, others: Any) -> torch.Tensor:
            counter.add_(1)
            others[0].add_(1)
            ctx.save_for_backward(x)
            ctx.act = None
            return x.mul_(1) ** 2

    before = x.detach().clone()
    examined(Counting, x, others)

    assert torch.equal(x, before)
    assert x.grad is None
    assert not others[0].any()
    assert not counter.any()


def test_output_and_warnings_of_the_function_are_not_repeated(capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder) -> None:
    def talk(method: str) -> None:
        import warnings

        print(method)
        print(method, file=sys.stderr)
        warnings.warn(method, stacklevel=1)

    examined(Square, leaf(3), talk)

    assert capfd.readouterr() == ("", "")
    assert not list(recwarn)


class Odd(Exception):
    pass


def test_probes_that_failed_are_listed_in_their_order_before_those_not_tried() -> None:
    def fail(method: str) -> None:
        if method == "backward":
            raise Odd

    names = [each.split(":")[0] for each in examined(Square, leaf(3), fail).not_judged]

    assert names == ["types", "repeatable", "linear", "gradient", "layout", "second", "options"]


@pytest.mark.parametrize("error", [Odd, SystemExit, RecursionError, MemoryError])
@pytest.mark.parametrize("at", ["forward", "backward"])
@pytest.mark.parametrize("after", [0, 1, 2, 5, 20])
def test_a_function_that_raises_is_not_judged_from_there(error: type[BaseException], at: str, after: int) -> None:
    calls = 0

    def fail(method: str) -> None:
        nonlocal calls
        calls += method == at
        if calls > after and method == at:
            raise error

    found = examined(Square, leaf(3), fail)

    assert found.not_judged
    assert {each.code for each in found.observations} <= {"assumes-contiguous"}


def test_time_is_looked_at_between_steps() -> None:
    def compute(method: str) -> None:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass

    began = time.process_time()

    found = examined(Square, leaf(8), compute, seconds=0.3)

    assert time.process_time() - began < 3
    assert any("out of time" in each for each in found.not_judged)
    assert found.observations == []


@pytest.mark.parametrize("returned", ["x", {}, object(), 7, [1, 2], torch.zeros(0), torch.full((3,), torch.nan)])
def test_a_backward_that_returns_nonsense(returned: Any) -> None:
    class Nonsense(Square):
        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            return returned, None

    examined(Nonsense, leaf(3))


@pytest.mark.parametrize("returned", ["x", {}, None, torch.zeros(0), torch.full((3,), torch.nan), torch.ones(3, dtype=torch.int64)])
def test_a_forward_that_returns_nonsense(returned: Any) -> None:
    class Nonsense(Square):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, act: Any = None) -> Any:
            ctx.save_for_backward(x)
            ctx.act = None
            return returned

    assert not {each.code for each in examined(Nonsense, leaf(3)).observations} & {"closure-tensor", "wrong-dtype"}


class Counter(Square):
    calls = 0

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        Counter.calls += 1
        ctx.save_for_backward(x)
        ctx.act = None
        return x**2 + Counter.calls


def test_a_forward_with_a_memory_is_not_judged() -> None:
    assert examined(Counter, leaf(3)).not_judged[0] == "forward gives other outputs for the same seed"


def test_sparse_tensors_are_not_judged() -> None:
    found = examined(Square, torch.eye(3).to_sparse().requires_grad_())

    assert (found.observations, found.held) == ([], [])
    assert found.not_judged


class NotInDouble(Square):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        assert x.dtype is torch.float32
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return 7 * ctx.saved_tensors[0] * grad


def test_a_function_that_does_not_run_in_double_gets_no_claim_about_its_gradient() -> None:
    found = examined(NotInDouble, leaf(3, dtype=torch.float32))

    assert found.observations == []
    assert "gradient" not in found.held
    assert "layout" in found.held


def test_nobody_needs_a_gradient() -> None:
    assert examined(Square, leaf(3).detach()).not_judged[0] == "nothing needs a gradient"


def test_an_empty_batch() -> None:
    assert not codes(Square, leaf(0, 3))


def test_examine_takes_a_call() -> None:
    assert examine(ApplyCall(Square, (leaf(2),)), lambda name: None, 60).held


class Scaling(Square):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, factor: float) -> torch.Tensor:
        ctx.factor = factor
        return factor * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return ctx.factor * grad, None


def test_options_hold_only_where_there_is_one() -> None:
    assert "options" in examined(Scaling, leaf(3), 2.0).held
    assert "options" not in examined(Square, leaf(3)).held


class Overwriting(Scaling):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad.mul_(ctx.factor), None


def test_nothing_stays_unchanged_if_backward_overwrites_its_incoming_gradient() -> None:
    found = examined(Overwriting, leaf(3), 2.0)

    assert "grad-output-mutated" in [each.code for each in found.observations]
    assert "unchanged" not in found.held
    assert not any(each.startswith("unchanged") for each in found.not_judged)


class Doubled(Scaling):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return 2 * ctx.factor * grad, None


def test_what_a_wrong_gradient_leaves_untried_is_not_judged() -> None:
    found = examined(Doubled, leaf(3), 2.0)

    assert not {"second", "options", "gradient"} & set(found.held)
    assert {"second: not tried", "options: not tried"} <= set(found.not_judged)
    assert not any(each.startswith("gradient") for each in found.not_judged)
