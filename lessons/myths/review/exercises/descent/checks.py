import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Well.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

OWN = {
    "en": "When the `backward` of `Well` returns a multiple of the gradient, `descend` should make its steps by that.",
    "zh-Hans": "让 `Well` 的 `backward` 返回梯度的若干倍，`descend` 每步走的也应当是那么多倍。",
}
WITH_ANOTHER = """
import torch

def descend_with(x, steps, c):
    return with_scaled(Well, c, lambda: descend(x, steps))
"""

well = Subject("Well", lambda: [draw.tensor()])
without_grad = Subject("Well", lambda: [draw.tensor(grad=False)])
walk = Subject("descend", lambda: [draw.tensor((3,), low=0.5, grad=False), draw.whole(4, 12)])
no_step = Subject("descend", lambda: [draw.tensor((3,), grad=False), 0])
matrix = Subject("descend", lambda: [draw.tensor((2, 3), grad=False), 40])


def along(x, steps, c):
    for _ in range(steps):
        x = x - 0.1 * c * x / (1 + x**2)
    return x


by_well, once_by_well = [
    Subject("descend_with", lambda some=some: [draw.tensor((3,), low=0.5, grad=False), draw.whole(*some), draw.number(1.5, 2.5)], like=along)
    for some in ((3, 6), (1, 1))
]
given("descend_with", "squared_change", source=WITH_ANOTHER + CHANGE)

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(torch.log1p(x**2)))


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    well.values()


@check
def gradient():
    well.gradcheck()
    well.linear()
    well.scale()
    well.interleaved()


@check
def untouched():
    well.untouched()


@check
def second():
    well.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def steps():
    walk.values()


@check
def of_well():
    subject = by_well if walk.holds("values") else once_by_well  # what goes wrong in later steps, `steps` has reported
    expect(subject.holds("values"), said=OWN)


@check
def x_unchanged():
    walk.untouched()


@check
def edges():
    well.edges(second=True)
    no_step.values()
    matrix.values()


def summed(x, steps):
    total = torch.zeros_like(x)
    for _ in range(steps):
        total = total + x / (1 + x**2)
        x = x - 0.1 * total
    return x


@mistake
def in_place():
    return well.holds("gradients") and without_grad.holds("untouched") and not well.holds("untouched")


@mistake
def slope_saved():
    return well.holds("gradcheck") and not well.holds("gradgradcheck")


@mistake
def accumulates():
    return walk.behaves_like(forward=summed)
