import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, k):
        t = torch.tanh(x @ w.T)
        ctx.save_for_backward(x, w, k, t)
        return k * t

    @staticmethod
    def backward(ctx, g):
        x, w, k, t = ctx.saved_tensors
        s = g * k * (1 - t**2)
        return s @ w, s.T @ x, (g * t).sum()
