import torch
from torch.autograd import Function


class Binary(Function):
    @staticmethod
    def forward(x):
        ones = torch.ones_like(x)
        return torch.where(x < 0, -ones, ones)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return 1 * g
