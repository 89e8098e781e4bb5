import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x, w, k):
    y = Gain.apply(x, w, k)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}


def inputs(rows, outputs, columns, needed="xwk"):
    x = draw.tensor((rows, columns), low=-1.0, high=1.0, grad="x" in needed)
    w = draw.tensor((outputs, columns), low=-1.0, high=1.0, grad="w" in needed)
    k = draw.tensor((), low=0.5, high=2.0, grad="k" in needed)
    return [x, w, k]


def with_entry(place, number):
    """This number among the entries of one of the three."""
    args = [one.detach() for one in inputs(3, 2, 2)]
    args[place].view(-1)[0] = number
    return [one.requires_grad_() for one in args]


oblong = Subject("Gain", lambda: inputs(3, 4, 2))
small = Subject("Gain", lambda: inputs(2, 1, 3))
other = Subject("Gain", lambda: inputs(draw.whole(2, 5), draw.whole(1, 5), draw.whole(1, 5)))
without_k = Subject("Gain", lambda: inputs(3, 4, 2, "xw"))
k_alone = Subject("Gain", lambda: inputs(3, 4, 2, "k"))
square = Subject("Gain", lambda: inputs(2, 2, 2, "xw"))

change = Subject("squared_change", lambda: inputs(3, 4, 2), like=lambda x, w, k: square_change(k * torch.tanh(x @ w.T)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    oblong.values()
    square.values()


@check
def gradients():
    square.gradients()
    without_k.gradients()
    without_k.linear()


@check
def gain():
    k_alone.gradients()
    oblong.gradients()
    oblong.needs()
    oblong.interleaved()
    oblong.untouched()
    small.gradcheck()


@check
def second():
    oblong.second()
    small.gradgradcheck()
    for place in range(3):
        for number in (0, 1e5):
            Subject("Gain", lambda: with_entry(place, number)).second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def edges():
    oblong.edges(second=True)
    for _ in range(3):
        other.gradients()
    Subject("Gain", lambda: inputs(3, 2, 1)).gradients()


def scaled(g, x, w, k):
    return g * k * (1 - torch.tanh(x @ w.T) ** 2)


@mistake
def transposes():
    return square.behaves_like(backward=lambda g, x, w, k: (scaled(g, x, w, k) @ w.T, x.T @ scaled(g, x, w, k)))


@mistake
def no_gain():
    return k_alone.behaves_like(backward=lambda g, x, w, k: torch.zeros_like(k))


@mistake
def constant():
    def of_constant(of_x, of_w, g, x, w, k):
        s = scaled(g, x, w, k)
        return s @ of_w, s.T @ of_x, scaled(of_x @ w.T + x @ of_w.T, x, w, k)

    return oblong.holds("gradients") and square.behaves_like(second=of_constant)
