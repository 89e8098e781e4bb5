import torch
from torch.autograd import Function


class SoftClip(Function):
    @staticmethod
    def forward(x, limit=1.0):
        return (x / limit).tanh() * limit

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.limit = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        result = grad_output.clone()
        result /= torch.cosh(x / ctx.limit) ** 2
        return result, None
