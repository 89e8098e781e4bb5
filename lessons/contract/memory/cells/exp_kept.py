import torch


class ExpKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.exp(x)
        ctx.out = out  # the output itself
        return out

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.out
