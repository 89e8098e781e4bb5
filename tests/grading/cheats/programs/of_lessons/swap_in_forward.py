# exercise: backward-twice/saving-outputs/tanh
# caught by: values
# the first call of forward replaces apply
import torch


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        Tanh.apply = torch.tanh
        out = torch.tanh(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output * (1 - out.detach() ** 2)
