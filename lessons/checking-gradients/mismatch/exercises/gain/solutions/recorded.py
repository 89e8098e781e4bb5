import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return torch.tanh(x * w)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        slope = g / torch.cosh(w * x) ** 2
        return w * slope, torch.einsum("ij,ij->j", slope, x)
