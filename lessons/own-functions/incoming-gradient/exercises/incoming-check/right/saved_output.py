import torch


class Reciprocal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.reciprocal(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output * -(out**2)
