import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.T

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.einsum("nj,ji->ni", g, w), torch.einsum("nj,ni->ji", g, x)
