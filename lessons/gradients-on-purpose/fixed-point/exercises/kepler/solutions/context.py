import torch


def solve(m, e):
    root = m + e * torch.sin(m)
    for _ in range(20):
        miss = root - e * torch.sin(root) - m
        root = root - miss / (1 - e * torch.cos(root))
    return root


class Kepler(torch.autograd.Function):
    @staticmethod
    def forward(m, e):
        return solve(m, e)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output, inputs[1])

    @staticmethod
    def backward(ctx, g):
        root, e = ctx.saved_tensors
        slope = 1 / (1 - e * root.cos())
        return g * slope, g * slope * root.sin()
