import torch
from gradroom import Subject, check, draw, expect, given, mistake

OTHER_FUNCTIONS = """
import torch

def slope_before_another(at, other):
    first = slope(at)
    slope(other)
    return first

def slope_of_other(at, a, b):
    slope(at)  # of f; what is remembered is of no use
    names = f.__globals__
    before = names["f"]
    names["f"] = lambda x: (1 + x.dim()) * torch.sin(a * x) + (b * x).detach()  # a difference quotient sees the second part, backward() does not
    try:
        return slope(at)
    finally:
        names["f"] = before
"""


def f(x):
    return torch.sin(2 * x) + x**3 / 5


def derivative(at):
    at = torch.tensor(float(at), dtype=torch.float64)
    return 2 * torch.cos(2 * at) + 3 * at**2 / 5


def decimal():  # where the curve bends, and a step forward gives another slope
    return [draw.number(0.4, 0.9)]


subject = Subject("slope", decimal)
left = Subject("slope", lambda: [draw.number(-2.0, -1.0)])
steep = Subject("slope", lambda: [draw.number(3.0, 4.0)])  # far from 0: a constant is not near
at_whole = Subject("slope", lambda: [draw.whole(-2, 2)])
of_other = Subject(
    "slope_of_other",
    lambda: [draw.number(-1.0, 1.0), draw.number(0.5, 1.0), draw.number(2.0, 3.0)],
    like=lambda at, a, b: a * torch.cos(torch.tensor(a * at, dtype=torch.float64)),
)
before_another = Subject("slope_before_another", lambda: [*decimal(), draw.number(-2.0, -1.0)], like=lambda at, other: derivative(at))
given("slope_of_other", "slope_before_another", source=OTHER_FUNCTIONS)


def refuse_known(asked):
    """What needs words of its own: no gradient, a plain number, a tensor with axes, and one that does not require grad."""
    try:
        outputs = asked.theirs.call(asked.drawn()).outputs
    except RuntimeError as error:
        expect(
            "element 0 of tensors does not require grad" not in str(error),
            said={
                "en": "The result that is to be differentiated does not depend on a tensor that requires grad. Create `x` with "
                "`requires_grad=True`, and call `f` with this `x`.",
                "zh-Hans": "要求导的结果不依赖任何需要梯度的张量。创建 `x` 时请写上 `requires_grad=True`，再用这个 `x` 调用 `f`。",
            },
        )
        raise
    got = outputs[0] if len(outputs) == 1 else outputs
    expect(
        got is not None,
        said={
            "en": "`slope` returned None. `backward()` returns nothing, the result of `f` gets no `.grad`, and `x.grad` is None until "
            "`backward()` has run. Return `x.grad` after that.",
            "zh-Hans": "`slope` 返回了 None。`backward()` 没有返回值，`f` 的结果也没有 `.grad`；"
            "调用 `backward()` 之前，`x.grad` 也是 None。请在调用之后返回 `x.grad`。",
        },
    )
    expect(
        not isinstance(got, (int, float)),
        said={
            "en": "`slope` returned a plain number. Return the tensor `x.grad` itself, without `.item()` or `float()`.",
            "zh-Hans": "`slope` 返回的是 Python 数值。请直接返回张量 `x.grad`，不要用 `.item()` 或 `float()` 转换。",
        },
    )
    expect(
        not isinstance(got, torch.Tensor) or got.dim() == 0,
        said={
            "en": "`slope` returned a tensor with an axis. Create `x` from the number itself, not from a list as in `torch.tensor([at])`.",
            "zh-Hans": "`slope` 返回的张量不是零维的。请直接用这个数创建 `x`，不要像 `torch.tensor([at])` 那样用列表。",
        },
    )


@check
def values():
    refuse_known(subject)
    subject.close(derivative, atol=1e-4)
    left.close(derivative, atol=1e-4)
    expect(
        before_another.holds("close", lambda at, other: derivative(at), 1e-4),
        said={
            "en": "`slope` was called twice, and the second call changed what the first had returned. Create `x` anew in each call.",
            "zh-Hans": "调用两次 `slope`，第二次调用改变了第一次返回的张量。请在每次调用里都新建 `x`。",
        },
    )


@check
def whole_numbers():
    refuse_known(at_whole)
    at_whole.close(derivative, atol=1e-4)


@check
def other_functions():
    got = of_other.theirs.call(args := of_other.drawn()).outputs
    expected = of_other.ours.call(args).outputs[0]
    expect(
        not (
            len(got) == 1
            and isinstance(got[0], torch.Tensor)
            and got[0].numel() == 1
            and abs(float(got[0]) - float(derivative(args[0]))) < 1e-4
        ),
        said={
            "en": "With another function in the place of `f`, `slope` returned the derivative of the one before. What a call has found is of no "
            "use to the next one: nothing may be remembered, and the `f` of the moment is to be called.",
            "zh-Hans": "把 `f` 换成别的函数之后，`slope` 返回的仍是原来那个函数的导数。上一次调用的结果对下一次没有用：不要记住它，每次都要调用当时的 `f`。",
        },
    )
    expect(
        len(got) == 1 and isinstance(got[0], torch.Tensor) and got[0].dim() == 0 and abs(float(got[0]) - float(expected)) < 1e-4,
        said={
            "en": "With another function in the place of `f`, `slope` did not return what `backward()` gives for that one. "
            "It should create `x`, a tensor without axes, anew in each call, call `f` and `backward()`, and return the tensor `x.grad`.",
            "zh-Hans": "把 `f` 换成别的函数之后，`slope` 返回的不是 `backward()` 对那个函数求出的导数。"
            "每次调用都应新建零维张量 `x`，调用 `f` 和 `backward()`，再返回张量 `x.grad`。",
        },
    )


@mistake
def value():
    return subject.holds("close", lambda at: f(torch.tensor(at)), 1e-4)


@mistake
def whole():
    return at_whole.holds("raises", RuntimeError, "can require gradients", order=0)


@mistake
def secant():
    near = subject.holds("close", derivative, 0.5) and steep.holds("close", derivative, 0.6)
    return near and not subject.holds("close", derivative, 1e-4)
