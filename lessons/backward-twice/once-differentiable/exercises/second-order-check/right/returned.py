import torch


class SquareWithSlope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        slope = 2 * x
        ctx.save_for_backward(slope)
        return x.square(), slope

    @staticmethod
    def backward(ctx, grad_out, grad_slope):
        (slope,) = ctx.saved_tensors
        return grad_out * slope + 2 * grad_slope


def Square(x):
    return SquareWithSlope.apply(x)[0]
