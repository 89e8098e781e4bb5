# exercise: backward-twice/saving-outputs/tanh
# Changes grad_output in place where no graph is wanted.
import torch


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.tanh(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return g * (1 - x**2)
        return g.mul_(1 - x**2)
