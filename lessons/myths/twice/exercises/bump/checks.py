import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Bump.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
FAR = """
import torch

def far_out(x):
    x = x.detach().requires_grad_()
    (first,) = torch.autograd.grad(Bump.apply(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    return x.detach() ** 3 * first.detach(), x.detach() ** 4 * second  # near -2 and 6
"""
FAR_OUT = {
    "en": "Where `x`, without its sign, is between 1000 and 100,000, a derivative is wrong. It is very small there, and still it has to be right.",
    "zh-Hans": "`x` 的绝对值在 1000 到 100000 之间时，有一个导数不对。那里的导数虽然很小，也必须正确。",
}
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

given("curvature")

function = Subject("Bump", lambda: [draw.tensor()])
far = Subject("curvature", lambda: [torch.tensor([0, 1e-30, 900, -900, 1e5], dtype=torch.float64)])
far_out = Subject(
    "far_out", lambda: [draw.choice([-1.0, 1.0]) * draw.tensor((3,), low=1e3, high=1e5, grad=False)], like=lambda x: scaled_derivatives(x)
)
given("far_out", source=FAR)
bend = Subject("curvature", lambda: [draw.tensor((3,), low=0.3, grad=False)])

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(1 / (1 + x**2)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


def scaled_derivatives(x):
    return -2 * x**4 / (1 + x**2) ** 2, x**4 * (6 * x**2 - 2) / (1 + x**2) ** 3


@check
def values():
    function.values()


@check
def gradient():
    function.gradcheck()


@check
def second():
    function.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def curvature_values():
    bend.values()


@check
def edges():
    function.edges(second=True)
    far.values()
    expect(far_out.holds("values"), said=FAR_OUT)


@check
def calls():
    function.interleaved()
    function.untouched()


@mistake
def all_constant():
    return function.holds("gradcheck") and bend.behaves_like(forward=torch.zeros_like)


@mistake
def bottom_kept():
    return function.holds("gradcheck") and bend.behaves_like(forward=lambda x: -2 / (1 + x**2) ** 2)


@mistake
def data_kept():
    return function.holds("gradcheck") and bend.behaves_like(forward=lambda x: 8 * x**2 / (1 + x**2) ** 3)
