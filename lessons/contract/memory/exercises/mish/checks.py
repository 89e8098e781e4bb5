import torch
from gradroom import Subject, check, draw, expect, given, mistake, reported

CHANGE = """
def squared_change(x):
    y = Mish.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

ON_CTX = """
import torch

def tensors_on_ctx(x):
    node = Mish.apply(x).grad_fn
    return torch.tensor(float(sum(isinstance(one, torch.Tensor) for one in vars(node).values())))
"""

given("second_pass")
given("tensors_on_ctx", "squared_change", source=ON_CTX + CHANGE)

mish = Subject("Mish", lambda: [draw.tensor()])
again = Subject("second_pass", lambda: [draw.tensor()])
on_ctx = Subject("tensors_on_ctx", lambda: [draw.tensor()], like=lambda x: torch.zeros(()))
far = Subject("Mish", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(x * torch.tanh(torch.nn.functional.softplus(x))))


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    mish.values()


@check
def gradient():
    mish.gradcheck()
    mish.linear()


@check
def second():
    mish.gradgradcheck()
    far.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def freed():
    again.raises(RuntimeError, "a second time", order=1)
    expect(
        on_ctx.holds("values"),
        said={
            "en": "A tensor is kept as an attribute of `ctx`, where backward does not free it. `save_for_backward` is enough.",
            "zh-Hans": "有张量作为属性留在了 `ctx` 上，反向传播之后不会释放。只用 `save_for_backward` 就够了。",
        },
    )


@check(reported=True)
def kept():
    tensors = len(reported.saved(mish))
    expect(
        tensors == 1,
        said={
            "en": f"The node of one call keeps {tensors} tensors. What is kept elsewhere, on the class for example, is not counted.",
            "zh-Hans": f"调用一次，节点留下 {tensors} 个张量。存放在别处（例如类的属性里）的不计在内。",
        },
    )


@check
def edges():
    mish.edges(second=True)
    mish.dtypes()


@check
def calls():
    mish.interleaved()
    mish.untouched()


def t(x):
    return torch.tanh(torch.nn.functional.softplus(x))


@mistake
def inner_factor():
    return mish.behaves_like(backward=lambda g, x: g * (t(x) + x * (1 - t(x) ** 2)))


def second_with(constants):
    """The second derivative that comes of it where these of x, t and s are constants."""

    def second(gg, g, x):
        x = x.clone().requires_grad_()
        a, b, c = (one.detach() if name in constants else one for name, one in zip("xts", (x, t(x), torch.sigmoid(x))))
        slope = b + a * (1 - b**2) * c
        found = torch.autograd.grad((gg * g * slope).sum(), x)[0] if slope.requires_grad else torch.zeros_like(x)
        return [found]

    return second


@mistake
def still_kept():
    return mish.holds("gradcheck") and any(mish.behaves_like(second=second_with(some)) for some in ("t", "ts", "xt", "xts"))


@mistake
def input_on_ctx():
    return mish.holds("gradgradcheck") and not again.holds("raises", RuntimeError, "a second time", order=1)
