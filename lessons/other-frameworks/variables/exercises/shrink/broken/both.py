import torch


class Shrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x, limit)
        return x.sign() * (x.abs() - limit).clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        x, limit = ctx.saved_tensors
        g = torch.where(x.abs() > limit, g, 0)
        if ctx.needs_input_grad[0]:
            return g, None
        return None, -(g * x.sign()).sum()
