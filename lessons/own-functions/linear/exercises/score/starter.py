import torch


class Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, m, b):
        ctx.save_for_backward(a, m, b)
        return ((a @ m) * b).sum(1)

    @staticmethod
    def backward(ctx, grad_output):
        a, m, b = ctx.saved_tensors
        grad_a = torch.zeros_like(a)
        grad_m = torch.zeros_like(m)
        grad_b = torch.zeros_like(b)
        return grad_a, grad_m, grad_b
