import torch


class Gauss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.exp(-(x**2))
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, out = ctx.saved_tensors
        return -x * out * grad_output
