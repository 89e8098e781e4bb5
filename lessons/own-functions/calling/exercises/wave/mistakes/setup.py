import torch


class Wave(torch.autograd.Function):
    @staticmethod
    def forward(x, rate=2.0):
        return torch.sin(rate * x)

    @staticmethod
    def setup_context(ctx, x, rate):
        ctx.save_for_backward(x)
        ctx.rate = rate

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.rate * torch.cos(ctx.rate * x), None


def plain(x, rate):
    return Wave.forward(x, rate)
