import torch
from torch.autograd import Function


class ToCartesian(Function):
    @staticmethod
    def forward(ctx, radius, angle, unit):
        x = radius * torch.cos(angle * unit)
        y = radius * torch.sin(angle * unit)
        ctx.save_for_backward(radius, x, y)
        ctx.factor = unit
        return x, y

    @staticmethod
    def backward(ctx, g_x, g_y):
        radius, x, y = ctx.saved_tensors
        return (g_x * x + g_y * y) / radius, ctx.factor * (x * g_y - y * g_x), None
