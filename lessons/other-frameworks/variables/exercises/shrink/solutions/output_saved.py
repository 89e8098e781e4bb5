import torch
from torch.autograd import Function


class Shrink(Function):
    @staticmethod
    def forward(x, limit):
        return x - torch.minimum(torch.maximum(x, -limit), limit)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (direction,) = (y.sign() for y in ctx.saved_tensors)
        grad_limit = -torch.dot(grad_output.reshape(-1), direction.reshape(-1))
        return grad_output * direction.abs(), grad_limit
