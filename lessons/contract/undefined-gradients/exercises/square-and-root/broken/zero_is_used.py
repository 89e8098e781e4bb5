import torch


class SquareAndRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        root = torch.sqrt(x)
        ctx.save_for_backward(x, root)
        return x**2, root

    @staticmethod
    def backward(ctx, grad_square, grad_root):
        x, root = ctx.saved_tensors
        grad_x = torch.zeros_like(x)
        if grad_square is not None:
            grad_x = grad_x + grad_square * 2 * x
        if grad_root is not None and grad_root.any():
            grad_x = grad_x + grad_root / (2 * root)
        return grad_x


def squared(x):
    return SquareAndRoot.apply(x)[0]
