import torch
from torch.autograd import Function


class Sine(Function):
    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.saved_tensors[0].cos() * grad_output
