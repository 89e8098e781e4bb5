import torch


class RunningSquares(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.cumsum(x**2, 0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output.flip(0).cumsum(0).flip(0)

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return torch.cumsum(2 * x * tangent, 0)  # as forward sums
