import torch


def rounded(w):
    """Eight equally spaced values from -1 to 1."""
    return ((w.clamp(-1, 1) + 1) * 3.5).round() / 3.5 - 1


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        return rounded(w)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output  # as if forward had changed nothing
