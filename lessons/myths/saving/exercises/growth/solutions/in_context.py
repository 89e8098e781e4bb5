import gc
import weakref

import torch


class Growth(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return torch.exp(w * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        x, w, y = ctx.saved_tensors
        return (
            g * y * w if ctx.needs_input_grad[0] else None,
            g * y * x if ctx.needs_input_grad[1] else None,
        )


def refilled(x, w, which=0):
    buffers = x * 1, w * 1
    out = Growth.apply(*buffers)
    buffers[which].mul_(2)
    return out


def left(x, w):
    x = x.detach().requires_grad_()
    gc.disable()
    out = Growth.apply(x, w)
    alive = weakref.ref(out)
    out.sum().backward()
    del out
    count = int(alive() is not None)
    gc.enable()
    return torch.tensor(count)
