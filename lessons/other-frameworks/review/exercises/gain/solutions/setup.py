import torch
import torch.nn.functional as F


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(x, w, k):
        return k * F.linear(x, w).tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w, k = ctx.saved_tensors
        t = F.linear(x, w).tanh()
        s = k * g * (1 + t) * (1 - t)
        return s.mm(w), torch.einsum("bo,bi->oi", s, x), (g * t).sum()
