import torch


class Wave(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, rate=2.0):
        ctx.save_for_backward(x)
        ctx.rate = rate
        return torch.sin(rate * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.rate * torch.cos(ctx.rate * x), None


def plain(x, rate):
    return Wave.apply(x.detach(), rate)
