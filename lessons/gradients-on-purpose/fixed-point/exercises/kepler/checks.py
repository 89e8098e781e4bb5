import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(m, e):
    y = Kepler.apply(m, e)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}


def arguments():
    shape = draw.shape()
    return [draw.tensor(shape, low=-3.0, high=3.0), draw.tensor(shape, low=0.2, high=0.7)]


kepler = Subject("Kepler", arguments)
far = Subject("Kepler", lambda: [draw.tensor((4,), low=-900.0, high=900.0), draw.tensor((4,), low=0.0, high=0.8)])


def root_of(m, e):
    root = m + e * torch.sin(m)
    for _ in range(20):
        root = root - (root - e * torch.sin(root) - m) / (1 - e * torch.cos(root))
    return root


def one_step(grad, m, e):
    return grad, grad * torch.sin(root_of(m, e))


def wrong_sign(grad, m, e):
    root = root_of(m, e)
    grad_m = grad / (1 + e * torch.cos(root))
    return grad_m, grad_m * torch.sin(root)

change = Subject("squared_change", arguments, like=lambda m, e: square_change(root_of(m, e)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    kepler.values()


@check
def gradients():
    kepler.gradients()
    kepler.gradcheck()
    kepler.linear()


@check
def second():
    kepler.second()
    kepler.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def edges():
    kepler.edges(without=["large", "low"], second=True)
    far.values()
    far.gradients()


@check
def calls():
    kepler.interleaved()
    kepler.untouched()


@mistake
def last_step():
    return kepler.behaves_like(backward=one_step)


@mistake
def plus():
    return kepler.behaves_like(backward=wrong_sign)


@mistake
def slopes_saved():
    return kepler.holds("gradients") and not kepler.holds("second")
