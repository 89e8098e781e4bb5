import torch


class Above(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, level):
        ctx.save_for_backward(x, level)
        return (x - level).clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, level = ctx.saved_tensors
        grad_x = torch.where(x > level, grad_output.clamp(-100, 100), 0)
        return grad_x, -grad_x.sum()
