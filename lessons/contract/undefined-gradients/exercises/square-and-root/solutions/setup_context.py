import torch


class SquareAndRoot(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x, x.sqrt()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, *grads):
        (x,) = ctx.saved_tensors
        slopes = (lambda: 2 * x, lambda: 0.5 * x**-0.5)
        parts = [g * slope() for g, slope in zip(grads, slopes) if g is not None]
        return sum(parts, torch.zeros_like(x))


def squared(x):
    return SquareAndRoot.apply(x)[0]
