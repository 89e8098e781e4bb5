import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, k):
        out = k * torch.tanh(x @ w.T)
        ctx.save_for_backward(x, w, k, out)
        return out

    @staticmethod
    def backward(ctx, g):
        x, w, k, out = ctx.saved_tensors
        z = x @ w.T
        s = g * k / torch.cosh(z) ** 2
        return s @ w, s.T @ x, (g * torch.tanh(z)).sum()
