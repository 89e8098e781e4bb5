import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b=None):
        ctx.save_for_backward(x, w, b)
        return x @ w.T if b is None else x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w, b = ctx.saved_tensors
        grad_x, grad_w = grad_output @ w, grad_output.T @ x
        if b is None:
            return grad_x, grad_w  # no bias, so no gradient for it
        return grad_x, grad_w, grad_output.sum(0)
