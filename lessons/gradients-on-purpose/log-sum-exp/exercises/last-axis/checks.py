import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = LogSumExp.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}


def square():
    n = draw.whole(2, 3)
    return [draw.tensor((n, n))]


def shifted(by):
    x = draw.tensor((2, 3), grad=False) + by
    return [x.requires_grad_()]


def hidden(by=0.0):
    x = draw.tensor((2, 4), grad=False) + by
    x[0, draw.whole(0, 3)] = -torch.inf
    return [x.requires_grad_()]


one = Subject("LogSumExp", lambda: [draw.tensor((draw.whole(2, 4),))])
two = Subject("LogSumExp", lambda: [draw.tensor((2, draw.whole(3, 4)))])
three = Subject("LogSumExp", lambda: [draw.tensor((2, 2, 3))])
rows = Subject("LogSumExp", square)
above = Subject("LogSumExp", lambda: shifted(1000.0))
below = Subject("LogSumExp", lambda: shifted(-1000.0))
mixed = Subject("LogSumExp", lambda: shifted(torch.tensor([[1000.0], [-1000.0]], dtype=torch.float64)))
spread = Subject("LogSumExp", lambda: shifted(torch.tensor([1000.0, -1000.0, 999.0], dtype=torch.float64)))  # in one row
masked = Subject("LogSumExp", hidden)
masked_below = Subject("LogSumExp", lambda: hidden(-1000.0))


def slope(g, x):
    return g.unsqueeze(-1) * torch.softmax(x, -1)


change = Subject("squared_change", lambda: [draw.tensor((2, 3))], like=lambda x: square_change(torch.logsumexp(x, -1)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    for subject in (one, two, three, rows):
        subject.values()


@check
def gradient():
    for subject in (one, two, three, rows):
        subject.gradients()
    two.linear()


@check
def large():
    for subject in (above, below, mixed, spread, masked, masked_below):
        subject.values()
        subject.gradients()


@check
def edges():
    for subject in (one, two, three):
        subject.edges(without=["large", "low"])


@check
def calls():
    two.interleaved()
    two.untouched()


@check
def second():
    one.gradgradcheck()
    two.gradgradcheck()
    two.edges(without=["large", "low"], second=True)
    for far in (above, below, mixed, spread):
        if far.holds("gradients"):  # otherwise `large` says so
            far.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@mistake
def max_path():
    def plus(g, x):
        return slope(g, x) + g.unsqueeze(-1) * (x == x.amax(-1, keepdim=True))

    def minus(g, x):
        return slope(g, x) - g.unsqueeze(-1) * (x == x.amax(-1, keepdim=True))

    return rows.behaves_like(backward=plus) or rows.behaves_like(backward=minus)


@mistake
def no_keepdim():
    def along_columns(x):
        m = x.amax(-1)
        return (x - m).exp().sum(-1).log() + m

    wrong = rows.behaves_like(backward=lambda g, x: g * torch.softmax(x, -1))
    return wrong or rows.behaves_like(forward=along_columns)


@mistake
def saved_softmax():
    return rows.holds("gradients") and not rows.holds("gradgradcheck")
