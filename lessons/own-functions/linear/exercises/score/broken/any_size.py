import torch


class Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, m, b):
        ctx.save_for_backward(a, m, b)
        return ((a @ m) * b).sum(1)

    @staticmethod
    def backward(ctx, grad_output):
        a, m, b = ctx.saved_tensors
        g = grad_output[:, None]
        return g * (b @ m.T), (g * a).squeeze().T @ b.squeeze(), g * (a @ m)
