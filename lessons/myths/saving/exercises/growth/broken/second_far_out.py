import gc
import weakref

import torch


class Growth(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        out = torch.exp(x * w)
        ctx.save_for_backward(x, w, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, w, out = ctx.saved_tensors
        x = torch.where(x > 10, x.detach(), x)
        common = grad_output * out
        return common * w, common * x


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
