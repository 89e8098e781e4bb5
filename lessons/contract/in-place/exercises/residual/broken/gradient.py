import torch


class Quartic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**4

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 4 * x**3 * grad_output


def residual(x):
    h = 2 * x
    y = Quartic.apply(h)
    return y + h.detach() + 1


def changed(x):
    h = 1 * x
    y = Quartic.apply(h)
    h.mul_(2)
    return y
