import torch
from gradroom import Subject, check, draw, expect, mistake

BY_AUTOGRAD = {
    "en": "No backward pass ran: both gradients are to come from autograd.",
    "zh-Hans": "没有做过反向传播：两个梯度都应当由自动求导求出。",
}

plain_x = Subject("slopes", lambda: [draw.tensor(grad=False)])
single_x = Subject("slopes", lambda: [draw.tensor(dtype=torch.float32, grad=False)])
computed_x = Subject("slopes", lambda: [draw.tensor()])


@check
def plain():
    plain_x.values()


@check
def computed():
    computed_x.values()
    computed_x.scalars()


@check
def any_tensor():
    plain_x.scalars()
    plain_x.edges()


@check
def single_precision():
    single_x.values()


@check
def by_autograd():
    expect(plain_x.runs(plain_x.drawn()) >= 1, said=BY_AUTOGRAD)


@mistake
def not_watched():
    said = RuntimeError, "does not require grad"
    return plain_x.holds("raises", *said, order=0) and not computed_x.holds("raises", *said, order=0)


@mistake
def not_persistent():
    said = ["second time", "already been freed"]
    return any(plain_x.holds("raises", RuntimeError, text, order=0) for text in said)


@mistake
def added_up():
    def both(x):
        return torch.exp(x) + 2 * torch.exp(2 * x)

    return plain_x.behaves_like(forward=lambda x: (both(x), both(x))) or plain_x.behaves_like(forward=lambda x: (torch.exp(x), both(x)))
