import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = softplus(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

softplus = Subject("softplus", lambda: [draw.tensor()])
outputs_of = Subject("Softplus", lambda: [draw.tensor()])

far = Subject("softplus", lambda: [torch.tensor([600.0, -600.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(torch.nn.functional.softplus(x)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    softplus.values()


@check
def gradient():
    softplus.gradcheck()


@check
def second():
    softplus.gradgradcheck()
    far.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def outputs():
    outputs_of.gradcheck()
    outputs_of.second()


@check
def edges():
    outputs_of.edges(second=True)
    outputs_of.dtypes()


@check
def calls():
    outputs_of.interleaved()
    outputs_of.untouched()


@mistake
def extra_ignored():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid())


@mistake
def chain_forgotten():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid() + g_s)
