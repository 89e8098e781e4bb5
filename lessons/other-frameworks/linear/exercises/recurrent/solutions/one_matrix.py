import torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(h, x, u, w):
        return h.matmul(u) + x.matmul(w)

    @staticmethod
    def setup_context(ctx, inputs, output):
        h, x, u, w = inputs
        ctx.save_for_backward(torch.cat([h, x], 1), torch.cat([u, w], 0))
        ctx.size = h.shape[1]

    @staticmethod
    def backward(ctx, g):
        both, matrix = ctx.saved_tensors
        grad_both = g @ matrix.mT
        grad_matrix = both.mT @ g
        k = ctx.size
        return grad_both[:, :k], grad_both[:, k:], grad_matrix[:k], grad_matrix[k:]
