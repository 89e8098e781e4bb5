# exercise: contract/forward-mode/product-ratio
# No jvp: pushed is written by hand.
import torch


class ProductRatio(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a / b

    @staticmethod
    def backward(ctx, g, h):
        a, b = ctx.saved_tensors
        return g * b + h / b, g * a - h * a / b**2


def pushed(a, b, ta, tb):
    return ta * b + a * tb, ta / b - a * tb / b**2
