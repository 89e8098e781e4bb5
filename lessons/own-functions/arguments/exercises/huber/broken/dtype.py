import torch


class Huber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, width=1.0):
        x = x.double()
        ctx.save_for_backward(x)
        ctx.width = width
        size = x.abs()
        outside = width * (size - width / 2)
        return torch.where(size <= width, x**2 / 2, outside)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.clamp(-ctx.width, ctx.width), None
