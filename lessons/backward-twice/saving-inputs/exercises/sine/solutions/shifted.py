import math

import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, angle):
        ctx.save_for_backward(angle)
        return torch.sin(angle)

    @staticmethod
    def backward(ctx, incoming):
        angle = ctx.saved_tensors[0]
        slope = torch.sin(angle + math.pi / 2)
        return torch.mul(slope, incoming)
