"""A grader that checks a program in the process that ran it, as many graders do. It shows which cheats pass without a second process.

Run as `python -m tests.grading.cheats.in_process PROGRAM…`: it prints for each program whether it passed, as JSON. Only tests use it.
"""

import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import msgspec
import torch

from app.protocol.channel import Judged, Up
from app.protocol.grading import CheckResult, Verdict
from app.sandbox import framing

CHANNEL = 3
SECONDS = 20
SLOW_SECONDS = 0.5  # how long a wrong function takes, for programs that measure time: far longer than the first call of a right one
decoder = msgspec.msgpack.Decoder(Up)

judged_here = True
Results = dict


def reference(x):  # noqa: ANN001, ANN201 - what a program looks for and finds
    return x**2


def judge(Square) -> dict[str, bool]:  # noqa: ANN001, N803
    """Check the exercise `square` as an author would. The functions it uses are looked up after the program has run."""
    import torch
    from torch import allclose
    from torch.autograd import gradcheck, gradgradcheck

    globals().update(allclose=allclose, gradcheck=gradcheck, gradgradcheck=gradgradcheck)
    x = (torch.rand(3, dtype=torch.double) * 4 - 2).requires_grad_()
    expected = reference(x.detach())
    globals().update(expected=expected, x=x.detach())
    out = Square.apply(x)
    results = Results()
    results["values"] = bool(globals()["allclose"](out, globals()["expected"]))
    results["gradcheck"] = bool(globals()["gradcheck"](Square.apply, x))
    results["gradgradcheck"] = bool(globals()["gradgradcheck"](Square.apply, x))
    return results


def judge_check(check: Callable[[Any], Any]) -> dict[str, bool]:
    """Check the exercise `check` with one right function and then wrong ones, one after another."""
    import torch

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * grad_output

    def mutant_threefold(x: Any) -> Any:
        time.sleep(SLOW_SECONDS)
        return 3 * Square.apply(x)

    def mutant_cut(x: Any) -> Any:
        time.sleep(SLOW_SECONDS)
        return Square.apply(x.detach())

    def found_no_fault(function: Callable[..., Any]) -> bool:
        try:
            return check(function) is not False
        except Exception:
            return False

    results = {"right": found_no_fault(Square.apply)}
    for mutant in (mutant_threefold, mutant_cut):
        results[mutant.__name__] = not found_no_fault(wraps(mutant)(lambda x, function=mutant: function(x)))
    return results


def grade(source: str) -> None:
    """Run a program, check it, and write the verdict to descriptor 3."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, "<learner>", "exec"), namespace)
    try:
        results = judge_check(namespace["check"]) if "check" in namespace else judge(namespace["Square"])
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        results = {"raised": False}
    checks = [CheckResult(id=name, passed=bool(passed)) for name, passed in results.items()]
    framing.write_frame(CHANNEL, Judged(Verdict(passed=all(check.passed for check in checks), checks=checks)))


def grade_in_a_fork(source: str) -> bool:
    """Return whether the first verdict that a forked process writes is a pass."""
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryDirectory() as scratch:
        pid = os.fork()
        if not pid:
            signal.alarm(SECONDS)
            try:
                os.dup2(theirs.fileno(), CHANNEL)
                os.dup2(os.open(os.devnull, os.O_RDWR), 1)
                os.chdir(scratch)
                grade(source)
            finally:
                os._exit(0)
        theirs.close()
        frame: object = None
        with suppress(framing.ChannelClosed):
            while not isinstance(frame, Judged):
                frame = framing.read_frame(ours.fileno(), decoder)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return isinstance(frame, Judged) and frame.verdict.passed


if __name__ == "__main__":
    torch.autograd.gradcheck(torch.square, torch.ones(1, dtype=torch.double, requires_grad=True))  # the first call imports much
    print(json.dumps({path: grade_in_a_fork(Path(path).read_text()) for path in sys.argv[1:]}))
