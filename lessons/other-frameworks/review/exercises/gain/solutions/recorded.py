import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, k):
        with torch.enable_grad():
            t = torch.tanh(x @ w.T)
        ctx.save_for_backward(x, w, k, t)
        return k.detach() * t.detach()

    @staticmethod
    def backward(ctx, g):
        x, w, k, t = ctx.saved_tensors
        s = g * k * (1 - t * t)
        return torch.matmul(s, w), torch.matmul(s.T, x), torch.sum(g * t)
