import torch


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3 * x

    @staticmethod
    def backward(ctx, grad_output):
        Triple.seen = grad_output  # for a look afterwards
        return 3 * grad_output
