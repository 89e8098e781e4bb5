import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


class SquareKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x  # an attribute: nothing is compared
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.x * grad_output
