import torch


class Cauchy(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.log1p(x * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return 2 * x * torch.exp(-y) * grad_output
