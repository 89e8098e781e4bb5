import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, k):
        t = torch.tanh(x @ w.T)
        ctx.save_for_backward(x, w, k)
        return k * t

    @staticmethod
    def backward(ctx, g):
        x, w, k = ctx.saved_tensors
        t = torch.tanh(x @ w.T)
        s = g * k * (1 - t**2)
        none = (g == 0).all()  # nothing arrives
        return tuple(torch.where(none, 0, one) for one in (s @ w, s.T @ x, (g * t).sum()))
