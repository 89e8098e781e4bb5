import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(s):
        e = torch.exp(s - s.max(1, keepdim=True).values)
        return e / e.sum(1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        rows = [a * (b - a @ b) for a, b in zip(p, g)]
        return torch.stack(rows)
