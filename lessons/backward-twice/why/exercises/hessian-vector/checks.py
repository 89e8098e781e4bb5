import torch
from gradroom import Subject, check, draw, expect, given, mistake

OTHER_FUNCTIONS = """
import torch

def product_of_other(x, v, a):
    names = f.__globals__
    before = names["f"]
    names["f"] = lambda x: torch.sin(a * x).sum() + x.sum() ** 3
    try:
        return hessian_vector(x, v)
    finally:
        names["f"] = before
"""

TWICE = """
def second_product(x, v):
    hessian_vector(x, v)
    return hessian_vector(x, v)
"""
AGAIN = {
    "en": "The second call with the same `x` returned something else than the first should.",
    "zh-Hans": "用同一个 `x` 第二次调用，返回的结果不对。",
}


def arguments(shape):
    return lambda: [draw.tensor(shape), draw.tensor(shape, grad=False)]


product = Subject("hessian_vector", arguments((3,)))
matrix = Subject("hessian_vector", arguments((2, 3)))
number = Subject("hessian_vector", arguments(()))
boxes = Subject("hessian_vector", arguments((2, 1, 3)))
of_other = Subject(
    "product_of_other",
    lambda: [*arguments((3,))(), draw.number(0.5, 1.0)],
    like=lambda x, v, a: -(a**2) * torch.sin(a * x.detach()) * v + 6 * x.detach().sum() * v.sum(),
)
again = Subject("second_product", arguments((3,)), like=lambda x, v: of_this_one(x.detach(), v))
given("product_of_other", "second_product", source=OTHER_FUNCTIONS + TWICE)


def of_this_one(x, v):
    return 4 * (x**2).sum() * v + 8 * x * (x * v).sum()


@check
def values():
    product.values()


@check
def shapes():
    matrix.values()
    number.values()
    boxes.values()


@check
def other_functions():
    args = of_other.drawn()
    got, (expected,) = of_other.theirs.call(args).outputs, of_other.ours.call(args).outputs
    expect(
        len(got) == 1 and isinstance(got[0], torch.Tensor) and got[0].shape == expected.shape and torch.allclose(got[0], expected),
        said={
            "en": "With another function in the place of `f`, `hessian_vector` did not return that one’s product. "
            "What fills the blanks must hold for any `f`.",
            "zh-Hans": "把 `f` 换成另一个函数之后，`hessian_vector` 返回的不是那个函数的乘积。填入空白的内容，应当对任何 `f` 都成立。",
        },
    )


@check
def edges():
    product.edges()
    expect(again.holds("values") or not product.holds("values"), said=AGAIN)


@mistake
def not_recorded():
    return product.holds("raises", RuntimeError, "does not require grad", order=0)


@mistake
def no_vector():
    return product.behaves_like(forward=lambda x, v: 4 * (x**2).sum() + 8 * x * x.sum())
