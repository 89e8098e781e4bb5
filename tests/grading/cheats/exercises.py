"""The exercises that the cheats are for, written as an author would, with every probe that exists."""

from textwrap import dedent

from app.protocol.grading import Rubric

_HEAD = """
import torch
from gradroom import Subject, check, draw

"""
_PROBES = (
    "values",
    "gradients",
    "second",
    "gradcheck",
    "gradgradcheck",
    "linear",
    "strides",
    "untouched",
    "scale",
    "interleaved",
    "needs",
    "dtypes",
)
_SQUARE = dedent("""
    import torch


    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return 2 * x * grad_output
    """)


def checks(name: str, arguments: str, without: tuple[str, ...] = ()) -> str:
    """Return a checks.py with all probes except `without`. `arguments` is an expression that draws the arguments."""
    functions = "".join(f"\n\n@check\ndef {probe}():\n    subject.{probe}()\n" for probe in _PROBES if probe not in without)
    return f"{_HEAD}subject = Subject({name!r}, lambda: [{arguments}])\n{functions}"


def square(*without: str, drawn: bool = True) -> Rubric:
    """Return the exercise to write Square.

    `without` names probes to leave out, or "functions". Without `drawn` the input is always the same.
    """
    arguments = "draw.apart(draw.tensor(), by=0.01)" if drawn else "torch.tensor([1.0, 2.0, 3.0], dtype=torch.double, requires_grad=True)"
    functions = [] if "functions" in without else ["Square"]
    return Rubric(checks=checks("Square", arguments, without), solution=_SQUARE, functions=functions)


def example() -> Rubric:
    """Return the exercise in which Square is called once, with the example of its lesson."""
    body = 'subject = Subject("Square", lambda: [torch.tensor([1.0, 2.0, 3.0], dtype=torch.double)])\n\n\n@check\ndef values():\n'
    return Rubric(checks=f"{_HEAD}{body}    subject.values(times=1)\n", solution=_SQUARE, functions=["Square"])


def single() -> Rubric:
    """Return the exercise in which Square is checked in single precision."""
    body = 'subject = Subject("Square", lambda: [draw.tensor(dtype=torch.float32)])\n\n\n@check\ndef values():\n    subject.values()\n'
    return Rubric(checks=f"{_HEAD}{body}\n\n@check\ndef gradients():\n    subject.gradients()\n", solution=_SQUARE, functions=["Square"])


def exp(*without: str) -> Rubric:
    """Return the exercise to write Exp without torch.exp."""
    solution = (
        _SQUARE.replace("Square", "Exp")
        .replace("x * x", "torch.pow(2.718281828459045, x)")
        .replace("2 * x", "torch.pow(2.718281828459045, x)")
    )
    bans = [] if "bans" in without else ["torch.exp", "torch.exp2", "torch.expm1", "torch.special"]
    functions = ["Exp"] if bans else []  # which also refuses some means that reach any name
    return Rubric(checks=checks("Exp", "draw.tensor()"), solution=solution, functions=functions, bans=bans)


def own_check(*, right: bool = True, wrong: bool = True) -> Rubric:
    """Return the exercise to write a check that accepts a right Square and refuses wrong ones."""
    mutants = {
        "threefold": _SQUARE.replace("2 * x", "3 * x"),
        "no-factor": _SQUARE.replace("2 * x * grad_output", "2 * x"),
        "cut": _SQUARE.replace("2 * x", "2 * x.detach()"),
    }
    other = _SQUARE.replace("x * x", "torch.square(x)").replace("2 * x * grad_output", "grad_output * (x + x)")
    return Rubric(
        examines="check",
        subject="Square",
        right={"plain": _SQUARE, "other": other} if right else {},
        mutants=mutants if wrong else {},
    )
