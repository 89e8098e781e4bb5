"""A Function must be the program's own and be called by PyTorch, however the program made it."""

import linecache
from textwrap import dedent
from typing import Any

import pytest
import torch

from app.protocol.run import Source
from app.runtimes.positions import Sources
from app.runtimes.torch.calls.function_class import find_fault, is_result

HEAD = """
import functools
import torch
from torch.autograd import Function
from torch.autograd.function import InplaceFunction, once_differentiable
"""
FORWARD = "    @staticmethod\n    def forward(ctx, x):\n        return x\n"
BACKWARD = "    @staticmethod\n    def backward(ctx, g):\n        return g\n"
SQUARE = f"class Square(Function):\n{FORWARD}{BACKWARD}"

OWN = {
    "plain": SQUARE,
    "setup_context": SQUARE.replace("forward(ctx, x)", "forward(x)")
    + "    @staticmethod\n    def setup_context(ctx, inputs, output):\n        pass\n",
    "vjp": SQUARE.replace("backward", "vjp"),
    "once differentiable": SQUARE.replace("    def backward", "    @once_differentiable\n    def backward"),
    "in place": SQUARE.replace("(Function)", "(InplaceFunction)"),
    "derived": f"class Base(Function):\n{FORWARD}class Square(Base):\n{BACKWARD}",
    "mixin": f"class Rules:\n{BACKWARD}class Square(Rules, Function):\n{FORWARD}",
    "generic": "from typing import *\nT = TypeVar('T')\nclass Square(Function, Generic[T]):\n" + FORWARD + BACKWARD,
    "twice": SQUARE + SQUARE,
    "assigned methods": "class Square(Function):\n    forward = staticmethod(lambda ctx, x: x)\n"
    "    backward = staticmethod(lambda ctx, g: g)\n",
    "decorated": "def told(f):\n    @functools.wraps(f)\n    def inner(*args):\n        return f(*args)\n    return inner\n"
    + SQUARE.replace("    def backward", "    @told\n    def backward"),
    "renamed": SQUARE.replace("Square", "Other") + "Square = Other\n",
    "in a branch": "if True:\n" + "".join(f"    {line}\n" for line in SQUARE.splitlines()),
}
OTHERS = {
    "a function": ("Square = torch.square", "base"),
    "its apply": (SQUARE + "Square = Square.apply", "base"),
    "another base": (f"from abc import ABC as Function\nclass Square(Function):\n    apply = torch.square\n{FORWARD}{BACKWARD}", "base"),
    "Function itself": ("Square = Function", "base"),
    "an object": (SQUARE + "Square = Square()", "base"),
    "a metaclass of its own": (
        "class Meta(type(Function)):\n    def __getattribute__(cls, name):\n        return torch.square\n"
        + SQUARE.replace("(Function)", "(Function, metaclass=Meta)"),
        "base",
    ),
    "the second of two": (SQUARE + "class Square:\n    apply = torch.square\n", "base"),
    "an apply of its own": (SQUARE + "    apply = torch.square\n", "apply"),
    "an apply that is set": (SQUARE + "Square.apply = torch.square", "apply"),
    "an inherited apply": (f"class Base(Function):\n    apply = torch.square\nclass Square(Base):\n{FORWARD}{BACKWARD}", "apply"),
    "no backward": (f"class Square(Function):\n{FORWARD}", "backward"),
    "no forward": (f"class Square(Function):\n{BACKWARD}", "forward"),
    "PyTorch's own function as forward": (f"class Square(Function):\n    forward = staticmethod(torch.square)\n{BACKWARD}", "forward"),
    "code made of text": (SQUARE + "exec('def backward(ctx, g):\\n    return g')\nSquare.backward = staticmethod(backward)", "backward"),
    "another node": (
        SQUARE
        + "Square._backward_cls = type('Node', (torch.autograd.function.BackwardCFunction,), {'apply': None, '_forward_cls': Square})",
        "changed",
    ),
    "the node of another class": (SQUARE + "class Other(Square):\n    pass\nSquare._backward_cls = Other._backward_cls", "changed"),
}


def made(program: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(HEAD + program, namespace)
    return namespace


def fault_of(program: str) -> str | None:
    sources = Sources()
    source = Source(text=HEAD + dedent(program))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source.text, sources.register(source), "exec"), namespace)
    linecache.cache.pop("<source>")
    return find_fault(namespace["Square"], sources)


@pytest.mark.parametrize("program", [pytest.param(program, id=name) for name, program in OWN.items()])
def test_a_function_of_ones_own(program: str) -> None:
    assert fault_of(program) is None


@pytest.mark.parametrize(("program", "fault"), [pytest.param(*case, id=name) for name, case in OTHERS.items()])
def test_what_is_none_is_told_why(program: str, fault: str) -> None:
    assert fault_of(program) == fault


def test_what_apply_calls_first_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch._functorch.utils, "unwrap_dead_wrappers", lambda args: args)
    assert fault_of(SQUARE) == "changed"


def test_a_result_comes_from_the_function() -> None:
    namespace = made(SQUARE)
    square = namespace["Square"]
    x = torch.ones(2, requires_grad=True)
    assert is_result([square.apply(x), square.apply(x)[0], square.apply(x) + 1, torch.ones(1)], square)
    assert not is_result([square.apply(x), x * x], square)
    assert not is_result([x], square)


def test_pytorchs_own_apply_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.autograd.Function, "apply", torch.square)
    assert fault_of(SQUARE) == "changed"
