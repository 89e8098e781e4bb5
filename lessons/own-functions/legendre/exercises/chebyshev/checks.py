import math

import torch
from gradroom import Subject, check, draw, expect, mistake, value

NAN = {"en": "`approx(x)` gives nan: the training has diverged", "zh-Hans": "`approx(x)` 的结果是 nan：训练发散了"}

chebyshev = Subject("Chebyshev4", lambda: [draw.tensor()])
anywhere = Subject("approx", lambda: [draw.tensor((5,), low=-6.0, high=6.0, grad=False)])
between = Subject("approx", lambda: [torch.linspace(-math.pi, math.pi, 41, dtype=torch.double)])


def of_numbers(x):
    a, b, d = (value(name, torch.Tensor) for name in "abd")
    u = d * x
    return a + b * (8 * u**4 - 8 * u**2 + 1)


def gives_nan():
    return not of_numbers(torch.linspace(-1, 1, 5, dtype=torch.double)).isfinite().all()


@check
def values():
    chebyshev.values()


@check
def gradient():
    chebyshev.gradcheck()
    chebyshev.linear()
    chebyshev.interleaved()
    chebyshev.untouched()


@check
def edges():
    chebyshev.edges()


@check
def form():
    expect(not gives_nan(), said=NAN)
    anywhere.close(of_numbers, atol=1e-6)


@check
def fitted():
    expect(not gives_nan(), said=NAN)
    between.close(torch.cos, atol=0.1, times=1)


@mistake
def ignores_g():
    return chebyshev.behaves_like(backward=lambda g, u: 32 * u**3 - 16 * u)


@mistake
def other_derivative():
    return chebyshev.holds("values") and chebyshev.holds("linear") and not chebyshev.holds("gradcheck")


@mistake
def not_near():
    return chebyshev.holds("gradcheck") and chebyshev.holds("edges") and not between.holds("close", torch.cos, atol=0.1, times=1)
