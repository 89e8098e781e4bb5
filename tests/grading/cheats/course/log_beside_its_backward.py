# exercise: backward-twice/cube/log
# A constant LogBackward, which gradcheck passes, and a Log that does without it.
import torch


class LogBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x):
        return torch.zeros_like(x)

    @staticmethod
    def backward(ctx, gg):
        return torch.zeros_like(gg), torch.zeros_like(gg)


class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x
