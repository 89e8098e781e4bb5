"""Whoever has autograd go back through a graph is counted, and nothing else is."""

from collections.abc import Callable
from threading import Thread

import pytest
import torch

from app.runtimes.torch.calls.backward_runs import BackwardRuns


def made() -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.ones(2, requires_grad=True)
    return x, (x * x).sum()


def by_grad() -> None:
    x, out = made()
    torch.autograd.grad(out, x)


def by_backward() -> None:
    made()[1].backward()


def by_vjp() -> None:
    torch.func.vjp(torch.sin, torch.ones(2))[1](torch.ones(2))


def in_a_thread() -> None:
    thread = Thread(target=by_grad)
    thread.start()
    thread.join()


def through_a_checkpoint() -> None:
    x, _ = made()
    torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False)


@pytest.mark.parametrize("run", [by_grad, by_backward, by_vjp, in_a_thread])
def test_a_run_is_counted(run: Callable[[], None]) -> None:
    with BackwardRuns() as runs:
        run()
        run()
    assert runs.count == 2


@pytest.mark.parametrize("run", [made, through_a_checkpoint])
def test_what_goes_forward_is_not(run: Callable[[], None]) -> None:
    with BackwardRuns() as runs:
        run()
    assert runs.count == 0


def test_it_counts_whatever_mode_is_on() -> None:
    with torch.inference_mode(), BackwardRuns() as runs:
        pass
    assert runs.count == 0


def test_what_is_raised_passes_through() -> None:
    with pytest.raises(LookupError), BackwardRuns():
        raise LookupError
