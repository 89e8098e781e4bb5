import torch


class Shrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        up = x > limit
        down = x < -limit
        ctx.save_for_backward(up, down)
        return torch.where(up, x - limit, torch.where(down, x + limit, 0))

    @staticmethod
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        grad_x = grad_limit = None
        if ctx.needs_input_grad[0]:
            grad_x = g * (up | down)
        if ctx.needs_input_grad[1]:
            grad_limit = g[down].sum() - g[up].sum()
        return grad_x, grad_limit
