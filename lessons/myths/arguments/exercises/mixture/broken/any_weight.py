import torch


class Mixture(torch.autograd.Function):
    @staticmethod
    def forward(x, y, weight=0.5, offset=None):
        weight = weight or 0.5
        mixed = weight * x + (1 - weight) * y
        return mixed if offset is None else mixed + offset

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, _, weight, offset = inputs
        ctx.weight = weight or 0.5
        ctx.with_offset = offset is not None

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = ctx.weight * grad_output
        grad_y = (1 - ctx.weight) * grad_output
        grad_offset = grad_output if ctx.with_offset else None
        return grad_x, grad_y, None, grad_offset
