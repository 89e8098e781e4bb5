import torch


class Bend(torch.autograd.Function):
    @staticmethod
    def forward(x, a):
        return torch.tanh(a * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, a = ctx.saved_tensors
        slope = g / torch.cosh(a * x) ** 2
        grad_x = grad_a = None
        if ctx.needs_input_grad[0]:
            grad_x = slope * a
        if ctx.needs_input_grad[1]:
            grad_a = torch.sum(slope * x)
        return grad_x, grad_a
