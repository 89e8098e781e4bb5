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
        return solve(m, e)

    @staticmethod
    def backward(ctx, grad_output):
        raise NotImplementedError
