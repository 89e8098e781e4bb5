import torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, x, u, w):
        ctx.save_for_backward(h, x, u, w)
        return h @ u + x @ w

    @staticmethod
    def backward(ctx, g):
        h, x, u, w = ctx.saved_tensors
        grad_h = (g @ u.T).squeeze()
        grad_x = g @ w.T
        grad_u = h.T @ g
        grad_w = x.T @ g
        return grad_h, grad_x, grad_u, grad_w
