import torch


class Binary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * (x >= 0).to(x.dtype) - 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone()
