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
        of_square = of_root = None
        if grad_square is not None:
            of_square = 2 * x * grad_square
        if grad_root is not None:
            of_root = 0.5 * grad_root / root
        if of_square is None or of_root is None:
            return of_square if of_root is None else of_root
        return of_square + of_root


def squared(x):
    return SquareAndRoot.apply(x)[0]
