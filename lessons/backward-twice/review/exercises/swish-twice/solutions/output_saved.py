import torch
from torch.autograd import Function


class Swish(Function):
    @staticmethod
    def forward(x):
        return x / (1 + torch.exp(-x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], output)

    @staticmethod
    def backward(ctx, g):
        x, out = ctx.saved_tensors
        return g * (out + x.sigmoid() * (1 - out))


swish = Swish.apply
