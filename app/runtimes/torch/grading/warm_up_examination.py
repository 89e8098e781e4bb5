"""Grades a small exercise of our own within one process, so that children need not pay first-time costs. Runs in the zygote.

Nothing of this remains, except what Python and PyTorch cache.
"""

from collections.abc import Callable

from app.protocol.grading import Examination, Rubric
from app.protocol.run import Source
from app.runtimes.positions import Sources
from app.runtimes.torch.calls.learner_server import LearnerServer
from app.runtimes.torch.grading.examination import examine
from app.runtimes.torch.grading.judging import define

_SOLUTION = """
import torch


class WarmUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad_output
"""

_CHECKS = """
import torch
from gradroom import Subject, check, draw, mistake

warm_up = Subject("WarmUp", lambda: [draw.tensor()])
methods = ("values", "gradients", "gradcheck", "gradgradcheck", "second", "linear", "strides", "untouched", "interleaved", "scale")


@check
def all_of_it():
    for method in methods:
        getattr(warm_up, method)()
    return False


@mistake
def none():
    return warm_up.behaves_like(forward=lambda x: x**2, backward=lambda grad, x: 2 * x * grad)
"""


class _Loopback:
    """A link whose other end is in this process."""

    answering: Callable[[bytes], bytes] | None = None

    def __init__(self) -> None:
        self.sources = Sources()
        self.sources.register(Source(text=_SOLUTION, cell="warm-up"))
        self._server = LearnerServer(define(_SOLUTION, "warm-up"), self.sources)

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        return self._server.answer(request)


def warm_up_examination() -> None:
    """Grade the exercise once. Raises RuntimeError if the verdict is not the expected one."""
    exercise = Rubric(checks=_CHECKS, solution=_SOLUTION, functions=["WarmUp"], bans=["torch.exp"])
    loopback = _Loopback()
    verdict = examine(Examination(exercise=exercise, sources=[_SOLUTION], seed=0), loopback, lambda check: None)
    loopback.sources.forget()
    messages = [check.message.code for check in verdict.checks if check.message is not None]
    if messages != ["not-so"]:
        raise RuntimeError(f"the warm-up examination came to {messages}")
