import torch
from torch import nn


class ScaleShift(torch.autograd.Function):
    @staticmethod
    def forward(x, scale, shift):
        return x * scale if shift is None else x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, scale, shift = inputs
        ctx.save_for_backward(x, scale)

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        g_shift = g.sum(0) if ctx.needs_input_grad[2] else None
        return g * scale, (g * x).sum(0), g_shift
