# exercise: backward-twice/saving-inputs/sine
# Changes grad_output in place where no graph is wanted.
import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if g.requires_grad or torch.is_grad_enabled():
            return g * torch.cos(x)
        return g.mul_(torch.cos(x))
