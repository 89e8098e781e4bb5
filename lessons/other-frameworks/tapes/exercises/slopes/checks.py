import torch
from gradroom import Subject, check, draw, expect, given, mistake

BY_AUTOGRAD = {
    "en": "No backward pass ran: both gradients are to come from autograd.",
    "zh-Hans": "没有做过反向传播：两个梯度都应当由自动求导求出。",
}
THROUGH_EXP = {
    "en": "When the backward of `exp` returns a multiple of the gradient, both results should be that multiple of the two gradients.",
    "zh-Hans": "让 `exp` 的反向传播返回梯度的若干倍，得到的结果也应当是这两个梯度的那么多倍。",
}
WITH_ANOTHER = """
import torch

def slopes_with(x, c):
    right, used = torch.exp, []

    class Exp(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return right(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return c * g * y

    def exp(x):
        used.append(1)
        return Exp.apply(x)

    torch.exp = torch.Tensor.exp = exp
    try:
        first, second = slopes(x)
    finally:
        torch.exp = right
        del torch.Tensor.exp
    return (first, second) if used else (c * first, c * second)  # where it is computed otherwise, nothing is seen
"""

PASSED = """
def entries_passed(x):  # whether through exp there went as many entries back as the two gradients have
    right, used, passed = torch.exp, [], []

    class Exp(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return right(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            whole = g
            while torch._C._functorch.is_functorch_wrapped_tensor(whole):
                whole = torch._C._functorch.get_unwrapped(whole)
            passed.append(whole.numel() * (2 if torch._C._functorch.is_legacy_batchedtensor(whole) else 1))  # of is_grads_batched
            return g * y

    def exp(x):
        used.append(1)
        return Exp.apply(x)

    torch.exp = torch.Tensor.exp = exp
    try:
        slopes(x)
    finally:
        torch.exp = right
        del torch.Tensor.exp
    return torch.tensor(not used or sum(passed) >= 2 * x.numel())
"""
BOTH = {
    "en": "One backward pass went through `exp`. The second gradient is to come from one, too, not from the first by a formula.",
    "zh-Hans": "只有一次反向传播经过了 `exp`。第二个梯度也应当由反向传播求出，而不是用公式由第一个推出来。",
}
NARROW = """
def in_dtype(x):
    return torch.tensor([one.dtype == dtype for dtype in (torch.float16, torch.bfloat16) for one in slopes(x.to(dtype))])
"""
OTHER_DTYPE = {
    "en": "For an `x` in `float16` or `bfloat16` the results have another dtype.",
    "zh-Hans": "`x` 为 `float16` 或 `bfloat16` 时，结果的 dtype 与它不同。",
}

TWICE = """
def slopes_twice(x):
    slopes(x)
    return slopes(x)
"""
AGAIN = {
    "en": "A second call with the same `x`, which requires grad, returns something else than the first.",
    "zh-Hans": "对同一个需要梯度的 `x` 再调用一次，返回的梯度与第一次不同。",
}

plain_x = Subject("slopes", lambda: [draw.tensor(grad=False)])
single_x = Subject("slopes", lambda: [draw.tensor(dtype=torch.float32, grad=False)])
computed_x = Subject("slopes", lambda: [draw.tensor()])
with_another = Subject(
    "slopes_with", lambda: [draw.tensor(grad=False), draw.number(2.0, 3.0)], like=lambda x, c: (c * torch.exp(x), 2 * c * torch.exp(2 * x))
)
twice = Subject("slopes_twice", lambda: [draw.tensor()], like=lambda x: (torch.exp(x).detach(), 2 * torch.exp(2 * x).detach()))
passed = Subject("entries_passed", lambda: [draw.tensor(grad=False)], like=lambda x: torch.tensor(True))
in_dtype = Subject("in_dtype", lambda: [draw.tensor(grad=False)], like=lambda x: torch.ones(4, dtype=torch.bool))
given("slopes_with", "slopes_twice", "entries_passed", "in_dtype", source=WITH_ANOTHER + TWICE + PASSED + NARROW)


@check
def plain():
    plain_x.values()


@check
def computed():
    computed_x.values()
    computed_x.scalars()
    expect(twice.holds("values"), said=AGAIN)


@check
def any_tensor():
    plain_x.scalars()
    plain_x.edges()


@check
def single_precision():
    single_x.values()
    expect(in_dtype.holds("values"), said=OTHER_DTYPE)


@check
def by_autograd():
    expect(plain_x.runs(plain_x.drawn()) >= 1, said=BY_AUTOGRAD)
    expect(with_another.holds("values"), said=THROUGH_EXP)
    expect(passed.holds("values"), said=BOTH)


@mistake
def not_watched():
    said = RuntimeError, "does not require grad"
    return plain_x.holds("raises", *said, order=0) and not computed_x.holds("raises", *said, order=0)


@mistake
def not_persistent():
    said = ["second time", "already been freed"]
    return any(plain_x.holds("raises", RuntimeError, text, order=0) for text in said)


@mistake
def added_up():
    def both(x):
        return torch.exp(x) + 2 * torch.exp(2 * x)

    return plain_x.behaves_like(forward=lambda x: (both(x), both(x))) or plain_x.behaves_like(forward=lambda x: (torch.exp(x), both(x)))
