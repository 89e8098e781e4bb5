import torch
from torch.autograd import Function


class ToCartesian(Function):
    @staticmethod
    def forward(ctx, radius, angle, unit):
        cos, sin = torch.cos(angle * unit), torch.sin(angle * unit)
        x, y = radius * cos, radius * sin
        ctx.save_for_backward(cos, sin, x, y)
        ctx.factor = unit
        return x, y

    @staticmethod
    def backward(ctx, g_x, g_y):
        cos, sin, x, y = ctx.saved_tensors
        return g_x * cos + g_y * sin, ctx.factor * (x * g_y - y * g_x), None
