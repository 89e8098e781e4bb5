import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = swish(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

swish = Subject("swish", lambda: [draw.tensor()])
function = Subject("Swish", lambda: [draw.tensor()])  # which swish is to be made of; it may return more than one output

far = Subject("swish", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(x * torch.sigmoid(x)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    swish.values()
    function.close(lambda x: x * s(x), atol=1e-9)


@check
def gradient():
    swish.gradcheck()


@check
def second():
    swish.gradgradcheck()
    function.gradgradcheck()
    far.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def outputs():
    function.gradcheck()
    function.linear()


@check
def contract():
    swish.untouched()
    swish.interleaved()


@check
def edges():
    swish.edges(second=True)
    swish.dtypes()


def s(x):
    return torch.sigmoid(x)


@mistake
def product_rule():
    terms = (lambda g, x: g * s(x), lambda g, x: g * x * s(x) * (1 - s(x)))
    return any(swish.behaves_like(backward=one) for one in terms)


def second_with(constants):
    """The second derivative that comes of it where these of x and s are constants."""

    def second(gg, g, x):
        x = x.clone().requires_grad_()
        a, b = (one.detach() if name in constants else one for name, one in zip("xs", (x, s(x))))
        slope = b + a * b * (1 - b)
        return [torch.autograd.grad((gg * g * slope).sum(), x)[0] if slope.requires_grad else torch.zeros_like(x)]

    return second


@mistake
def one_path_missing():
    return swish.holds("gradcheck") and any(swish.behaves_like(second=second_with(some)) for some in ("s", "x", "xs"))
