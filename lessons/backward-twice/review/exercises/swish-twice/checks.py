import torch
from gradroom import Subject, check, draw, mistake

swish = Subject("swish", lambda: [draw.tensor()])
function = Subject("Swish", lambda: [draw.tensor()])  # which swish is to be made of; it may return more than one output

far = Subject("swish", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])


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
    swish.edges()
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
