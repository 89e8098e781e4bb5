import torch
from torch import einsum


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, x, u, w):
        ctx.save_for_backward(h, x, u, w)
        return h @ u + x @ w

    @staticmethod
    def backward(ctx, g):
        h, x, u, w = ctx.saved_tensors
        back = [einsum("nj,ij->ni", g, m) for m in (u, w)]
        weights = [einsum("ni,nj->ij", a, g) for a in (h, x)]
        return *back, *weights
