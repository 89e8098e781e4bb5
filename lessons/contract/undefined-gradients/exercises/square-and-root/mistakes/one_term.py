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
        if grad_square is not None:
            return grad_square * 2 * x
        elif grad_root is not None:
            return grad_root / (2 * root)


def squared(x):
    return SquareAndRoot.apply(x)[0]
