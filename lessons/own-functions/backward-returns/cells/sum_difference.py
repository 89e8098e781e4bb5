import torch


class SumDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, scale):
        ctx.scale = scale
        return scale * (a + b), scale * (a - b)

    @staticmethod
    def backward(ctx, grad_sum, grad_diff):
        print("incoming:", grad_sum.tolist(), grad_diff.tolist())
        grad_a = ctx.scale * (grad_sum + grad_diff)
        grad_b = ctx.scale * (grad_sum - grad_diff)
        return grad_a, grad_b, None  # for a, b, scale
