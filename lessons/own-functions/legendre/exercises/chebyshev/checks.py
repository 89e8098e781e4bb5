import math

import torch
from gradroom import Subject, check, draw, expect, given, mistake, value

NAN = {"en": "`approx(x)` gives nan: the training has diverged", "zh-Hans": "`approx(x)` 的结果是 nan：训练发散了"}
STEPS = {
    "en": "From other values of `a`, `b` and `d`, and with a multiple of what the `backward` of `Chebyshev4` returns, `train(steps)` "
    "did not arrive where so many steps of SGD arrive that go by the gradient of $T_4$, times the same multiple.",
    "zh-Hans": "换一组 `a`、`b`、`d` 的初始值，并让 `Chebyshev4` 的 `backward` 返回梯度的若干倍，`train(steps)` 到达的位置，与用 $T_4$ 的梯度（乘以同样的倍数）做这么多步 SGD 所到达的不同。",
}
AFTER = """
import torch

def after(steps, c, *values):
    names = train.__globals__
    numbers = [names[name] for name in "abd"]
    kept = [one.detach().clone() for one in numbers]
    with torch.no_grad():
        for one, start in zip(numbers, values):
            one.copy_(start)
    try:
        with_scaled(Chebyshev4, c, lambda: train(steps))
        return torch.stack([names[name].detach().clone() for name in "abd"])
    finally:
        with torch.no_grad():
            for name, one, before in zip("abd", numbers, kept):
                names[name] = one.copy_(before)
"""


def steps_of_sgd(steps, c, a, b, d):
    x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.double)
    for _ in range(steps):
        u = d * x
        t, slope = 8 * u**4 - 8 * u**2 + 1, 32 * u**3 - 16 * u
        error = 2 * (a + b * t - x.cos()) / len(x)
        grads = error.sum(), (error * t).sum(), (error * b * c * slope * x).sum()
        a, b, d = (one - 0.01 * grad for one, grad in zip((a, b, d), grads))
    return torch.stack([a, b, d])


def start():
    return [
        3,
        draw.number(0.5, 1.5),
        *(torch.tensor(draw.number(*ends), dtype=torch.double) for ends in ((-0.2, 0.2), (0.8, 1.2), (0.15, 0.25))),
    ]


chebyshev = Subject("Chebyshev4", lambda: [draw.tensor()])
anywhere = Subject("approx", lambda: [draw.tensor((5,), low=-6.0, high=6.0, grad=False)])
between = Subject("approx", lambda: [torch.linspace(-math.pi, math.pi, 41, dtype=torch.double)])

after = Subject("after", start, like=steps_of_sgd)
after_many = Subject("after", lambda: [400, 1.0, *(torch.tensor(at, dtype=torch.double) for at in (0.0, 1.0, 0.2))], like=steps_of_sgd)
given("after", source=AFTER)


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
def trained():
    expect(after.holds("values", times=2), said=STEPS)
    expect(
        after_many.holds("values", times=1),
        said={
            "en": "From the given start, `train(400)` did not arrive where 400 steps of SGD arrive. Does it stop early?",
            "zh-Hans": "从给定的初始值出发，`train(400)` 到达的不是 SGD 走 400 步之后的位置。是不是提前停下了？",
        },
    )


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
