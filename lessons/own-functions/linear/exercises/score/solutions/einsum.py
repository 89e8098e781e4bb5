import torch
from torch import einsum


class Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, m, b):
        ctx.save_for_backward(a, m, b)
        return einsum("ni,ij,nj->n", a, m, b)

    @staticmethod
    def backward(ctx, g):
        a, m, b = ctx.saved_tensors
        grad_a = einsum("n,ij,nj->ni", g, m, b)
        grad_m = einsum("n,ni,nj->ij", g, a, b)
        grad_b = einsum("n,ni,ij->nj", g, a, m)
        return grad_a, grad_m, grad_b
