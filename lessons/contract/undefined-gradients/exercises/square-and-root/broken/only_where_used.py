import torch


class SquareAndRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        root = torch.sqrt(x)
        ctx.save_for_backward(x, root)
        return x**2, root

    @staticmethod
    def backward(ctx, grad_square, grad_root):
        x, root = ctx.saved_tensors
        grad_x = grad_square * 2 * x + grad_root / (2 * root)
        return torch.where(grad_x.isnan(), 0, grad_x)  # both terms, and what is not a number taken away


def squared(x):
    return SquareAndRoot.apply(x)[0]
