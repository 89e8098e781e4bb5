import torch


def solve(m, e):
    root = m + e * torch.sin(m)
    for _ in range(20):
        miss = root - e * torch.sin(root) - m
        root = root - miss / (1 - e * torch.cos(root))
    return root


class Kepler(torch.autograd.Function):
    @staticmethod
    def forward(ctx, m, e):
        root = solve(m, e)
        ctx.save_for_backward(root, m, e)
        return root

    @staticmethod
    def backward(ctx, grad_output):
        root, m, e = ctx.saved_tensors
        grad_m = grad_output / (1 - e * torch.cos(root))
        return grad_m, grad_m * (root - m) / e
