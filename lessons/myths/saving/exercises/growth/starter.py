import gc
import weakref

import torch


class Growth(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.x, ctx.w = x, w
        ctx.out = torch.exp(x * w)
        return ctx.out

    @staticmethod
    def backward(ctx, grad_output):
        common = grad_output * ctx.out
        return common * ctx.w, common * ctx.x


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
